/** The most keys of one run. */
const maxKeys = 1000

/**
 * Shares the runs of a look-up among concurrent callers. Each call joins a run that starts after it, at the end of the
 * event-loop turn. Runs do not overlap: calls during a run share the next one.
 * @param run looks up several different keys; returns the results in their order
 */
export function batch<Found>(run: (keys: string[]) => Promise<Found[]>): (key: string) => Promise<Found> {
  type Call = { resolve(found: Found): void; reject(error: unknown): void }
  let waiting = new Map<string, Call[]>()
  let isRunning = false

  const runNext = async () => {
    const calls = new Map([...waiting].slice(0, maxKeys))
    waiting = new Map([...waiting].slice(maxKeys))
    isRunning = calls.size > 0
    if (!isRunning) return
    let found: Found[] | undefined
    let fault: unknown
    try {
      found = await run([...calls.keys()])
    } catch (error) {
      fault = error
    }
    // The next run takes all calls of this turn, and starts before the callers of this run continue.
    setImmediate(() => {
      void runNext()
      for (const [i, each] of [...calls.values()].entries()) {
        for (const { resolve, reject } of each) found ? resolve(found[i] as Found) : reject(fault)
      }
    })
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const call = { resolve, reject }
      const same = waiting.get(key)
      if (same) same.push(call)
      else waiting.set(key, [call])
      if (isRunning) return
      isRunning = true
      setImmediate(runNext)
    })
}

/**
 * Shares the runs of an asynchronous function. Each caller gets the result of a run that started after its call. Runs do not
 * overlap.
 */
export function coalesce<Result>(run: () => Promise<Result>): () => Promise<Result> {
  const share = batch(async () => [await run()])
  return () => share('')
}
