import type { ProductionStore } from '../../store/production-store.js'

export type ExpiryRemoval = {
  /** Stops, after the statement that is running. */
  stop(): Promise<void>
}

/**
 * Removes expired sessions, and counts of requests that no limit needs any more, now and at intervals. Expired sessions
 * are refused in any case; this keeps the tables small.
 * @param options.everyMs the interval, in milliseconds
 * @param options.onError called when a removal fails; the next one may succeed
 */
export function removeExpired(
  store: Pick<ProductionStore, 'removeExpiredSessions' | 'requestCounts'>,
  { everyMs, now, onError }: { everyMs: number; now(): Date; onError(error: unknown): void },
): ExpiryRemoval {
  let last: Promise<unknown> = Promise.resolve()
  let isStopped = false
  const repeat = async (removeSome: () => Promise<number>) => {
    while (!isStopped && (await removeSome()) > 0);
  }
  const removeAll = async () => {
    await repeat(() => store.removeExpiredSessions(now().toISOString()))
    await repeat(async () => store.requestCounts?.removePast() ?? 0)
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
