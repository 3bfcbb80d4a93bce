import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../../http/address-allowance.js'
import type { Origin } from '../../store/audit-log.js'
import { clientAddress } from './client-address.js'

/** The origin of a request's changes, for the audit log. */
export const originOf = (request: FastifyRequest): Origin & { source: string } => ({
  via: request.routeOptions.config.operation ?? '',
  source: plainAddress(clientAddress(request)),
  requestId: request.id,
})
