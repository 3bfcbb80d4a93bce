import { constants } from 'node:os'
import { isatty } from 'node:tty'

/** The exit code of a process that a signal ended, as shells have it, e.g. 130 for SIGINT. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

let isHangupIgnored = false

/**
 * Ignores SIGHUP in a process that has no terminal, such as one that `nohup` started: Node resets the signals that its
 * parent ignored, and does not tell. Call it once, before the process listens for signals.
 */
export function ignoreHangupWithoutTerminal(): void {
  isHangupIgnored = ![0, 1, 2].some(isatty)
  if (isHangupIgnored) process.on('SIGHUP', () => {})
}

/** The signals that end this process. */
export const endingSignals = (): NodeJS.Signals[] => [
  'SIGINT',
  'SIGTERM',
  ...(isHangupIgnored ? [] : ['SIGHUP' as const]),
]

/**
 * Ends this process by a signal that the caller does not listen for any more; another listener ends it in its own way. To
 * the first process of a container the system delivers no signal without a listener: it exits.
 */
export function endBySignal(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal)
  if (process.listenerCount(signal) === 0) process.exit(exitCodeOf(signal))
}
