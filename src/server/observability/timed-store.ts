import type { Store } from '../../store/store.js'

/**
 * A store whose calls are timed, failed ones too.
 * @param observe called with the method and its time in milliseconds
 */
export function timedStore(store: Store, observe: (call: { method: string; ms: number }) => void): Store {
  const timed = Object.entries(store).map(([method, call]) => [
    method,
    async (...values: never[]) => {
      const started = performance.now()
      try {
        return await (call as (...values: never[]) => Promise<unknown>)(...values)
      } finally {
        observe({ method, ms: performance.now() - started })
      }
    },
  ])
  return Object.fromEntries(timed)
}
