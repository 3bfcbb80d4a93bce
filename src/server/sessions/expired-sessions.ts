import type { Store } from '../../store/store.js'

export type ExpiredSessionsRemoval = {
  /** Stops, after the removal that is running. */
  stop(): Promise<void>
}

/**
 * Removes expired sessions now and at intervals. They are refused in any case; this keeps the table small.
 * @param options.everyMs the interval, in milliseconds
 * @param options.onError called when a removal fails; the next one may succeed
 */
export function removeExpiredSessions(
  store: Store,
  { everyMs, now, onError }: { everyMs: number; now(): Date; onError(error: unknown): void },
): ExpiredSessionsRemoval {
  let last: Promise<unknown> = Promise.resolve()
  const remove = () => {
    last = store.removeExpiredSessions(now().toISOString()).catch(onError)
  }
  remove()
  const timer = setInterval(remove, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}
