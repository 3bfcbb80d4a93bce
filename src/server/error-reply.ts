import type { FastifyReply, FastifyRequest } from 'fastify'
import { type OperationName, operations } from '../contract/operations.js'
import { failedReply } from '../handlers/api.js'
import { fail } from '../handlers/handler.js'
import { failureReply, operationalReply, type Reply, unreadableReply } from '../handlers/reply.js'
import { logFault } from './http/log-fault.js'

/**
 * The reply to a request that failed, or that an application around the service refused: by a hook, a plugin or `session`. An
 * application's status and headers stay, the body is the error body of the interface.
 */
export function errorReply(error: unknown, request: FastifyRequest, reply: FastifyReply): Reply {
  const { log, raw, routeOptions } = request
  const { operation } = routeOptions.config
  if (raw.aborted) {
    log.debug({ operation }, 'the client went away')
    return failedReply(error)
  }
  const status = statusOf(error, reply)
  if (status === undefined || status >= 500) logFault(log, error, { operation })
  else log.info({ operation, err: error }, 'the application refused the request')
  if (status === undefined) return failedReply(error)
  const { headers } = error as { headers?: Record<string, string> }
  if (headers) reply.headers(headers)
  return refusalReply(status, operation)
}

/** The status that an error has for Fastify: that of the reply, or of the error. Undefined for a fault. */
function statusOf(error: unknown, reply: FastifyReply): number | undefined {
  const { statusCode, status } = Object(error) as { statusCode?: unknown; status?: unknown }
  return [reply.statusCode, statusCode, status].find(
    (each): each is number => Number.isInteger(each) && Number(each) >= 400 && Number(each) <= 599,
  )
}

const codes = {
  401: 'AUTH_REQUIRED',
  403: 'INSUFFICIENT_PERMISSIONS',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
} as const

function refusalReply(status: number, operation: string | undefined): Reply {
  const { headers } = unreadableReply(status, '')
  const code = codes[status as keyof typeof codes]
  if (code === 'RATE_LIMITED' || code === 'SERVICE_UNAVAILABLE') return { ...operationalReply(code), headers }
  if (code && operation && Object.hasOwn(operations, operation)) {
    return failureReply(operations[operation as OperationName], fail(code))
  }
  if (status >= 500) return { ...operationalReply('INTERNAL_ERROR'), status, headers }
  return { ...unreadableReply(status, 'The application refused the request.'), ...(code && { code }) }
}
