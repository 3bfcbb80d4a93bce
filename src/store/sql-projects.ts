import {
  type ExceededLimit,
  projectBytes,
  sizeOfChange,
  sizeOfNew,
  type TeamLimits,
} from '../contract/limits.js'
import { nameKey } from '../contract/project-name.js'
import type { Project, ProjectChanges } from '../contract/schemas.js'
import type { Named } from './store.js'
import type { Growth } from './team-growth.js'

/** A project to add, for the statements of the SQL stores. */
export type NewProject = {
  teamId: string
  project: Project
  limits: TeamLimits | undefined
  /** The key of its name. */
  key: string
  /** Whether the team must not have a project with this key before. */
  isNewName: boolean
}

/** The arguments of `addProject`. */
export const newProject = (
  project: Project,
  limits: TeamLimits | undefined,
  newName: string | undefined,
): NewProject => ({
  teamId: project.teamId,
  project,
  limits,
  key: newName ?? nameKey(project.name),
  isNewName: newName !== undefined,
})

export const growthOfNew = ({ teamId, project, limits }: NewProject): Growth => ({
  teamId,
  added: sizeOfNew(project),
  limits,
})

/** The columns of a project. */
export const projectColumns = ['id', 'team_id', 'name', 'name_key', 'description', 'status', 'created_at']

/** New projects as a JSON array of arrays: the values of `projectColumns`, then whether the name has to be new. */
export const newProjectsToJson = (additions: readonly NewProject[]): string =>
  JSON.stringify(
    additions.map(({ project: { id, teamId, name, description, status, createdAt }, key, isNewName }) => [
      id,
      teamId,
      name,
      key,
      description,
      status,
      createdAt,
      isNewName,
    ]),
  )

/** An update of a project, for the statements of the SQL stores. */
export type ProjectUpdate = {
  teamId: string
  projectId: string
  changes: Named<ProjectChanges>
  limits: TeamLimits | undefined
}

/** What an update adds at most: as if it replaced no text. */
export const mostGrowthOf = ({ teamId, changes, limits }: ProjectUpdate): Growth => ({
  teamId,
  added: { projects: 0, bytes: projectBytes(changes) },
  limits,
})

/** Updates as a JSON array of arrays: team, id, and the new name, its key, description and status; null for none. */
export const updatesToJson = (updates: readonly ProjectUpdate[]): string =>
  JSON.stringify(
    updates.map(({ teamId, projectId, changes: { name, nameKey: key, description, status } }) => [
      teamId,
      projectId,
      name ?? null,
      name === undefined ? null : (key ?? nameKey(name)),
      description ?? null,
      status ?? null,
    ]),
  )

/** How a store runs updates that do not all fit by `mostGrowthOf`. */
export type UpdateSteps = {
  /** Returns those of the projects that their teams have, by id. */
  find(updates: ProjectUpdate[]): Promise<Map<string, Project>>
  judge(growths: Growth[]): Promise<(ExceededLimit | undefined)[]>
  /** Updates all of them, whatever they add, and returns the projects by id. */
  update(updates: ProjectUpdate[]): Promise<Map<string, Project>>
}

/** Runs those of several updates that fit by what they really add. The results are those of `updateProject`. */
export async function updateFitting(
  updates: ProjectUpdate[],
  { find, judge, update }: UpdateSteps,
): Promise<(Project | ExceededLimit | undefined)[]> {
  const current = await find(updates)
  const growths = new Map<ProjectUpdate, Growth>()
  for (const each of updates) {
    const project = current.get(each.projectId)
    if (project?.teamId === each.teamId) {
      growths.set(each, { ...each, added: sizeOfChange(project, each.changes) })
    }
  }
  if (growths.size === 0) return []

  const existing = [...growths.keys()]
  const exceeded = await judge([...growths.values()])
  const results = await update(existing.filter((_, i) => !exceeded[i]))
  return updates.map((each) => results.get(each.projectId) ?? exceeded[existing.indexOf(each)])
}
