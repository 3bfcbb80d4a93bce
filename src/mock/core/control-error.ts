/** A control was asked for something that the mock cannot do. The message says so, and `possible` what it can. */
export class ControlError extends Error {
  override name = 'ControlError'
  /** How the control plane answers it. */
  readonly status: number
  readonly possible: readonly string[]

  constructor(message: string, possible: readonly string[] = [], status = 422) {
    super(possible.length > 0 ? `${message} Possible: ${possible.join(', ')}.` : message)
    this.possible = possible
    this.status = status
  }
}
