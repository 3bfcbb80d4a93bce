/**
 * Runs one task at a time, in the order of the calls, each at the end of an event-loop turn: it serves all that arrived
 * until then. The next task starts before the callers of the last one go on, so that the database works meanwhile. A task
 * that fails does not stop the next ones.
 */
export function createTurnQueue() {
  const waiting: (() => void)[] = []
  let isRunning = false

  const startNext = () => {
    const start = waiting.shift()
    isRunning = start !== undefined
    start?.()
  }
  const end = (settle: () => void) =>
    setImmediate(() => {
      startNext()
      settle()
    })

  return <T>(task: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push(() => {
        task().then(
          (result) => end(() => resolve(result)),
          (error) => end(() => reject(error)),
        )
      })
      if (isRunning) return
      isRunning = true
      setImmediate(startNext)
    })
}
