import type { Store } from '../../store/store.js'

export type Cleaning = {
  /** Ends the cleaning, once what was begun is done. */
  stop(): Promise<void>
}

/**
 * Removes the sessions that expired: now, and again and again. They are refused with or without a row; this is so
 * that the rows do not become more and more.
 * @param options.everyMs how long to wait in between, in milliseconds
 * @param options.onError told when the store could not be cleaned; the next time may be better
 */
export function removeExpiredSessions(
  store: Store,
  { everyMs, now, onError }: { everyMs: number; now(): Date; onError(error: unknown): void },
): Cleaning {
  let last: Promise<unknown> = Promise.resolve()
  const clean = () => {
    last = store.removeExpiredSessions(now().toISOString()).catch(onError)
  }
  clean()
  const timer = setInterval(clean, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}
