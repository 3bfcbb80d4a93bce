/** The most values that a message lists: a mock may have hundreds of handlers. */
const maxShown = 20

/** A control was called with an invalid value. `possible` lists valid values, if they are known. */
export class ControlError extends Error {
  override name = 'ControlError'
  /** The HTTP status of the error. */
  readonly status: number
  readonly possible: readonly string[]

  constructor(message: string, possible: readonly string[] = [], status = 422) {
    const shown = possible.slice(0, maxShown).join(', ')
    const more = possible.length > maxShown ? ` and ${possible.length - maxShown} more` : ''
    super(possible.length > 0 ? `${message} Possible: ${shown}${more}.` : message)
    this.possible = possible
    this.status = status
  }
}
