import type { FastifyRequest } from 'fastify'
import type { Session } from '../../handlers/handler.js'
import { plainAddress } from '../../http/address-allowance.js'
import type { Origin } from '../../store/audit-log.js'
import { clientAddress } from './client-address.js'

/**
 * The origin of a request's changes, for the audit log.
 * @param session the session whose user makes the changes, if there is one
 */
export const originOf = (request: FastifyRequest, session?: Session): Origin & { source: string } => ({
  via: request.routeOptions.config.operation ?? '',
  source: plainAddress(clientAddress(request)),
  requestId: request.id,
  userId: session?.user.id,
  sessionId: session?.id,
})
