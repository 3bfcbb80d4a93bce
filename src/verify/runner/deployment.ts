import type { CaseRequest, Mode, Persona, ReceivedResponse } from '../cases/case.js'
import { bundle } from '../cases/requests.js'
import { callerNames } from '../cases/test-data.js'
import { describeRequest } from './describe-request.js'
import { cookieLookup, createTestData, DeploymentError, discover, mockCookies } from './discover.js'
import { collectDocsPages } from './docs-pages.js'
import { retryingRequest } from './raw-request.js'
import { type Sender, send, type Target } from './target.js'
import type { Remains } from './workspace.js'
import { openWritableTeams } from './writable-teams.js'

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
  transport?: Pick<Target, 'fetch' | 'raw'>
}

export type Deployment = Target & {
  personas: ReadonlySet<Persona>
  /** Why the service is taken for one of this mode. */
  modeReason: string
  /** Why cases that write cannot run, although the options ask for them: violations, one sentence each. */
  preparationFaults: readonly string[]
  /** The violations that clean-ups have met, one sentence each. */
  cleanUpFaults(): string[]
  /** The violations of the pages that errors link to, one sentence each. */
  docsFaults(): Promise<string[]>
  /** Restores the projects that cases have changed. Returns what cannot be restored or removed. */
  restore(): Promise<Remains>
}

/**
 * Opens a running service as a target for cases. Its test data is discovered from the service.
 * @throws DeploymentError where it cannot be reached or cannot be verified with these options
 */
export async function openDeployment({ url, write, ...options }: DeploymentOptions): Promise<Deployment> {
  const transport = options.transport ?? { fetch, raw: retryingRequest }
  const base = {
    baseUrl: url.replace(/\/$/, ''),
    ...transport,
    data: createTestData({ bundles: new Map(), projects: new Map() }),
  }
  const bundleOf = (cookie: string) =>
    send({ ...base, cookieOf: () => cookie }, bundle('acme-owner')).catch(noResponse(bundle()))

  await send({ ...base, cookieOf: () => '' }, bundle()).catch((error: Error) => {
    throw new DeploymentError(`${url} cannot be reached: ${causeOf(error)}`, 'Is the service running there?')
  })
  const { mode, modeReason, cookies } = await detectMode(options, bundleOf)

  const personas = new Set<Persona>(cookies.keys())
  const sender: Sender = { ...base, cookieOf: cookieLookup(cookies) }
  const sendRequest = (request: CaseRequest): Promise<ReceivedResponse> =>
    send(sender, request).catch(noResponse(request))
  const discovered = await discover(personas, sendRequest)
  const data = createTestData(discovered)
  const teams = write ? await openWritableTeams(personas, data, sendRequest, options.teams) : undefined
  const reset = async () => {
    for (const [teamId, projects] of (await teams?.cleanUp()) ?? []) {
      discovered.projects.set(teamId, { value: projects })
    }
  }
  await reset()

  const docs = collectDocsPages(transport.fetch)
  return {
    ...sender,
    data,
    mode,
    modeReason,
    interfaceOnly: options.interfaceOnly,
    ownsOrigin: false,
    personas,
    preparationFaults: teams?.preparationFaults ?? [],
    checkDocs: docs.add,
    docsFaults: docs.check,
    cleanUpFaults: () => teams?.cleanUpFaults() ?? [],
    reset,
    restore: async () => (await teams?.restore()) ?? { projects: [], changes: [] },
    close: async () => {},
  }
}

const noResponse = (request: CaseRequest) => (error: Error) => {
  throw new DeploymentError(
    `${describeRequest(request)} got no response: ${causeOf(error)}`,
    'The service closed the connection or took too long: its log may say why.',
  )
}

/** Of an attempt at several addresses the message is empty. */
const causeOf = (error: NodeJS.ErrnoException): string => error.message || (error.code ?? 'no connection')

type Detected = { mode: Mode; modeReason: string; cookies: ReadonlyMap<Persona, string> }

/** Only the mock marks its bundles with devMode (section 5.4), and only in a mock a persona's name is a cookie. */
async function detectMode(
  { mode, cookies: given }: Pick<DeploymentOptions, 'mode' | 'cookies'>,
  bundleOf: (cookie: string) => Promise<ReceivedResponse>,
): Promise<Detected> {
  const cookies = given.size > 0 || mode === 'production' ? given : await mockCookies(bundleOf)
  if (mode !== undefined) return { mode, modeReason: 'given with --mode', cookies }
  for (const [persona, cookie] of cookies) {
    if (persona === 'expired') continue
    const { status, json } = await bundleOf(cookie)
    if (status === 200 && Object(json).devMode === true) {
      return {
        mode: 'mock',
        modeReason: `the session bundle of ${callerNames[persona]} has devMode`,
        cookies,
      }
    }
  }
  return given.size > 0
    ? { mode: 'production', modeReason: 'no session bundle has devMode', cookies }
    : {
        mode: 'production',
        modeReason: 'the name of no persona opens a session with devMode, and no cookie was given',
        cookies: given,
      }
}
