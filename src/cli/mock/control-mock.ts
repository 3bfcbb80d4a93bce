import { type ControlClient, createControlClient } from '../../mock/http/control-client.js'
import { httpUrl } from '../../server/settings/http-url.js'
import { mockUrl } from '../options.js'
import { UserError } from '../user-error.js'

/** Where a mock runs, and one of its spaces if not the default one. Without a URL, the environment or the default. */
type MockAddress = { url?: string; space?: string }

/** The URL of a running mock: that of `--url`, of the environment, or the default. An empty variable counts as unset. */
export function urlOf({ url = process.env[mockUrl.env] || mockUrl.default }: MockAddress): string {
  if (httpUrl(url)) return url
  throw new UserError(
    `${mockUrl.env}: expected an address such as ${mockUrl.default}; got "${url}".`,
    'Correct it, or pass the address of a running mock with --url.',
  )
}

/** Calls the controls of a running mock: `await controlMock(address)('reset')`. @throws ControlError, NoMockError */
export const controlMock = (address: MockAddress): ControlClient['call'] =>
  createControlClient(urlOf(address), address.space).call
