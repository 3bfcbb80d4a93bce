import type * as z from 'zod'
import { type Project, ProjectListReply, ProjectReply } from '../../contract/schemas.js'
import type { CaseRequest, Persona } from '../cases/case.js'
import { create, list, update } from '../cases/steps.js'
import { callerNames, type TestData, testProjectNames } from '../cases/test-data.js'
import {
  DeploymentError,
  dataOf,
  describeResponse,
  found,
  MissingDataError,
  type SendRequest,
} from './discover.js'

/** The prefix of a used project's new name, which frees its old name: the interface cannot delete projects. */
const usedPrefix = 'verify '

/** What a run leaves behind in the teams. */
export type Remains = {
  /** The projects that were created: the interface has no operation to delete them. */
  projects: { caller: string; id: string; name: string }[]
  /** How the projects that were there before differ now, one sentence each. */
  changes: string[]
}

export type Workspaces = Awaited<ReturnType<typeof openWorkspaces>>

type Owner = keyof typeof testProjectNames
const isOwner = (as: Persona): as is Owner => as in testProjectNames

/** What an update can restore: null cannot be set. */
const fieldsOf = ({ name, description, status }: Project) => ({
  name,
  status,
  ...(description !== null && { description }),
})

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
  const originals: Project[] = []
  /** These, and the projects that were created for the cases, by id. */
  const kept = new Map<string, Project>()
  const preparationFaults: string[] = []
  const cleanUpFaults = new Set<string>()
  const noteFault = ({ message }: Error) => void cleanUpFaults.add(message)

  const send = async <Data>(request: CaseRequest, schema: z.ZodType<Data>): Promise<Data> => {
    const response = await sendRequest(request)
    return found(dataOf(response, schema), describeResponse(request, response))
  }
  const read = async (as: Owner) => (await send(list(as), ProjectListReply)).projects

  const prepare = async (as: Owner) => {
    const projects = data.projects(as)
    if (projects.some(({ teamId }) => teamId !== teamOf(as)))
      throw new MissingDataError(`the list of ${callerNames[as]} has a project of another team`)
    const names: readonly string[] = testProjectNames[as]
    const other = projects.find(({ name }) => !name.startsWith(usedPrefix) && !names.includes(name))
    if (other)
      throw new DeploymentError(
        `The team of ${callerNames[as]} has a project that this command did not create: "${other.name}".`,
        'Cases that write change projects and leave new ones: create a team for them, without projects.',
      )
    originals.push(...projects)
    for (const project of projects) kept.set(project.id, project)
    for (const name of names) {
      if (projects.some((project) => project.name === name)) continue
      const { project } = await send(create(as, { name }), ProjectReply)
      kept.set(project.id, project)
    }
  }
  try {
    for (const as of callers) {
      const { teamId, permissions } = data.bundle(as)
      if (teams && teamId !== '' && !teams.includes(teamId))
        throw new DeploymentError(
          `${callerNames[as]} is in the team ${teamId}, which --team does not name.`,
          'Give the cookies of members of the teams that were created for verification.',
        )
      // The bundle says what a caller may do: a service that refuses what it permits is at fault, not the caller.
      const missing = ['create:projects', 'update:projects'].filter((name) => !permissions.includes(name))
      if (isOwner(as) && missing.length > 0)
        throw new DeploymentError(
          `The session bundle of ${callerNames[as]} does not have ${missing.join(' and ')}.`,
          'Give the cookie of a caller who may create and update projects.',
        )
    }
    // The cases of one team must not find the projects of the other.
    const [first, second] = owners
    if (first && second && teamOf(first) === teamOf(second))
      throw new MissingDataError(`${callerNames[first]} and ${callerNames[second]} have the same team`)
    for (const as of owners) await prepare(as)
  } catch (error) {
    if (!(error instanceof MissingDataError)) throw error
    preparationFaults.push(error.message)
  }

  /** Frees the names that cases have used, then restores the projects that they expect. Goes on after a fault. */
  const cleanUpTeam = async (as: Owner): Promise<Project[]> => {
    const change = async (project: Project, changes: Partial<Project>): Promise<Project> => {
      if (Object.entries(changes).every(([field, value]) => project[field as keyof Project] === value))
        return project
      const request = update(as, encodeURIComponent(project.id), changes)
      return (await send(request, ProjectReply).catch(noteFault))?.project ?? project
    }
    const isUsed = ({ id, name }: Project) => !kept.has(id) && !name.startsWith(usedPrefix)
    const changeAll = (all: Project[], to: (project: Project) => Partial<Project>) =>
      Promise.all(all.map((project) => change(project, to(project))))
    // A service with a fault may list the projects of others.
    const own = (await read(as)).filter(({ teamId }) => teamId === teamOf(as))
    const freed = await changeAll(own, (project) =>
      isUsed(project) ? { name: usedPrefix + project.id } : {},
    )
    return changeAll(freed, (project) => fieldsOf(kept.get(project.id) ?? project))
  }
  /** Cleans up the teams. Returns their projects, by the ids of the teams. */
  const cleanUp = async () => {
    const prepared = preparationFaults.length === 0 ? owners : []
    const teams = prepared.map(async (as) => [teamOf(as), await cleanUpTeam(as)] as const)
    const done = await Promise.all(teams.map((team) => team.catch(noteFault)))
    return new Map(done.flatMap((team) => (team ? [team] : [])))
  }
  return {
    /** Why the teams could not be prepared. */
    preparationFaults: preparationFaults as readonly string[],
    /** What clean-ups have met. */
    cleanUpFaults: cleanUpFaults as ReadonlySet<string>,
    cleanUp,
    /** Cleans up for good, as far as the interface can. */
    async end(): Promise<Remains> {
      const remains: Remains = { projects: [], changes: [] }
      await cleanUp()
      for (const as of owners) {
        const left = await read(as).catch(noteFault)
        if (!left) continue
        const created = left.filter(({ id }) => originals.every((project) => project.id !== id))
        remains.projects.push(...created.map(({ id, name }) => ({ caller: callerNames[as], id, name })))
        for (const project of originals)
          if (project.teamId === teamOf(as)) remains.changes.push(...differences(project, left))
      }
      return remains
    },
  }
}

function differences(before: Project, left: readonly Project[]): string[] {
  const now = left.find(({ id }) => id === before.id)
  if (!now) return [`the project ${before.id} ("${before.name}") is no longer in the list`]
  const changed = (['name', 'description', 'status'] as const).filter((field) => now[field] !== before[field])
  return changed.map((field) => {
    const [is, was] = [now, before].map((project) => JSON.stringify(project[field]))
    return `${field} of the project ${now.id} is ${is}, and was ${was}`
  })
}
