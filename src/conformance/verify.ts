import { SessionBundle } from '../contract/schemas.js'
import { type Caller, callerNames, callers } from './callers.js'
import type { Case, Mode } from './case.js'
import { createdBy, play } from './play.js'
import { retryingRequest } from './raw-request.js'
import { bundle } from './requests.js'
import { sections as allSections, isFromInterface, type Section } from './sections.js'
import type { SentRequest, Target } from './target.js'

// The names of the properties of a report are those of its JSON.

/** The result of a case. */
export type CaseResult = {
  title: string
  /** A section of the interface, or a decision where the interface is silent. */
  requirement: string
  source: 'interface' | 'decision'
  outcome: 'passed' | 'failed' | 'skipped'
  /** The requests, e.g. `GET /v1/projects as owner`, and the statuses of their responses. */
  exchanges: { request: string; status: number }[]
  /** What came, and what was expected. */
  failure?: string
  /** Why the case was skipped. */
  reason?: string
  /** In milliseconds. */
  ms: number
}

export type Report = {
  url: string
  mode: Mode
  /** Why the service is taken for one of this mode. */
  modeReason: string
  results: CaseResult[]
  /** The records that the cases have created: the interface cannot delete projects. */
  leftBehind: { projects: { caller: string; id: string; name: string }[]; addresses: string[] }
}

export type VerifyOptions = {
  /** The base URL of the service, e.g. `https://api.example.com`; a path prefix is allowed. */
  url: string
  /** The Cookie headers of the callers. If empty and the service is a mock, the demo's personas are used. */
  cookies: ReadonlyMap<Caller, string>
  /** The mode that the service must have. If left out, it is detected. */
  mode?: Mode
  /** Play the cases that create and change projects, in the teams of the callers. */
  write?: boolean
  /** The ids of the teams that cases may write to. Only a mock needs none. */
  teams?: readonly string[]
  interfaceOnly?: boolean
  /** The session cookie is `__Host-session`. */
  hasHostCookie?: boolean
  /** The sections to play. Defaults to all. */
  sections?: readonly Section[]
  /** Ends the run before the next case. */
  signal?: AbortSignal
  /** Is told of each section that has been played. */
  onSection?(name: string, results: readonly CaseResult[]): void
}

/** The deployment cannot be verified with these options; `hint` says what to do. */
export class DeploymentError extends Error {
  override name = 'DeploymentError'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

/**
 * Plays the cases against a deployment, one after the other.
 * @throws DeploymentError where it cannot be reached, or cannot be verified with these options
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const { url, sections = allSections, write = false, interfaceOnly = false, signal, onSection } = options
  const { target, modeReason } = await openDeployment(options)
  const { mode } = target
  const leftBehind: Report['leftBehind'] = { projects: [], addresses: [] }
  const results: CaseResult[] = []
  for (const { name, cases } of sections) {
    const ofSection: CaseResult[] = []
    for (const testCase of cases) {
      if (signal?.aborted) break
      if ((testCase.mode ?? mode) !== mode || (interfaceOnly && !isFromInterface(testCase))) continue
      ofSection.push(await resultOf(target, testCase, write, leftBehind))
    }
    results.push(...ofSection)
    onSection?.(name, ofSection)
  }
  leftBehind.addresses = [...new Set(leftBehind.addresses)]
  return { url, mode, modeReason, results, leftBehind }
}

async function resultOf(
  target: Target,
  testCase: Case,
  write: boolean,
  leftBehind: Report['leftBehind'],
): Promise<CaseResult> {
  const { title, requirement } = testCase
  const source = isFromInterface(testCase) ? 'interface' : 'decision'
  const result: CaseResult = { title, requirement, source, outcome: 'passed', exchanges: [], ms: 0 }
  if (testCase.write && !write)
    return { ...result, outcome: 'skipped', reason: 'it sends more than GET and HEAD, which needs --write' }
  const start = performance.now()
  const { failure, skipped } = await play(target, testCase, (request, reply) => {
    const { method, path, as } = request
    const [shown = ''] = path.slice(0, 80).split('?')
    result.exchanges.push({ request: `${method} ${shown}${as ? ` as ${as}` : ''}`, status: reply.status })
    const { project, address } = createdBy(request, reply)
    if (project)
      leftBehind.projects.push({ caller: as ?? '', id: project.id, name: project.name.slice(0, 80) })
    if (address) leftBehind.addresses.push(address)
  })
  const ms = Math.round(performance.now() - start)
  if (failure) return { ...result, ms, outcome: 'failed', failure }
  return skipped ? { ...result, ms, outcome: 'skipped', reason: skipped } : { ...result, ms }
}

/** Finds out who the callers are, and which mode the service has. */
async function openDeployment(options: VerifyOptions): Promise<{ target: Target; modeReason: string }> {
  const { url, cookies: given, mode, write = false, teams, interfaceOnly = false } = options
  const send = options.hasHostCookie ? underHostName(retryingRequest) : retryingRequest
  const isDemo = given.size === 0 && mode !== 'production'
  // In a mock the names of personas are cookies.
  const cookies = new Map(
    isDemo ? callerNames.map((as) => [as, `session=${callers[as].persona}`] as const) : given,
  )
  const baseUrl = url.replace(/\/$/, '')
  const readBundle = async (cookie?: string) => {
    const path = new URL(`${baseUrl}/v1/auth/me`).pathname
    const headers: [string, string][] = cookie ? [['cookie', cookie]] : []
    const sent = { ...bundle(), url: `${baseUrl}/v1/auth/me`, path, headers, chunked: false, raw: false }
    return send(sent).catch((error: NodeJS.ErrnoException) => {
      // Of an attempt at several addresses the message is empty.
      const cause = error.message || (error.code ?? 'no connection')
      const hint = 'Check the address. If the service got the request, look at its log.'
      throw new DeploymentError(`GET ${sent.url} failed: ${cause}`, hint)
    })
  }
  await readBundle()
  let marked: Caller | undefined
  for (const [as, cookie] of cookies) {
    if (as === 'expired') continue
    const { status, json } = await readBundle(cookie)
    if (status === 401 && isDemo) cookies.delete(as)
    else if (status === 401)
      throw new DeploymentError(
        `The cookie of ${as} opens no session: GET /v1/auth/me returned 401.`,
        'Sign in again, and give the value of the session cookie; add --host-cookie if it is named __Host-session.',
      )
    if (Object(json).devMode === true) marked ??= as
    const teamId = SessionBundle.safeParse(json).data?.teamId
    if (write && teams && teamId && !teams.includes(teamId))
      throw new DeploymentError(
        `${as} is in the team ${teamId}, which --team does not name.`,
        'Give the cookies of members of the teams that were created for verification.',
      )
  }
  const modeReason = mode
    ? 'given with --mode'
    : marked
      ? `the session bundle of ${marked} has devMode`
      : isDemo
        ? 'the name of no persona opens a session with devMode, and no cookie was given'
        : 'no session bundle has devMode'
  const found = mode ?? (marked ? 'mock' : 'production')
  if (write && !teams && found === 'production')
    throw new DeploymentError(
      'The teams that cases may write to are not named.',
      'Create two teams for verification, and name each with --team: the projects that a run creates stay.',
    )
  const cookieOf = (as: Caller) => cookies.get(as)
  return { target: { mode: found, baseUrl, send, cookieOf, isServer: true, interfaceOnly }, modeReason }
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
  async (request: SentRequest) => {
    const response = await send({ ...request, headers: request.headers.map(exchangeNames) })
    return { ...response, headers: Object.fromEntries(Object.entries(response.headers).map(exchangeNames)) }
  }
