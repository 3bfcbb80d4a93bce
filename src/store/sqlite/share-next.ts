/**
 * Runs a look-up for many at once: those who ask share one that begins after they asked. So each of them gets what
 * was true after its question, and however many ask, no more than one runs and one waits.
 */
export function shareNext<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined
  let next: Promise<T> | undefined

  const begin = (): Promise<T> => {
    const begun = look()
    const ended = begun
      .catch(() => {})
      .then(() => {
        if (running === ended) running = undefined
      })
    running = ended
    return begun
  }

  return () => {
    if (!running) return begin()
    next ??= running.then(() => {
      next = undefined
      return begin()
    })
    return next
  }
}
