import { createTurnQueue } from './turn-queue.js'

/**
 * Shares the runs of an asynchronous function. Each caller gets the result of a run that started after its call.
 * All callers that wait for the next run share it, and runs never overlap. A run starts at the end of the event-loop
 * turn, so that it serves every call of that turn.
 */
export function coalesce<T>(run: () => Promise<T>): () => Promise<T> {
  const enqueue = createTurnQueue()
  let next: Promise<T> | undefined

  return () => {
    next ??= enqueue(() => {
      next = undefined
      return run()
    })
    return next
  }
}
