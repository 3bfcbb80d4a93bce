import type { CaseRequest, Mode, Persona } from '../cases/case.js'
import { bundle } from '../cases/requests.js'
import { callerNames } from '../cases/test-data.js'
import { describeRequest } from './describe-request.js'
import { createTestData, DeploymentError, type Discovered, demoCookies, discover, found } from './discover.js'
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
  /** How requests are sent. Defaults to HTTP. */
  send?: Target['send']
}

export type Deployment = Target & {
  /** Why the service is taken for one of this mode. */
  modeReason: string
  /** The teams that cases may write to; undefined where the options ask for none. */
  workspaces: Workspaces | undefined
}

/**
 * Opens a running service as a target for cases. Its test data is discovered from the service.
 * @throws DeploymentError where it cannot be reached or cannot be verified with these options
 */
export async function openDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { url, write, cookies: given, interfaceOnly, send: sendResolved = retryingRequest } = options
  const isDemo = given.size === 0 && options.mode !== 'production'
  const known: Discovered = {
    cookies: new Map(isDemo ? demoCookies() : given),
    bundles: new Map(),
    projects: new Map(),
  }
  const source = {
    send: sendResolved,
    baseUrl: url.replace(/\/$/, ''),
    cookieOf: (as: Persona) => found(known.cookies.get(as), `no cookie of ${callerNames[as]} was given`),
    data: createTestData(known),
  }
  await send(source, bundle()).catch((error: Error) => {
    throw new DeploymentError(`${url} cannot be reached: ${causeOf(error)}`, 'Is the service running there?')
  })
  const sendRequest = (request: CaseRequest) =>
    send(source, request).catch((error: Error) => {
      throw new DeploymentError(
        `${describeRequest(request)} got no response: ${causeOf(error)}`,
        'The service closed the connection or took too long: its log may say why.',
      )
    })
  const marked = await discover(known, isDemo, sendRequest)
  const callers = [...known.cookies.keys()].filter((as) => as !== 'expired')
  const workspaces = write
    ? await openWorkspaces(callers, source.data, sendRequest, options.teams)
    : undefined
  const reset = async () => {
    for (const [teamId, projects] of (await workspaces?.cleanUp()) ?? []) known.projects.set(teamId, projects)
  }
  await reset()
  return {
    ...source,
    ...modeOf(options.mode, marked, isDemo),
    interfaceOnly,
    isServer: true,
    docsPages: new Map(),
    workspaces,
    reset,
    close: async () => {},
  }
}

/** Of an attempt at several addresses the message is empty. */
const causeOf = (error: NodeJS.ErrnoException): string => error.message || (error.code ?? 'no connection')

function modeOf(
  given: Mode | undefined,
  marked: Persona | undefined,
  isDemo: boolean,
): Pick<Deployment, 'mode' | 'modeReason'> {
  if (given !== undefined) return { mode: given, modeReason: 'given with --mode' }
  if (marked !== undefined)
    return { mode: 'mock', modeReason: `the session bundle of ${callerNames[marked]} has devMode` }
  const modeReason = isDemo
    ? 'the name of no persona opens a session with devMode, and no cookie was given'
    : 'no session bundle has devMode'
  return { mode: 'production', modeReason }
}
