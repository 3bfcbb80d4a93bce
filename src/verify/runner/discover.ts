import * as z from 'zod'
import { type Project, ProjectListReply, SessionBundle } from '../../contract/schemas.js'
import type { CaseRequest, CookieOf, ReceivedResponse } from '../cases/case.js'
import { bundle, list } from '../cases/requests.js'
import { callerNames, type Persona, personas, type TestData, testProjectNames } from '../cases/test-data.js'
import { describeRequest } from './describe-request.js'

/** A case needs a cookie or a project that this deployment was not given or does not have. */
export class MissingDataError extends Error {
  override name = 'MissingDataError'
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

export type SendRequest = (request: CaseRequest) => Promise<ReceivedResponse>

/** The bundle without what only the mock sets; other properties are ignored, since the cases report them. */
const bundleData = z.object(SessionBundle.shape).omit({ devMode: true, role: true })
type BundleData = z.infer<typeof bundleData>

/** A value that was read, or why there is none. */
type Read<Value> = { value: Value } | { missing: string }

/** What was read from a deployment: the bundles of the callers, and the projects of each team by its id. */
export type Discovered = { bundles: Map<Persona, Read<BundleData>>; projects: Map<string, Read<Project[]>> }

/**
 * Reads the session bundles of the personas and the projects of their teams from a deployment. Responses that are not
 * as specified are no data; the cases report them.
 * @throws DeploymentError where a cookie opens no session
 */
export async function discover(callers: Iterable<Persona>, send: SendRequest): Promise<Discovered> {
  const found: Discovered = { bundles: new Map(), projects: new Map() }
  for (const as of callers) {
    if (as === 'expired') continue
    const session = await send(bundle(as))
    const read = bundleData.safeParse(session.json)
    const isBundle = read.success && session.status === 200
    found.bundles.set(
      as,
      isBundle ? { value: read.data } : { missing: unusable(bundle(as), session, 'session bundle') },
    )
    const teamId = read.data?.teamId ?? ''
    if (isBundle && (teamId === '' || found.projects.has(teamId))) continue
    const projectList = await send(list(as))
    // A service that refuses one of the two has a session: the cases report that.
    if (session.status === 401 && projectList.status === 401) {
      throw new DeploymentError(
        `The cookie of ${callerNames[as]} opens no session: GET /v1/auth/me and GET /v1/projects returned 401.`,
        'Sign in again, and give the value of the session cookie.',
      )
    }
    const readList = ProjectListReply.safeParse(projectList.json)
    found.projects.set(
      teamId,
      readList.success && projectList.status === 200
        ? { value: readList.data.projects }
        : { missing: unusable(list(as), projectList, 'list of projects') },
    )
  }
  return found
}

const unusable = (request: CaseRequest, { status }: ReceivedResponse, what: string) =>
  `${describeRequest(request)} returned ${status} and no valid ${what}`

/** Test data of what was read. Its members throw MissingDataError for what is not in it. */
export function createTestData({ bundles, projects }: Discovered): TestData {
  const bundleOf = (as: Persona) => find(bundles, as, `no cookie of ${callerNames[as]} was given`)
  const projectsOf = (as: Persona): Project[] => {
    const { teamId } = bundleOf(as)
    return teamId === '' ? [] : find(projects, teamId, `the projects of ${callerNames[as]} were not read`)
  }
  const projectNamed = (as: Persona, name: string): Project => {
    const all = projectsOf(as)
    const project = all.find((candidate) => candidate.name === name) ?? all[0]
    if (!project) throw new MissingDataError(`the team of ${callerNames[as]} has no project`)
    return project
  }
  return {
    bundle: (as) => ({ ...bundleOf(as), projects: projectsOf(as).map(({ id, name }) => ({ id, name })) }),
    // The service does not say what its roles should be: a role read from it would prove nothing.
    role: () => undefined,
    projects: projectsOf,
    get ownProject() {
      return projectNamed('acme-owner', testProjectNames.own[0])
    },
    get foreignProject() {
      return projectNamed('globex-owner', testProjectNames.foreign[0])
    },
  }
}

/** The cookies of the demo's personas that open a session of a mock, where a persona's name is its cookie. */
export async function mockCookies(
  send: (cookie: string) => Promise<ReceivedResponse>,
): Promise<Map<Persona, string>> {
  const cookies = new Map<Persona, string>()
  for (const persona of personas) {
    const cookie = `session=${persona}`
    if (persona === 'expired' ? cookies.size > 0 : (await send(cookie)).status !== 401)
      cookies.set(persona, cookie)
  }
  return cookies
}

/** Looks up the cookie of a persona. @throws MissingDataError where it was not given */
export const cookieLookup =
  (cookies: ReadonlyMap<Persona, string>): CookieOf =>
  (persona) => {
    const cookie = cookies.get(persona)
    if (cookie === undefined) throw new MissingDataError(`no cookie of ${callerNames[persona]} was given`)
    return cookie
  }

function find<Key, Value>(values: ReadonlyMap<Key, Read<Value>>, key: Key, otherwise: string): Value {
  const read = values.get(key) ?? { missing: otherwise }
  if ('missing' in read) throw new MissingDataError(read.missing)
  return read.value
}
