import type { CaseRequest, Mode, Persona } from '../cases/case.js'
import { bundle } from '../cases/steps.js'
import { callerNames, personas } from '../cases/test-data.js'
import {
  createTestData,
  DeploymentError,
  type Discovered,
  describeRequest,
  discover,
  found,
} from './discover.js'
import { retryingRequest } from './raw-request.js'
import { send, type Target } from './target.js'
import { openWorkspaces, type Workspaces } from './workspaces.js'

export type DeploymentOptions = {
  /** The base URL of the service, e.g. `https://api.example.com`; a path prefix is allowed. */
  url: string
  /** The Cookie headers of the personas. If empty and the service is a mock, the demo's personas are used. */
  cookies: ReadonlyMap<Persona, string>
  /** The mode that the service must have. If left out, it is detected. */
  mode?: Mode
  /** Run the cases that change data, in the teams of the personas. */
  write: boolean
  /** The ids of the teams that cases may write to. If left out, any team without other projects. */
  teams?: readonly string[]
  interfaceOnly: boolean
  /** The session cookie is `__Host-session`. */
  hasHostCookie?: boolean
  /** How requests are sent. Defaults to HTTP. */
  send?: Target['send']
}

export type Deployment = Target & {
  /** Why the service is taken for one of this mode. */
  modeReason: string
  /** Responses from which the callers and their projects could not be read, one sentence each. */
  faults: readonly string[]
  /** The teams that cases may write to; undefined where the options ask for none. */
  workspaces: Workspaces | undefined
}

/**
 * Opens a running service as a target for cases. Its test data is discovered from the service.
 * @throws DeploymentError where it cannot be reached or cannot be verified with these options
 */
export async function openDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { url, write, cookies: given, interfaceOnly, send: sendNow = retryingRequest } = options
  const sendResolved = options.hasHostCookie ? underHostName(sendNow) : sendNow
  const isDemo = given.size === 0 && options.mode !== 'production'
  // In a mock the names of personas are cookies.
  const cookies = new Map(isDemo ? personas.map((as) => [as, `session=${as}`]) : given)
  const known: Discovered = { cookies, bundles: new Map(), projects: new Map(), faults: [] }
  const source = {
    send: sendResolved,
    baseUrl: url.replace(/\/$/, ''),
    cookieOf: (as: Persona) => found(cookies.get(as), `no cookie of ${callerNames[as]} was given`),
    data: createTestData(known),
  }
  const sendRequest = (request: CaseRequest) =>
    send(source, request).catch((error: NodeJS.ErrnoException) => {
      // Of an attempt at several addresses the message is empty.
      const cause = error.message || (error.code ?? 'no connection')
      throw new DeploymentError(
        `${url} cannot be reached: ${describeRequest(request)} got no response: ${cause}`,
        'Is the service running there? Its log may say why it closed the connection or took too long.',
      )
    })
  await sendRequest(bundle())
  const marked = await discover(known, isDemo, sendRequest)
  const callers = [...cookies.keys()].filter((as) => as !== 'expired')
  const workspaces = write
    ? await openWorkspaces(callers, source.data, sendRequest, options.teams)
    : undefined
  const reset = async () => {
    for (const team of (await workspaces?.cleanUp()) ?? []) known.projects.set(...team)
  }
  await reset()
  const modeReason = options.mode
    ? 'given with --mode'
    : marked
      ? `the session bundle of ${callerNames[marked]} has devMode`
      : isDemo
        ? 'the name of no persona opens a session with devMode, and no cookie was given'
        : 'no session bundle has devMode'
  return {
    ...source,
    mode: options.mode ?? (marked ? 'mock' : 'production'),
    modeReason,
    faults: known.faults,
    interfaceOnly,
    isServer: true,
    docsBases: new Set(),
    workspaces,
    reset,
    close: async () => {},
  }
}

/** Exchanges two names: cases call the session cookie `session`, and take `__Host-session` for a stranger's. */
const exchangeNames = ([name, value]: [string, string]): [string, string] => [
  name,
  /^(set-)?cookie$/i.test(name)
    ? value.replace(/(?<![\w-])(__Host-)?session=/g, (_, prefix) => `${prefix ? '' : '__Host-'}session=`)
    : value,
]
const underHostName =
  (send: Target['send']): Target['send'] =>
  async (request) => {
    const response = await send({ ...request, headers: request.headers.map(exchangeNames) })
    return { ...response, headers: Object.fromEntries(Object.entries(response.headers).map(exchangeNames)) }
  }
