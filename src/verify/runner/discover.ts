import type { Project, SessionBundle } from '../../contract/schemas.js'
import type { CaseRequest, CookieOf, ReceivedResponse } from '../cases/case.js'
import { bundle, list } from '../cases/requests.js'
import { type Persona, personas, type TestData, testProjectNames } from '../cases/test-data.js'

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

/** Reads the session bundles of the personas and the projects of their teams from a deployment. */
export async function discover(personas: Iterable<Persona>, send: SendRequest): Promise<TestData> {
  const bundles = new Map<Persona, SessionBundle>()
  const projects = new Map<Persona, Project[]>()
  for (const as of personas) {
    if (as === 'expired') continue
    const [session, projectList] = [await send(bundle(as)), await send(list(as))]
    if (session.status !== 200) {
      throw new DeploymentError(
        `The cookie of ${as} opens no session: GET /v1/auth/me answered ${session.status}.`,
        'Sign in again, and give the value of the session cookie.',
      )
    }
    bundles.set(as, session.json as SessionBundle)
    // A response that is not a list of projects is reported by the cases.
    const found = Object(projectList.json).projects
    projects.set(as, Array.isArray(found) ? found : [])
  }
  return createTestData(bundles, projects)
}

/** Test data from bundles and projects. Its members throw MissingDataError for what is not in them. */
export function createTestData(
  bundles: ReadonlyMap<Persona, SessionBundle> = new Map(),
  projects: ReadonlyMap<Persona, Project[]> = new Map(),
): TestData {
  const projectNamed = (as: Persona, name: string): Project => {
    const all = find(projects, as)
    const project = all.find((candidate) => candidate.name === name) ?? all[0]
    if (!project) throw new MissingDataError(`the team of ${as} has no project`)
    return project
  }
  return {
    bundle(as) {
      const { devMode: _, role: __, ...rest } = find(bundles, as)
      return rest
    },
    role: (as) => find(bundles, as).role,
    projects: (as) => find(projects, as),
    get ownProject() {
      return projectNamed('acme-owner', testProjectNames.own[0])
    },
    get foreignProject() {
      return projectNamed('globex-owner', testProjectNames.foreign[0])
    },
  }
}

/** Returns the cookies of a mock, where the name of a persona is its cookie; none if the service is not a mock. */
export async function mockCookies(
  send: (cookie: string) => Promise<ReceivedResponse>,
): Promise<Map<Persona, string>> {
  const cookies = new Map<Persona, string>()
  for (const persona of personas) {
    const { status, json } = await send(`session=${persona}`)
    const isMockSession = status === 200 && Object(json).devMode === true
    if (isMockSession || (persona === 'expired' && cookies.size > 0))
      cookies.set(persona, `session=${persona}`)
  }
  return cookies
}

/** Looks up the cookie of a persona. @throws MissingDataError where it was not given */
export const cookieLookup =
  (cookies: ReadonlyMap<Persona, string>): CookieOf =>
  (persona) =>
    find(cookies, persona)

function find<Value>(values: ReadonlyMap<Persona, Value>, persona: Persona): Value {
  const value = values.get(persona)
  if (value === undefined) throw new MissingDataError(`no cookie of ${persona} was given`)
  return value
}
