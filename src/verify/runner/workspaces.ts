import type * as z from 'zod'
import { type Project, ProjectListReply, ProjectReply } from '../../contract/schemas.js'
import type { CaseRequest, Persona } from '../cases/case.js'
import { create, list, update } from '../cases/requests.js'
import { callerNames, type TestData, testProjectNames } from '../cases/test-data.js'
import { DeploymentError, dataOf, found, MissingDataError, type SendRequest } from './discover.js'

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
const isOwner = (as: Persona): as is Owner => as in expectedNames

/**
 * Prepares the teams of the two owners, made for verification, for the cases that write. The members of the result
 * report faults of the service, one sentence each, and never throw them.
 * @param data what the callers have: session bundles, and projects
 * @param teams the ids of the teams that may be written to; if left out, any team without other projects
 * @throws DeploymentError where the callers or their teams are not made for it
 */
export async function openWorkspaces(
  callers: readonly Persona[],
  data: TestData,
  sendRequest: SendRequest,
  teams: readonly string[] | undefined,
) {
  const owners = callers.filter(isOwner)
  const teamOf = (as: Persona) => data.bundle(as).teamId
  /** The projects before the first case, and the names of those that cases expect; by id. */
  const originals = new Map<string, Project>()
  const expected = new Map<string, string>()
  const preparationFaults: string[] = []
  const cleanUpFaults = new Set<string>()

  const send = async <Data>(request: CaseRequest, schema: z.ZodType<Data>): Promise<Data> =>
    found(dataOf(request, await sendRequest(request), schema), 'no response')
  const read = async (as: Owner) => (await send(list(as), ProjectListReply)).projects
  const change = async (as: Owner, project: Project, changes: Partial<Project>): Promise<Project> =>
    Object.entries(changes).every(([field, value]) => project[field as keyof Project] === value)
      ? project
      : (await send(update(as, encodeURIComponent(project.id), changes), ProjectReply)).project

  const prepare = async (as: Owner) => {
    const projects = data.projects(as)
    for (const { name, teamId } of projects) {
      if (teamId !== teamOf(as)) {
        throw new MissingDataError(
          `the list of ${callerNames[as]} has a project of the team ${teamId}, and the bundle has the team ${teamOf(as)}`,
        )
      }
      if (name.startsWith(usedPrefix) || expectedNames[as].some((expected) => expected === name)) continue
      throw new DeploymentError(
        `The team of ${callerNames[as]} has a project that this command did not create: "${name}".`,
        'Cases that write change projects and leave new ones: create a team for them, without projects.',
      )
    }
    for (const project of projects) originals.set(project.id, project)
    for (const name of expectedNames[as]) {
      const { id } =
        projects.find((project) => project.name === name) ??
        (await send(create(as, { name }), ProjectReply)).project
      expected.set(id, name)
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
    for (const as of owners) await prepare(as)
  } catch (error) {
    if (!(error instanceof MissingDataError)) throw error
    preparationFaults.push(error.message)
  }
  /** Frees the names that cases have used, then gives projects what they are to have. Goes on after a fault. */
  const settle = async (
    as: Owner,
    wanted: (project: Project) => Partial<Project>,
    onFault: (error: Error) => void,
  ) => {
    const tryChange = (project: Project, changes: Partial<Project>) =>
      change(as, project, changes).catch((error) => {
        onFault(error)
        return project
      })
    const freed = (await read(as)).map((project) => {
      const isFree = expected.has(project.id) || project.name.startsWith(usedPrefix)
      return isFree ? project : tryChange(project, { name: `${usedPrefix}${project.id}` })
    })
    return Promise.all((await Promise.all(freed)).map((project) => tryChange(project, wanted(project))))
  }
  return {
    /** Why the teams could not be prepared. */
    preparationFaults: preparationFaults as readonly string[],
    /** What clean-ups have met. */
    cleanUpFaults: cleanUpFaults as ReadonlySet<string>,
    /** Frees the names that cases have used. Returns the projects of the teams, by their ids. */
    async cleanUp() {
      const projects = new Map<string, Project[]>()
      const addFault = ({ message }: Error) => void cleanUpFaults.add(message)
      const nameOf = ({ id, name }: Project) => ({ name: expected.get(id) ?? name })
      const cleanUpTeam = async (as: Owner) => projects.set(teamOf(as), await settle(as, nameOf, addFault))
      if (preparationFaults.length === 0)
        await Promise.all(owners.map((as) => cleanUpTeam(as).catch(addFault)))
      return projects
    },
    /** Restores the projects that were there before, as far as the interface can: null cannot be set. */
    async restore(): Promise<Remains> {
      const remains: Remains = { projects: [], changes: [] }
      const addFault = ({ message }: Error) => void remains.changes.push(message)
      const original = (project: Project) => {
        const { name, description, status } = originals.get(project.id) ?? project
        return { name, status, ...(description !== null && { description }) }
      }
      for (const as of owners) {
        await settle(as, original, addFault).catch(addFault)
        const now = new Map((await read(as).catch(() => [])).map((project) => [project.id, project]))
        for (const { id, name } of now.values())
          if (!originals.has(id)) remains.projects.push({ caller: callerNames[as], id, name })
        for (const before of originals.values())
          if (before.teamId === teamOf(as)) remains.changes.push(...differences(before, now.get(before.id)))
      }
      return remains
    },
  }
}

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

const differences = (original: Project, now: Project | undefined): string[] =>
  now
    ? (['name', 'description', 'status'] as const)
        .filter((field) => now[field] !== original[field])
        .map(
          (field) =>
            `${field} of the project ${now.id} is ${JSON.stringify(now[field])}, and was ${JSON.stringify(original[field])}`,
        )
    : [`the project ${original.id} ("${original.name}") is no longer in the list`]
