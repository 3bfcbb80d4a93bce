import { type Project, ProjectListReply, ProjectReply } from '../../contract/schemas.js'
import type { CaseRequest, Persona } from '../cases/case.js'
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

const owners = { 'acme-owner': testProjectNames.own, 'globex-owner': testProjectNames.foreign } as const
type Owner = keyof typeof owners

/**
 * Prepares the teams of the two owners for the cases that write. The members of the result report faults of the
 * service, one sentence each, and never throw them.
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
  const teamOf = (as: Persona) => data.bundle(as).teamId
  const all = callers.filter(isOwner).map((as) => createWorkspace(as, send))
  const preparationFaults: string[] = []
  const cleanUpFaults = new Set<string>()
  try {
    for (const as of callers) checkCaller(as, data, teams)
    const [first, second] = all
    // The cases of one team must not find the projects of the other.
    if (first && second && teamOf(first.as) === teamOf(second.as))
      throw new MissingDataError(
        `the bundles of ${callerNames[first.as]} and ${callerNames[second.as]} have the same team, ${teamOf(first.as)}`,
      )
    for (const { as, inspect } of all) await inspect(teamOf(as))
    for (const { prepare } of all) await prepare()
  } catch (error) {
    if (!(error instanceof MissingDataError)) throw error
    preparationFaults.push(error.message)
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
      const cleanedUp = all.map(async ({ as, cleanUp }) => projects.set(teamOf(as), await cleanUp()))
      for (const result of await Promise.allSettled(cleanedUp)) {
        if (result.status === 'rejected') cleanUpFaults.add((result.reason as Error).message)
      }
      return projects
    },
    /** Restores the projects that were there before, as far as the interface can. */
    async restore(): Promise<Remains> {
      const remains = await Promise.all(all.map((workspace) => workspace.restore()))
      return {
        projects: remains.flatMap(({ projects }) => projects),
        changes: remains.flatMap(({ changes }) => changes),
      }
    },
  }
}

const isOwner = (as: Persona): as is Owner => as in owners

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

/** A team made for verification, whose projects the cases may change. Faults of the service are MissingDataErrors. */
function createWorkspace(as: Owner, send: SendRequest) {
  const names: readonly string[] = owners[as]
  /** The projects before the first case, by id. */
  const originals = new Map<string, Project>()
  /** The names of the projects that cases expect, by id. */
  const expected = new Map<string, string>()

  const projects = async (): Promise<Project[]> => {
    const { status, json, text } = await send(list(as))
    const { data } = ProjectListReply.safeParse(json)
    if (status === 200 && data) return data.projects
    throw unexpected(list(as), status, text)
  }
  const expectProject = async (request: CaseRequest): Promise<Project> => {
    const { status, json, text } = await send(request)
    const { data } = ProjectReply.safeParse(json)
    if (status < 300 && data) return data.project
    throw unexpected(request, status, text)
  }
  const change = async (project: Project, changes: Partial<Project>) =>
    Object.entries(changes).every(([field, value]) => project[field as keyof Project] === value)
      ? project
      : expectProject(update(as, encodeURIComponent(project.id), changes))

  return {
    as,
    /** Reads the projects of the team with this id. @throws DeploymentError if it has others than those of a run */
    async inspect(teamId: string) {
      const found = await projects()
      const foreign = found.find((project) => project.teamId !== teamId)
      if (foreign) {
        throw new MissingDataError(
          `${describeRequest(list(as))} has a project of the team ${foreign.teamId}, and the bundle has the team ${teamId}`,
        )
      }
      const other = found.find(({ name }) => !names.includes(name) && !name.startsWith(usedPrefix))
      if (other) {
        throw new DeploymentError(
          `The team of ${callerNames[as]} has a project that this command did not create: "${other.name}".`,
          'Cases that write change projects and leave new ones: create a team for them, without projects.',
        )
      }
      for (const project of found) originals.set(project.id, project)
    },
    /** Creates the projects that cases expect. */
    async prepare() {
      for (const name of names) {
        const found = [...originals.values()].find((candidate) => candidate.name === name)
        expected.set((found ?? (await expectProject(create(as, { name })))).id, name)
      }
    },
    /** Frees the names that cases have used. Returns the projects of the team. */
    async cleanUp() {
      const found = await inParallel(await projects(), (project) =>
        expected.has(project.id) || project.name.startsWith(usedPrefix)
          ? project
          : change(project, { name: `${usedPrefix}${project.id}` }),
      )
      return inParallel(found, (project) =>
        change(project, { name: expected.get(project.id) ?? project.name }),
      )
    },
    /** Restores the projects that were there before, as far as the interface can: null cannot be set. */
    async restore(): Promise<Remains> {
      const changes: string[] = []
      const addFault = ({ message }: Error) => void changes.push(message)
      try {
        for (const project of await projects()) {
          const { name, description, status } = originals.get(project.id) ?? project
          const original = { name, status, ...(description !== null && { description }) }
          await change(project, original).catch(addFault)
        }
        const found = await projects()
        for (const original of originals.values()) changes.push(...differences(original, found))
        const added = found.filter(({ id }) => !originals.has(id))
        return { projects: added.map(({ id, name }) => ({ caller: callerNames[as], id, name })), changes }
      } catch (error) {
        addFault(error as Error)
        return { projects: [], changes }
      }
    },
  }
}

const unexpected = (request: CaseRequest, status: number, text: string) =>
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
