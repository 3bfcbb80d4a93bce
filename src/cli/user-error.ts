/** A user's mistake: what happened, what was expected, what to do next. Printed without a stack; exits 2. */
export class UserError extends Error {
  override name = 'UserError'
  readonly exitCode: number = 2
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** A failure outside the program that is not the user's mistake, e.g. a taken port. Printed alike; exits 1. */
export class Failure extends UserError {
  override name = 'Failure'
  override readonly exitCode = 1
}
