import type { ProductionStore } from '../../store/production-store.js'

export type ExpiryRemoval = {
  /** Stops, after the statement that is running. */
  stop(): Promise<void>
}

/**
 * Removes expired sessions, counts of requests that no limit needs any more, and old entries of the audit log, now and at
 * intervals. Expired sessions are refused in any case; this keeps the tables small.
 * @param options.everyMs the interval, in milliseconds
 * @param options.auditMs the age of the entries to remove, in milliseconds
 * @param options.onError called when a removal fails; the next one may succeed
 */
export function removeExpired(
  store: Pick<ProductionStore, 'removeExpiredSessions' | 'requestCounts' | 'removeAuditBefore'>,
  {
    everyMs,
    auditMs,
    now,
    onError,
  }: { everyMs: number; auditMs: number; now(): Date; onError(error: unknown): void },
): ExpiryRemoval {
  let last: Promise<unknown> = Promise.resolve()
  let isStopped = false
  const repeat = async (removeSome: () => Promise<number>) => {
    while (!isStopped && (await removeSome()) > 0);
  }
  const removeAll = async () => {
    await repeat(() => store.removeExpiredSessions(now().toISOString()))
    await repeat(async () => store.requestCounts?.removePast() ?? 0)
    await repeat(() => store.removeAuditBefore(new Date(now().getTime() - auditMs).toISOString()))
  }
  const remove = () => {
    last = removeAll().catch(onError)
  }
  remove()
  const timer = setInterval(remove, everyMs).unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await last
    },
  }
}
