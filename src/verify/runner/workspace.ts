import { type Project, ProjectListReply, ProjectReply } from '../../contract/schemas.js'
import type { CaseRequest, Persona } from '../cases/case.js'
import { create, list, update } from '../cases/requests.js'
import { callerNames } from '../cases/test-data.js'
import { describeRequest } from './describe-request.js'
import { DeploymentError, type SendRequest } from './discover.js'
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

/** A response to a workspace is not the one that the interface specifies. */
export class WorkspaceFault extends Error {
  override name = 'WorkspaceFault'
}

/**
 * A team made for verification, whose projects the cases may change. Its functions throw WorkspaceFault, but `restore`.
 * @param as the owner of the team
 * @param names the projects that cases expect
 */
export function createWorkspace(as: Persona, names: readonly string[], send: SendRequest) {
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
  const change = (project: Project, changes: Partial<Project>) =>
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
        throw new WorkspaceFault(
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
          await Promise.resolve(change(project, original)).catch(addFault)
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

export type Workspace = ReturnType<typeof createWorkspace>

const unexpected = (request: CaseRequest, status: number, text: string) =>
  new WorkspaceFault(`${describeRequest(request)} returned ${status}: ${text.slice(0, 300)}`)

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
