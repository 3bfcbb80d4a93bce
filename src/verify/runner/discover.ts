import * as z from 'zod'
import { type Project, ProjectListReply, SessionBundle } from '../../contract/schemas.js'
import type { CaseRequest, ReceivedResponse } from '../cases/case.js'
import { bundle, list } from '../cases/requests.js'
import { callerNames, type Persona, personas, type TestData, testProjectNames } from '../cases/test-data.js'
import { describeRequest } from './describe-request.js'

/** A case needs a cookie or a project that this deployment was not given, or does not have or create. */
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

/** A value that was read, or why there is none. */
type Read<Value> = Value | MissingDataError

/** What is known of a deployment. */
export type Discovered = {
  /** The Cookie headers of the callers. */
  cookies: Map<Persona, string>
  bundles: Map<Persona, Read<z.infer<typeof bundleData>>>
  /** The projects of each team, by its id. */
  projects: Map<string, Read<Project[]>>
}

/** The cookies of the demo's personas, whose names they are in a mock. */
export const demoCookies = () => new Map(personas.map((as) => [as, `session=${as}`]))

/**
 * Reads the session bundles of the callers and the projects of their teams. Responses that are not as specified are no
 * data; the cases report them.
 * @param isDemo the cookies are those of the demo: those that open no session are removed
 * @returns the first caller whose bundle has devMode, which only the mock sets (section 5.4)
 * @throws DeploymentError where a cookie opens no session
 */
export async function discover(
  { cookies, bundles, projects }: Discovered,
  isDemo: boolean,
  send: SendRequest,
): Promise<Persona | undefined> {
  let marked: Persona | undefined
  // One after the other: a service that mixes up concurrent responses would be blamed on the cookies.
  for (const as of [...cookies.keys()].filter((as) => as !== 'expired')) {
    const session = await send(bundle(as))
    if (isDemo && session.status === 401) {
      cookies.delete(as)
      continue
    }
    if (session.status === 200 && Object(session.json).devMode === true) marked ??= as
    const { data } = bundleData.safeParse(session.json)
    const isBundle = data !== undefined && session.status === 200
    bundles.set(as, isBundle ? data : unusable(bundle(as), session, 'session bundle'))
    const teamId = data?.teamId ?? ''
    if (isBundle && (teamId === '' || projects.has(teamId))) continue
    const projectList = await send(list(as))
    // A service that refuses one of the two has a session: the cases report that.
    if (session.status === 401 && projectList.status === 401) {
      throw new DeploymentError(
        `The cookie of ${callerNames[as]} opens no session: GET /v1/auth/me and GET /v1/projects returned 401.`,
        'Sign in again, and give the value of the session cookie.',
      )
    }
    const read = ProjectListReply.safeParse(projectList.json)
    const isList = read.success && projectList.status === 200
    projects.set(teamId, isList ? read.data.projects : unusable(list(as), projectList, 'list of projects'))
  }
  if (isDemo && bundles.size === 0) cookies.clear()
  return marked
}

const unusable = (request: CaseRequest, { status }: ReceivedResponse, what: string) =>
  new MissingDataError(`${describeRequest(request)} returned ${status} and no valid ${what}`)

/** Test data of what is known. Its members throw MissingDataError for what is not. */
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
    projects: projectsOf,
    get ownProject() {
      return projectNamed('acme-owner', testProjectNames.own[0])
    },
    get foreignProject() {
      return projectNamed('globex-owner', testProjectNames.foreign[0])
    },
  }
}

/** What a map has for a key. @throws MissingDataError where it has none */
export function find<Key, Value>(values: ReadonlyMap<Key, Read<Value>>, key: Key, otherwise: string): Value {
  const read = values.get(key) ?? new MissingDataError(otherwise)
  if (read instanceof MissingDataError) throw read
  return read
}
