/** The longest value in a message. */
const maxLength = 200

/** A value as a message shows it: as JSON, cut where it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : jsonOf(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // It has a cycle, or a number without JSON.
    return String(value)
  }
}

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
