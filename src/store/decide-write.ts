import { exceededLimit, sizeOfChange, sizeOfNew, type TeamLimits, type TeamSize } from '../contract/limits.js'
import { nameKey } from '../contract/project-name.js'
import type { Project, ProjectChanges } from '../contract/schemas.js'
import type { Refusal } from './store.js'

/** A write to a team: a new project, or changes of a current one. */
export type TeamWrite = {
  created?: Project | undefined
  current?: Project | undefined
  changes?: ProjectChanges
  /** The key of a name that has to be new. */
  newName?: string | undefined
  limits?: TeamLimits | undefined
}

export type Decision = { refusal: Refusal } | { project: Project; growth: TeamSize }

/**
 * The rules of a write, which every store asks: a taken name (4.1, rule 1; a project may take its own name in another case),
 * then the limits of the team.
 * @param isTaken whether a project of the team has the new name
 * @returns undefined if there is no project to change
 */
export function decideWrite(
  { created, current, changes = {}, newName, limits }: TeamWrite,
  isTaken: boolean,
  size: TeamSize,
): Decision | undefined {
  const before = created ?? current
  if (!before) return undefined
  if (isTaken && (created || newName !== nameKey(before.name))) return { refusal: 'name' }
  const growth = created ? sizeOfNew(created) : sizeOfChange(before, changes)
  const refusal = limits && exceededLimit(size, growth, limits)
  return refusal ? { refusal } : { project: { ...before, ...changes }, growth }
}
