import { StoreUnavailableError } from './store.js'

/**
 * Runs one task at a time, in the order of the calls. A task that fails does not stop the next ones. One with a time limit,
 * in milliseconds, is not run if it has not begun by then.
 */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(task: () => Promise<T>, timeoutMs?: number): Promise<T> => {
    if (timeoutMs === undefined) {
      const result = last.then(task)
      last = result.catch(() => {})
      return result
    }
    return new Promise<T>((resolve, reject) => {
      let hasExpired = false
      const timer = setTimeout(() => {
        hasExpired = true
        reject(new StoreUnavailableError('The database is busy: the call waited too long in the queue'))
      }, timeoutMs)
      last = last.then(async () => {
        clearTimeout(timer)
        if (!hasExpired) await task().then(resolve, reject)
      })
    })
  }
}
