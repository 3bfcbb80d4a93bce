import type { FastifyBaseLogger } from 'fastify'
import { StoreUnavailableError } from '../../store/store.js'

/** Logs an error that was not expected, with its stack; of a store that is unavailable only the reason, since many requests have it. */
export function logFault(log: FastifyBaseLogger, error: unknown, fields: { operation?: string } = {}): void {
  const isKnown = error instanceof StoreUnavailableError
  log.error({ ...fields, ...(isKnown ? { reason: error.message } : { err: error }) }, 'fault')
}
