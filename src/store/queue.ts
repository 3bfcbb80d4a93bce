import { StoreUnavailableError } from './store.js'

/**
 * Runs one task at a time, in the order of the calls. A task that fails does not stop the next ones.
 * @param timeoutMs how long a task may wait to begin, in milliseconds; it is not run then
 */
export function createQueue(timeoutMs?: number) {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(task: () => Promise<T>): Promise<T> => {
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
