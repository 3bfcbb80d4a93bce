import type { FastifyBaseLogger } from 'fastify'
import { StoreUnavailableError } from '../../store/store.js'
import { ClientGoneError } from '../http/request-body.js'

/** Logs an error that was not expected, with its stack; of a store that is unavailable only the reason, since many requests have it. */
export function logFault(log: FastifyBaseLogger, error: unknown, fields: { operation?: string } = {}): void {
  if (error instanceof ClientGoneError) return void log.debug(fields, 'the client went away')
  const isKnown = error instanceof StoreUnavailableError
  log.error({ ...fields, ...(isKnown ? { reason: error.message } : { err: error }) }, 'fault')
}
