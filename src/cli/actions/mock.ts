import { ControlError } from '../../mock/core/control-error.js'
import { type ControlClient, createControlClient, NoMockError } from '../../mock/http/control-client.js'
import { Failure, UserError } from '../user-error.js'

/** A running mock, or one of its spaces. */
export type MockAt = { url: string; space?: string }

/**
 * The controls of a running mock, for commands: `const call = mockAt(options); await call('reset')`.
 * What the mock refuses is a UserError that says what is possible; no mock there is a Failure.
 */
export function mockAt({ url, space }: MockAt): ControlClient['call'] {
  const client = createControlClient(url, space)
  return (...asked) =>
    client.call(...asked).catch((error) => {
      throw asUserError(error)
    })
}

/** An error of the control client in words for the reader; any other error as it is. */
export function asUserError(error: unknown): unknown {
  if (error instanceof NoMockError) {
    return new Failure(
      error.message,
      'Start one with "npx dashboard-api dev", or say where it runs with --url.',
    )
  }
  if (!(error instanceof ControlError)) return error
  return error.status >= 500 ? new Failure(error.message) : new UserError(error.message)
}
