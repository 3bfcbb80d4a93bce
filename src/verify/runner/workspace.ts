import type { Project } from '../../contract/schemas.js'
import type { CaseRequest, Persona } from '../cases/case.js'
import { create, list, update } from '../cases/requests.js'
import { testProjectNames } from '../cases/test-data.js'
import { DeploymentError, type SendRequest } from './discover.js'

/** The prefix of a used project's new name, which frees its old name: the interface cannot delete projects. */
const usedPrefix = 'verify '

export type Workspace = {
  /** Creates the projects that cases expect. @throws DeploymentError in a team that has other projects */
  prepare(): Promise<void>
  /** Frees the names that a case has used. Returns whether the case has changed anything. */
  cleanUp(): Promise<boolean>
}

/** A team made for verification, whose projects the cases may change. It must have no other projects. */
function createWorkspace(as: Persona, names: readonly string[], send: SendRequest): Workspace {
  /** The ids of the projects that cases expect, by name. */
  const expectedIds = new Map<string, string>()

  /** The list after the last clean-up, as JSON. */
  let lastList = ''

  const projects = async (): Promise<Project[]> => {
    const { json } = await send(list(as))
    return Object(json).projects ?? []
  }
  const expectProject = async (request: CaseRequest): Promise<Project> => {
    const { status, json } = await send(request)
    const { project } = Object(json) as { project?: Project }
    if (status < 300 && project) return project
    throw new DeploymentError(
      `The team of ${as} could not be prepared: ${request.method} ${request.path} answered ${status}.`,
      `${as} needs the permissions to create and to update projects.`,
    )
  }
  const rename = (id: string, name: string) => expectProject(update(as, encodeURIComponent(id), { name }))

  return {
    async prepare() {
      const found = await projects()
      const other = found.find(({ name }) => !names.includes(name) && !name.startsWith(usedPrefix))
      if (other) {
        throw new DeploymentError(
          `The team of ${as} has a project that this command did not create: "${other.name}".`,
          'Cases that write change projects and leave new ones: create a team for them, without projects.',
        )
      }
      for (const name of names) {
        const project = found.find((candidate) => candidate.name === name)
        expectedIds.set(name, (project ?? (await expectProject(create(as, { name })))).id)
      }
    },
    async cleanUp() {
      const found = await projects()
      if (JSON.stringify(found) === lastList) return false
      const isExpected = new Set(expectedIds.values())
      for (const { id, name } of found) {
        if (!isExpected.has(id) && !name.startsWith(usedPrefix)) await rename(id, `${usedPrefix}${id}`)
      }
      for (const [name, id] of expectedIds) {
        if (found.some((project) => project.id === id && project.name !== name)) await rename(id, name)
      }
      lastList = JSON.stringify(await projects())
      return true
    },
  }
}

/** A workspace for each of the two teams whose owner has a cookie. */
export const workspaces = (personas: ReadonlySet<Persona>, send: SendRequest): Workspace[] => [
  ...(personas.has('acme-owner') ? [createWorkspace('acme-owner', testProjectNames.own, send)] : []),
  ...(personas.has('globex-owner') ? [createWorkspace('globex-owner', testProjectNames.foreign, send)] : []),
]
