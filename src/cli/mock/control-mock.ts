import { ControlError } from '../../mock/core/control-error.js'
import { type ControlClient, createControlClient, NoMockError } from '../../mock/http/control-client.js'
import { isHttpUrl, mockUrl } from '../options.js'
import { Failure, UserError } from '../user-error.js'

/** Where a mock runs, and one of its spaces if not the default one. Without a URL, the environment or the default. */
type MockAddress = { url?: string; space?: string }

/** The URL of a running mock: that of `--url`, of the environment, or the default. An empty variable counts as unset. */
export function urlOf({ url }: MockAddress): string {
  if (url !== undefined) return url
  const text = process.env[mockUrl.env] || mockUrl.default
  if (isHttpUrl(text)) return text
  throw new UserError(
    `${mockUrl.env}: expected an address such as ${mockUrl.default}; got "${text}".`,
    'Correct it, or pass the address of a running mock with --url.',
  )
}

/**
 * Calls the control interface of a running mock: `await controlMock(address)('reset')`.
 * @returns a function that throws UserError for a refused call, Failure if no mock answers
 */
export function controlMock(address: MockAddress): ControlClient['call'] {
  const { call } = createControlClient(urlOf(address), address.space)
  return (...args) =>
    call(...args).catch((error) => {
      throw mockFailure(error)
    })
}

/** Translates an error of the control client for the user; returns any other error unchanged. */
export function mockFailure(error: unknown): unknown {
  if (error instanceof NoMockError) {
    return new Failure(
      error.message,
      `Start one with "npx dashboard-api dev", or pass the address of a running one with --url or in ${mockUrl.env}.`,
    )
  }
  if (!(error instanceof ControlError)) return error
  return error.status >= 500 ? new Failure(error.message) : new UserError(error.message)
}
