import { StoreUnavailableError } from '../../store/store.js'

/** Passes a promise on, unless it takes too long. */
export type WaitLimit = <T>(promise: Promise<T>) => Promise<T>

/**
 * Limits how long a request waits for the store, over all that it asks. What is passed must have no effects: it goes on
 * after the limit.
 * @param ms the limit, in milliseconds; none, if undefined
 * @returns what rejects with a StoreUnavailableError after that time
 */
export function createWaitLimit(ms: number | undefined): WaitLimit {
  if (ms === undefined) return (promise) => promise
  return (promise) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new StoreUnavailableError(`The database did not answer within ${ms} ms`)),
        ms,
      )
      const endWith =
        <Result>(settle: (result: Result) => void) =>
        (result: Result) => {
          clearTimeout(timer)
          settle(result)
        }
      promise.then(endWith(resolve), endWith(reject))
    })
}
