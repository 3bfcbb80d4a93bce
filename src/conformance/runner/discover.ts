import * as z from 'zod'
import { type Project, ProjectListReply, SessionBundle } from '../../contract/schemas.js'
import type { CaseRequest, ReceivedResponse } from '../cases/case.js'
import { bundle, list } from '../cases/steps.js'
import { callerNames, type Persona, type TestData, testProjectNames } from '../cases/test-data.js'

/** A cookie or a project is needed that this deployment was not given, or does not have or create. */
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

/** A request in a report, with the caller's name as in `--cookie`: `GET /v1/projects as owner`. */
export const describeRequest = ({ method, path, as }: CaseRequest): string =>
  `${method} ${path.slice(0, 80)}${as ? ` as ${callerNames[as]}` : ''}`

export type SendRequest = (request: CaseRequest) => Promise<ReceivedResponse>

/** The bundle without what only the mock sets; other properties are ignored, since the cases report them. */
const Bundle = z.object(SessionBundle.shape).omit({ devMode: true, role: true })

/** What is known of a deployment. */
export type Discovered = {
  /** The Cookie headers of the callers. */
  cookies: Map<Persona, string>
  bundles: Map<Persona, z.infer<typeof Bundle>>
  /** The projects of each team, by its id. */
  projects: Map<string, Project[]>
  /** Why some of them are missing: responses that are not what they have to be. */
  faults: string[]
}

/** The body of a success; undefined where the response has none of this form. */
export const dataOf = <Data>(
  { status, json }: ReceivedResponse,
  schema: z.ZodType<Data>,
): Data | undefined => (status < 300 ? schema.safeParse(json).data : undefined)

/** What a request has led to, instead of data. */
export const describeResponse = (request: CaseRequest, { status, text }: ReceivedResponse): string =>
  `${describeRequest(request)} returned ${status}: ${text.slice(0, 300)}`

/** @throws MissingDataError where there is no value */
export function found<Value>(value: Value | undefined, otherwise: string): Value {
  if (value === undefined) throw new MissingDataError(otherwise)
  return value
}

/**
 * Reads the session bundles of the callers and the projects of their teams.
 * @param isDemo the cookies are those of the demo: those that open no session are removed
 * @returns the first caller whose bundle has devMode, which only the mock sets (section 5.4)
 * @throws DeploymentError where a cookie opens no session
 */
export async function discover(
  { cookies, bundles, projects, faults }: Discovered,
  isDemo: boolean,
  send: SendRequest,
): Promise<Persona | undefined> {
  let marked: Persona | undefined
  const read = <Data>(request: CaseRequest, response: ReceivedResponse, schema: z.ZodType<Data>) => {
    const data = dataOf(response, schema)
    if (data === undefined) faults.push(describeResponse(request, response))
    return data
  }
  // One after the other: a service that mixes up concurrent responses would be blamed on the cookies.
  for (const as of [...cookies.keys()].filter((as) => as !== 'expired')) {
    const session = await send(bundle(as))
    if (isDemo && session.status === 401) {
      cookies.delete(as)
      continue
    }
    if (session.status === 200 && Object(session.json).devMode === true) marked ??= as
    const found = read(bundle(as), session, Bundle)
    if (found) bundles.set(as, found)
    if (found && (found.teamId === '' || projects.has(found.teamId))) continue
    const listed = await send(list(as))
    // A service that refuses one of the two has a session: the cases report that.
    if (session.status === 401 && listed.status === 401) {
      throw new DeploymentError(
        `The cookie of ${callerNames[as]} opens no session: GET /v1/auth/me and GET /v1/projects returned 401.`,
        'Sign in again, and give the value of the session cookie; add --host-cookie if it is named __Host-session.',
      )
    }
    const reply = read(list(as), listed, ProjectListReply)
    if (found && reply) projects.set(found.teamId, reply.projects)
  }
  if (isDemo && bundles.size === 0) cookies.clear()
  return marked
}

/** Test data of what is known. Its members throw MissingDataError for what is not. */
export function createTestData({ bundles, projects }: Discovered): TestData {
  const bundleOf = (as: Persona) => found(bundles.get(as), `no session bundle of ${callerNames[as]} is known`)
  const projectsOf = (as: Persona): Project[] => {
    const { teamId } = bundleOf(as)
    return teamId === '' ? [] : found(projects.get(teamId), `no list of ${callerNames[as]} is known`)
  }
  const projectNamed = (as: Persona, name: string): Project => {
    const all = projectsOf(as)
    const named = all.find((project) => project.name === name)
    return found(named ?? all[0], `the team of ${callerNames[as]} has no project`)
  }
  return {
    bundle: bundleOf,
    projects: projectsOf,
    get ownProject() {
      return projectNamed('acme-owner', testProjectNames['acme-owner'][0])
    },
    get foreignProject() {
      return projectNamed('globex-owner', testProjectNames['globex-owner'][0])
    },
  }
}
