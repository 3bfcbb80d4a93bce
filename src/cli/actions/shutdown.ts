/**
 * Settles at the first SIGINT or SIGTERM; to be called before anybody is told that there is something to end. A
 * second signal finds no listener any more, and ends the process at once.
 */
export function shutdownSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
      resolve(signal)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
}

/** Ends the process with 1 where closing takes longer than this, in milliseconds. */
export const exitAfter = (ms: number): void => void setTimeout(() => process.exit(1), ms).unref()
