/** A control was called with something that the mock cannot do. `possible` lists valid values, if there is a list. */
export class ControlError extends Error {
  override name = 'ControlError'
  /** The HTTP status for it. */
  readonly status: number
  readonly possible: readonly string[]

  constructor(message: string, possible: readonly string[] = [], status = 422) {
    super(possible.length > 0 ? `${message} Possible: ${possible.join(', ')}.` : message)
    this.possible = possible
    this.status = status
  }
}
