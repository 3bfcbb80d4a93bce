import { once, setMaxListeners } from 'node:events'
import { endBySignal, endingSignals, exitCodeOf } from '../store/end-by-signal.js'
import { formatCount } from './output/pluralize.js'
import { UserError } from './user-error.js'

let watched: AbortSignal | undefined

/**
 * Aborted by the first SIGINT, SIGTERM or, with a terminal, SIGHUP from now on, with its name as the reason. A second one ends the process at
 * once, but for SIGHUP, which a closed terminal may send twice. Call it before announcing that the process is ready. The
 * listeners stay: Ink ends the process at the first signal if it finds no other listener.
 */
export function watchSignals(): AbortSignal {
  if (watched) return watched
  const controller = new AbortController()
  const onSignal = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted && signal !== 'SIGHUP') {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
      endBySignal(signal)
    }
    controller.abort(signal)
  }
  for (const signal of endingSignals()) process.on(signal, onSignal)
  // A process that runs several command lines has a listener for each.
  setMaxListeners(0, controller.signal)
  watched = controller.signal
  return watched
}

/** Resolves with the first signal, as `watchSignals`. */
export async function shutdownSignal(): Promise<NodeJS.Signals> {
  const signal = watchSignals()
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason
}

/**
 * Resolves when the parent that started this process with an IPC channel has ended, by SIGKILL too, or has closed the channel.
 * Never resolves without a channel.
 */
export async function parentEnded(): Promise<void> {
  if (process.send === undefined) await new Promise(() => {})
  if (process.connected) {
    const closed = once(process, 'disconnect')
    // The listener alone would keep the process running.
    process.channel?.unref()
    await closed
  }
}

/** Work was stopped by a signal, in an orderly way. */
export class Interrupted extends UserError {
  override name = 'Interrupted'
  override readonly exitCode: number

  constructor(signal: NodeJS.Signals, message: string, hint?: string) {
    super(message, hint)
    this.exitCode = exitCodeOf(signal)
  }
}

/**
 * Work was stopped after a part of it, which is kept.
 * @param total how much there is, in words
 * @param where where the part is, such as "saved"
 */
export const interruptedAfter = (signal: NodeJS.Signals, done: number, total: string, where: string) =>
  new Interrupted(
    signal,
    `Interrupted after ${formatCount(done)} of ${total}, which are ${where}.`,
    'Run the same command again to complete it.',
  )
