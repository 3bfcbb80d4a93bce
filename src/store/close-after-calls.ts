import type { ProductionStore } from './production-store.js'
import { StoreUnavailableError } from './store.js'

/** Makes `close` of a store wait for the calls before it, and refuse those after it, whatever they still wait for. */
export function closeAfterCalls(store: ProductionStore): ProductionStore {
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined
  const tracked =
    (call: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]): Promise<unknown> => {
      if (closing !== undefined) throw new StoreUnavailableError('The database is closed')
      const result = call(...args)
      running.add(result)
      return result.finally(() => running.delete(result))
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
      closing ??= Promise.allSettled(running).then(close)
      return closing
    },
  }
}
