import type { FastifyBaseLogger } from 'fastify'
import { StoreUnavailableError } from '../../store/store.js'

/** Logs an unexpected error with its stack. For an unavailable store, which affects many requests, only the reason. */
export function logFault(log: FastifyBaseLogger, error: unknown, fields: { operation?: string } = {}): void {
  const isKnown = error instanceof StoreUnavailableError
  log.error({ ...fields, ...(isKnown ? { reason: error.message } : { err: error }) }, 'fault')
}
