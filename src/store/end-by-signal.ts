import { constants } from 'node:os'
import { isatty } from 'node:tty'

/** The exit code for a signal, as in shells: 130 for SIGINT. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

let isHangupIgnored = false

/**
 * Ignores SIGHUP in a process without a terminal, such as one that `nohup` started: Node resets the signals that its parent
 * ignored. Call it once, before the process listens for signals.
 */
export function ignoreHangupWithoutTerminal(): void {
  isHangupIgnored = ![0, 1, 2].some(isatty)
  if (isHangupIgnored) process.on('SIGHUP', () => {})
}

export const endingSignals = (): NodeJS.Signals[] => [
  'SIGINT',
  'SIGTERM',
  ...(isHangupIgnored ? [] : ['SIGHUP' as const]),
]

/**
 * Ends this process by a signal, unless there is another listener. The caller has removed its own. Process 1 of a container
 * exits instead: the system delivers it no signal without a listener.
 */
export function endBySignal(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal)
  if (process.listenerCount(signal) === 0) process.exit(exitCodeOf(signal))
}
