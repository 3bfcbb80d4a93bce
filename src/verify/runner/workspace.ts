import { type Project, ProjectListReply, ProjectReply } from '../../contract/schemas.js'
import type { CaseRequest, Persona } from '../cases/case.js'
import { create, list, update } from '../cases/requests.js'
import { callerNames, testProjectNames } from '../cases/test-data.js'
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

export type Workspace = {
  /** The owner of the team. */
  as: Persona
  /** Reads the projects of the team with this id. @throws DeploymentError if it has others than those of a run */
  inspect(teamId: string): Promise<void>
  /** Creates the projects that cases expect. */
  prepare(): Promise<void>
  /** Frees the names that a case has used. Returns the projects of the team. */
  cleanUp(): Promise<Project[]>
  /** Restores the projects that were there before, as far as the interface can. It never rejects. */
  restore(): Promise<Remains>
}

/** A response to a workspace is not the one that the interface specifies. */
export class WorkspaceFault extends Error {
  override name = 'WorkspaceFault'
}

/** A team made for verification, whose projects the cases may change. All but `restore` throw WorkspaceFault. */
function createWorkspace(as: Persona, names: readonly string[], send: SendRequest): Workspace {
  /** The projects before the first case, by id. */
  const originals = new Map<string, Project>()
  /** The ids of the projects that cases expect, by name. */
  const expectedIds = new Map<string, string>()

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
  const change = (id: string, changes: object) => expectProject(update(as, encodeURIComponent(id), changes))

  return {
    as,
    async inspect(teamId) {
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
    async prepare() {
      for (const name of names) {
        const found = [...originals.values()].find((candidate) => candidate.name === name)
        expectedIds.set(name, (found ?? (await expectProject(create(as, { name })))).id)
      }
    },
    async cleanUp() {
      const nameOf = new Map([...expectedIds].map(([name, id]) => [id, name]))
      const rename = async (project: Project, name: string) =>
        name === project.name ? project : change(project.id, { name })
      const found = await inParallel(await projects(), (project) => {
        const isFree = nameOf.has(project.id) || project.name.startsWith(usedPrefix)
        return rename(project, isFree ? project.name : `${usedPrefix}${project.id}`)
      })
      return inParallel(found, (project) => rename(project, nameOf.get(project.id) ?? project.name))
    },
    async restore() {
      const faults: string[] = []
      const addFault = ({ message }: Error) => void faults.push(message)
      for (const project of (await projects().catch(addFault)) ?? []) {
        const changes = restoring(originals.get(project.id), project)
        if (Object.keys(changes).length > 0) await change(project.id, changes).catch(addFault)
      }
      const found = await projects().catch(addFault)
      if (!found) return { projects: [], changes: faults }
      const remaining = [...originals.values()].flatMap((original) =>
        differences(
          original,
          found.find(({ id }) => id === original.id),
        ),
      )
      return {
        projects: found
          .filter(({ id }) => !originals.has(id))
          .map(({ id, name }) => ({ caller: callerNames[as], id, name })),
        changes: [...faults, ...remaining],
      }
    },
  }
}

const unexpected = (request: CaseRequest, status: number, text: string) =>
  new WorkspaceFault(`${describeRequest(request)} returned ${status}: ${text.slice(0, 300)}`)

const fields = ['name', 'description', 'status'] as const

/** The update that restores a project; null cannot be set. */
const restoring = (original: Project | undefined, now: Project) =>
  Object.fromEntries(
    fields.flatMap((field) =>
      original && original[field] !== null && original[field] !== now[field]
        ? [[field, original[field]]]
        : [],
    ),
  )

function differences(original: Project, now: Project | undefined): string[] {
  if (!now) return [`the project ${original.id} ("${original.name}") is no longer in the list`]
  return fields
    .filter((field) => now[field] !== original[field])
    .map(
      (field) =>
        `${field} of the project ${now.id} is ${JSON.stringify(now[field])}, and was ${JSON.stringify(original[field])}`,
    )
}

/** A workspace for each of the two teams whose owner has a cookie. */
export const workspaces = (personas: ReadonlySet<Persona>, send: SendRequest): Workspace[] => [
  ...(personas.has('acme-owner') ? [createWorkspace('acme-owner', testProjectNames.own, send)] : []),
  ...(personas.has('globex-owner') ? [createWorkspace('globex-owner', testProjectNames.foreign, send)] : []),
]
