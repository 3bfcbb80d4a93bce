import { constants } from 'node:os'
import { shutdownSignal } from './actions/shutdown.js'
import { UserError } from './user-error.js'

/** Work that was ended by a signal, in order. Exits as a shell tells it: 130 for SIGINT, 143 for SIGTERM. */
export class Interrupted extends UserError {
  override name = 'Interrupted'
  override readonly exitCode: number

  constructor(signal: NodeJS.Signals, message: string, hint?: string) {
    super(message, hint)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Notices SIGINT and SIGTERM from now on, so that the work can end where that does no harm. */
export function watchSignals(): { raised(): NodeJS.Signals | undefined } {
  let raised: NodeJS.Signals | undefined
  void shutdownSignal().then((signal) => {
    raised = signal
  })
  return { raised: () => raised }
}
