import type { Project } from '../../contract/schemas.js'
import type { Answer, Persona, Request } from '../cases/case.js'
import { create, list, update } from '../cases/requests.js'
import { worldNames } from '../cases/world.js'
import { DeploymentError } from './discover.js'

/** What a used project is called, so that its name is free again: the interface has no way to delete one. */
const usedName = 'verify '

export type Workspace = {
  /** Makes the projects that cases suppose. @throws DeploymentError in a team that has others */
  prepare(): Promise<void>
  /** Frees the names that a case has used. Gives whether the case has changed anything. */
  cleanUp(): Promise<boolean>
}

type Ask = (request: Request) => Promise<Answer>

/** A team of which the cases may change the projects: it is made for that, and says so by having no others. */
export function createWorkspace(as: Persona, names: readonly string[], ask: Ask): Workspace {
  /** The ids of the projects that cases suppose, by name. */
  const kept = new Map<string, string>()

  /** The list as it was left last. */
  let left = ''

  const projects = async (): Promise<Project[]> => {
    const { json } = await ask(list(as))
    return Object(json).projects ?? []
  }
  const succeed = async (request: Request) => {
    const { status, json } = await ask(request)
    const { project } = Object(json) as { project?: Project }
    if (status < 300 && project) return project
    throw new DeploymentError(
      `The team of ${as} could not be made ready: ${request.method} ${request.path} answered ${status}.`,
      `${as} has to have the permissions to create and to update projects.`,
    )
  }

  return {
    async prepare() {
      const found = await projects()
      const others = found.filter(({ name }) => !names.includes(name) && !name.startsWith(usedName))
      if (others.length > 0) {
        throw new DeploymentError(
          `The team of ${as} has a project that is not of this command: "${others[0]?.name}".`,
          'Cases that write change projects and leave new ones: make a team for that, without projects.',
        )
      }
      for (const name of names) {
        const { id } = found.find((one) => one.name === name) ?? (await succeed(create(as, { name })))
        kept.set(name, id)
      }
    },
    async cleanUp() {
      const found = await projects()
      if (JSON.stringify(found) === left) return false
      const isKept = new Set(kept.values())
      for (const { id, name } of found) {
        if (isKept.has(id) || name.startsWith(usedName)) continue
        await succeed(update(as, encodeURIComponent(id), { name: `${usedName}${id}` }))
      }
      for (const [name, id] of kept) {
        if (found.some((one) => one.id === id && one.name !== name)) {
          await succeed(update(as, encodeURIComponent(id), { name }))
        }
      }
      left = JSON.stringify(await projects())
      return true
    },
  }
}

/** The workspaces of the personas that there are. */
export const workspaces = (personas: ReadonlySet<Persona>, ask: Ask): Workspace[] => [
  ...(personas.has('acme-owner') ? [createWorkspace('acme-owner', worldNames.mine, ask)] : []),
  ...(personas.has('globex-owner') ? [createWorkspace('globex-owner', worldNames.foreign, ask)] : []),
]
