/** A database that was refused and not changed: not ours, newer than we know, damaged, or without access. */
export class DatabaseRefusedError extends Error {
  override name = 'DatabaseRefusedError'
  readonly reason: string
  readonly hint: string

  /**
   * @param database its path, or its address without a password
   * @param reason without a full stop at its end
   * @param hint what to do next, as a sentence
   */
  constructor(database: string, reason: string, hint: string, cause?: unknown) {
    super(`Cannot use the database ${database}: ${reason}. ${hint}`, { cause })
    this.reason = reason
    this.hint = hint
  }
}

/** The driver of a database, an optional dependency, is not installed or cannot be loaded. */
export class DriverMissingError extends Error {
  override name = 'DriverMissingError'
}
