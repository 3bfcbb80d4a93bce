import { setImmediate } from 'node:timers/promises'

/**
 * Shares the runs of an asynchronous function. Each caller gets the result of a run that started after its call.
 * All callers that wait for the next run share it, and runs never overlap. A run starts at the end of the event-loop
 * turn, so that it serves every call of that turn.
 */
export function coalesce<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined

  const start = (): Promise<T> => {
    next = undefined
    const result = run()
    running = result.catch(() => {})
    return result
  }

  return () => {
    next ??= running.then(() => setImmediate()).then(start)
    return next
  }
}
