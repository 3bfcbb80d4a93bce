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
export type NewProject = { teamId: string; project: Named<Project>; limits: TeamLimits | undefined }

export const growthOfNew = ({ teamId, project, limits }: NewProject): Growth => ({
  teamId,
  added: sizeOfNew(project),
  limits,
})

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
