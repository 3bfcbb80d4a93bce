import { type Project, ProjectListReply, ProjectReply } from '../../contract/schemas.js'
import type { CaseRequest, Persona, ReceivedResponse } from '../cases/case.js'
import { create, list, update } from '../cases/requests.js'
import { callerNames, type TestData, testProjectNames } from '../cases/test-data.js'
import { describeRequest } from './describe-request.js'
import { DeploymentError, type Discovered, MissingDataError, type SendRequest } from './discover.js'
import { inParallel } from './in-parallel.js'

/** The prefix of a used project's new name, which frees its old name: the interface cannot delete projects. */
const usedPrefix = 'verify '

/** What a run leaves behind in the teams. */
export type Remains = {
  /** The projects that were created: the interface has no operation to delete them. */
  projects: { caller: string; id: string; name: string }[]
  /** How the projects that were there before differ now, and what could not be read or restored; one sentence each. */
  changes: string[]
}

export type Workspaces = Awaited<ReturnType<typeof openWorkspaces>>

/** The projects that cases expect in the teams of the two owners. */
const expectedNames = { 'acme-owner': testProjectNames.own, 'globex-owner': testProjectNames.foreign }
type Owner = keyof typeof expectedNames

/**
 * Prepares the teams of the two owners, made for verification, for the cases that write. The members of the result
 * report faults of the service, one sentence each, and never throw them.
 * @param data the session bundles of the callers
 * @param teams the ids of the teams that may be written to; if left out, any team without other projects
 * @throws DeploymentError where the callers or their teams are not made for it
 */
export async function openWorkspaces(
  { cookies }: Discovered,
  data: TestData,
  send: SendRequest,
  teams: readonly string[] | undefined,
) {
  const callers = [...cookies.keys()].filter((as) => as !== 'expired')
  const owners = callers.filter(isOwner)
  const teamOf = (as: Persona) => data.bundle(as).teamId
  /** The projects before the first case, and the names of those that cases expect; by id. */
  const originals = new Map<string, Project>()
  const expected = new Map<string, string>()
  const preparationFaults: string[] = []
  const cleanUpFaults = new Set<string>()

  const read = async (as: Owner): Promise<Project[]> => {
    const response = await send(list(as))
    const { data } = ProjectListReply.safeParse(response.json)
    if (response.status !== 200 || !data) throw unexpected(list(as), response)
    return data.projects
  }
  const write = async (request: CaseRequest): Promise<Project> => {
    const response = await send(request)
    const { data } = ProjectReply.safeParse(response.json)
    if (response.status >= 300 || !data) throw unexpected(request, response)
    return data.project
  }
  const change = async (as: Owner, project: Project, changes: Partial<Project>): Promise<Project> =>
    Object.entries(changes).every(([field, value]) => project[field as keyof Project] === value)
      ? project
      : write(update(as, encodeURIComponent(project.id), changes))

  /** @throws DeploymentError if the team has other projects than those of a run */
  const inspect = async (as: Owner) => {
    for (const project of await read(as)) {
      const { id, name, teamId } = project
      if (teamId !== teamOf(as)) {
        throw new MissingDataError(
          `${describeRequest(list(as))} has a project of the team ${teamId}, and the bundle has the team ${teamOf(as)}`,
        )
      }
      const isOfRun = name.startsWith(usedPrefix) || expectedNames[as].some((expected) => expected === name)
      if (!isOfRun) {
        throw new DeploymentError(
          `The team of ${callerNames[as]} has a project that this command did not create: "${name}".`,
          'Cases that write change projects and leave new ones: create a team for them, without projects.',
        )
      }
      originals.set(id, project)
    }
  }
  const prepare = async (as: Owner) => {
    const found = [...originals.values()].filter(({ teamId }) => teamId === teamOf(as))
    for (const name of expectedNames[as]) {
      const project =
        found.find((candidate) => candidate.name === name) ?? (await write(create(as, { name })))
      expected.set(project.id, name)
    }
  }
  try {
    for (const as of callers) checkCaller(as, data, teams)
    // The cases of one team must not find the projects of the other.
    const [first, second] = owners
    if (first && second && teamOf(first) === teamOf(second))
      throw new MissingDataError(
        `the bundles of ${callerNames[first]} and ${callerNames[second]} have the same team, ${teamOf(first)}`,
      )
    for (const as of owners) await inspect(as)
    for (const as of owners) await prepare(as)
  } catch (error) {
    if (!(error instanceof MissingDataError)) throw error
    preparationFaults.push(error.message)
  }
  /** Frees the names that cases have used, then restores those that cases expect. */
  const cleanUpTeam = async (as: Owner) => {
    const found = await inParallel(await read(as), (project) =>
      expected.has(project.id) || project.name.startsWith(usedPrefix)
        ? project
        : change(as, project, { name: `${usedPrefix}${project.id}` }),
    )
    return inParallel(found, (project) =>
      change(as, project, { name: expected.get(project.id) ?? project.name }),
    )
  }
  return {
    /** Why the teams could not be prepared. */
    preparationFaults: preparationFaults as readonly string[],
    /** What clean-ups have met. */
    cleanUpFaults: cleanUpFaults as ReadonlySet<string>,
    /** Frees the names that cases have used. Returns the projects of the teams, by their ids. */
    async cleanUp() {
      const projects = new Map<string, Project[]>()
      if (preparationFaults.length > 0) return projects
      const cleanedUp = owners.map(async (as) => projects.set(teamOf(as), await cleanUpTeam(as)))
      for (const result of await Promise.allSettled(cleanedUp)) {
        if (result.status === 'rejected') cleanUpFaults.add((result.reason as Error).message)
      }
      return projects
    },
    /** Restores the projects that were there before, as far as the interface can: null cannot be set. */
    async restore(): Promise<Remains> {
      const remains: Remains = { projects: [], changes: [] }
      const addFault = ({ message }: Error) => void remains.changes.push(message)
      for (const as of owners) {
        try {
          for (const project of await read(as)) {
            const { name, description, status } = originals.get(project.id) ?? project
            const original = { name, status, ...(description !== null && { description }) }
            await change(as, project, original).catch(addFault)
          }
          const all = await read(as)
          for (const { id, name } of all)
            if (!originals.has(id)) remains.projects.push({ caller: callerNames[as], id, name })
          const ofTeam = [...originals.values()].filter(({ teamId }) => teamId === teamOf(as))
          remains.changes.push(...ofTeam.flatMap((original) => differences(original, all)))
        } catch (error) {
          addFault(error as Error)
        }
      }
      return remains
    },
  }
}

const isOwner = (as: Persona): as is Owner => as in expectedNames

/**
 * The bundle says what a caller may do: a service that refuses what its bundle permits is at fault, not the caller.
 * @throws DeploymentError where the caller is not one to write with
 */
function checkCaller(as: Persona, data: TestData, teams: readonly string[] | undefined): void {
  const { teamId, permissions } = data.bundle(as)
  if (teams && teamId !== '' && !teams.includes(teamId)) {
    throw new DeploymentError(
      `${callerNames[as]} is in the team ${teamId}, which --team does not name.`,
      'Give the cookies of members of the teams that were created for verification.',
    )
  }
  const missing = ['create:projects', 'update:projects'].filter((name) => !permissions.includes(name))
  if (!isOwner(as) || missing.length === 0) return
  throw new DeploymentError(
    `The session bundle of ${callerNames[as]} does not have ${missing.join(' and ')}.`,
    'Give the cookie of a caller who may create and update projects.',
  )
}

const unexpected = (request: CaseRequest, { status, text }: ReceivedResponse) =>
  new MissingDataError(`${describeRequest(request)} returned ${status}: ${text.slice(0, 300)}`)

function differences(original: Project, found: readonly Project[]): string[] {
  const now = found.find(({ id }) => id === original.id)
  if (!now) return [`the project ${original.id} ("${original.name}") is no longer in the list`]
  return (['name', 'description', 'status'] as const)
    .filter((field) => now[field] !== original[field])
    .map(
      (field) =>
        `${field} of the project ${now.id} is ${JSON.stringify(now[field])}, and was ${JSON.stringify(original[field])}`,
    )
}
