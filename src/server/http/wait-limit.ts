import { StoreUnavailableError } from '../../store/store.js'

/**
 * Limits how long a request waits for the store, over all that it asks. What is passed must have no effects: it goes on
 * after the limit.
 * @param ms the limit, in milliseconds; none, if undefined
 * @returns what rejects with a StoreUnavailableError after that time, less what the request has waited already
 */
export function createWaitLimit(
  ms: number | undefined,
): <T>(promise: Promise<T>, waitedMs?: number) => Promise<T> {
  if (ms === undefined) return (promise) => promise
  return (promise, waitedMs = 0) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const expire = () => reject(new StoreUnavailableError(`The database did not answer within ${ms} ms`))
      timer = setTimeout(expire, ms - waitedMs)
    })
    return Promise.race([promise, late]).finally(() => clearTimeout(timer))
  }
}
