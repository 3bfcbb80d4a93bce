import type { ControlClient } from '../../mock/http/control-client.js'
import { Failure, UserError } from '../user-error.js'

/** Where a mock runs, and one of its spaces if not the default one. */
export type MockAddress = { url: string; space?: string }

// Loaded when a request is sent: it loads zod.
const loadClient = () => import('../../mock/http/control-client.js')

/**
 * Calls the control interface of a running mock: `await controlMock(address)('reset')`.
 * @returns a function that throws UserError for a refused call, Failure if no mock answers
 */
export function controlMock({ url, space }: MockAddress): ControlClient['call'] {
  return (...call) =>
    loadClient()
      .then(({ createControlClient }) => createControlClient(url, space).call(...call))
      .catch(async (error) => {
        throw await mockFailure(error)
      })
}

/** Translates an error of the control client for the user; returns any other error unchanged. */
export async function mockFailure(error: unknown): Promise<unknown> {
  const [{ NoMockError }, { ControlError }] = await Promise.all([
    loadClient(),
    import('../../mock/core/control-error.js'),
  ])
  if (error instanceof NoMockError) {
    return new Failure(
      error.message,
      'Start one with "npx dashboard-api dev", or pass the address of a running one with --url.',
    )
  }
  if (!(error instanceof ControlError)) return error
  return error.status >= 500 ? new Failure(error.message) : new UserError(error.message)
}
