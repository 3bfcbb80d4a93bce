import { constants } from 'node:os'

/** The exit code of a process that a signal ended, as shells have it, e.g. 130 for SIGINT. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/**
 * Ends this process by a signal that the caller does not listen for any more; another listener ends it in its own way. To
 * the first process of a container the system delivers no signal without a listener: it exits.
 */
export function endBySignal(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal)
  if (process.listenerCount(signal) === 0) process.exit(exitCodeOf(signal))
}
