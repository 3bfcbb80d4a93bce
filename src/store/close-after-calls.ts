import type { ProductionStore } from './production-store.js'
import { StoreUnavailableError } from './store.js'

/** Makes `close` of a store wait for the calls before it, and refuse those after it, whatever they still wait for. */
export function closeAfterCalls(store: ProductionStore): ProductionStore {
  let running = 0
  let onIdle = () => {}
  let closing: Promise<void> | undefined
  const tracked =
    (call: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]): Promise<unknown> => {
      if (closing !== undefined) throw new StoreUnavailableError('The database is closed')
      running += 1
      try {
        return await call(...args)
      } finally {
        running -= 1
        if (running === 0) onIdle()
      }
    }
  const { audited, changes, requestCounts, waitingWrites, close, ...calls } = store
  const all = Object.entries(calls).map(([name, call]) => [name, tracked(call)])
  return {
    ...(Object.fromEntries(all) as typeof calls),
    audited,
    changes,
    ...(requestCounts && { requestCounts }),
    waitingWrites,
    close() {
      closing ??= new Promise<void>((resolve) => {
        onIdle = resolve
        if (running === 0) resolve()
      }).then(close)
      return closing
    },
  }
}
