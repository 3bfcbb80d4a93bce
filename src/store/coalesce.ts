import { setImmediate as turn } from 'node:timers/promises'

/**
 * Runs a look-up for many at once: those who ask share one that begins after they asked. So each of them gets what
 * was true after its question, and no more than one runs at a time. It begins once all that has arrived in this
 * turn of the event loop has asked.
 */
export function coalesce<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined

  const begin = (): Promise<T> => {
    next = undefined
    const begun = look()
    running = begun.catch(() => {})
    return begun
  }

  return () => {
    next ??= running.then(() => turn()).then(begin)
    return next
  }
}
