/**
 * Settles at the first SIGINT or SIGTERM; to be called before anybody is told that there is something to end. A
 * second signal ends the process at once. It goes on listening: Ink would end the process by the first signal if
 * it found itself alone.
 */
export function shutdownSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isEnding = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (isEnding) {
        process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
        process.kill(process.pid, signal)
      }
      isEnding = true
      resolve(signal)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
}

/** Ends the process with 1 where closing takes longer than this, in milliseconds. */
export const exitAfter = (ms: number): void => void setTimeout(() => process.exit(1), ms).unref()
