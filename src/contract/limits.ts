import type { Project } from './schemas.js'

/** How much a team may hold. A list has no pages (section 4.2), so its size needs a bound. */
export type TeamLimits = {
  projects: number
  /** The text of all projects, see `projectBytes`. */
  bytes: number
}

/** Section 8 states no limits; a service needs them. */
export const defaultTeamLimits: TeamLimits = { projects: 10_000, bytes: 32 * 1024 * 1024 }

/** What a team holds, or what a change adds to it. */
export type TeamSize = { projects: number; bytes: number }

/** A limit that a write would exceed. */
export type ExceededLimit = keyof TeamLimits

/** The limit that a team would exceed by a change. A change that adds nothing exceeds none, however large the team is. */
export const exceededLimit = (
  size: TeamSize,
  added: TeamSize,
  limits: TeamLimits,
): ExceededLimit | undefined =>
  (['projects', 'bytes'] as const).find((each) => added[each] > 0 && size[each] + added[each] > limits[each])

const encoder = new TextEncoder()
/** A text that JSON escapes nowhere, of one byte a character. */
const plain = /^[ !#-[\]-~]*$/
const jsonLength = (text: string | null | undefined): number => {
  if (!text) return 0
  return plain.test(text) ? text.length : encoder.encode(JSON.stringify(text)).length - 2
}

/** The fields of a project that count as its text. */
type ProjectText = Pick<Project, 'name' | 'description' | 'status'>

/**
 * The length of a project's text (its name, description and status) in the bytes that it takes in a response: JSON
 * escapes quotes, backslashes and control characters, some of them as six bytes.
 */
export const projectBytes = ({ name, description, status }: Partial<ProjectText>): number =>
  jsonLength(name) + jsonLength(description) + jsonLength(status)

/** What a new project adds to its team. */
export const sizeOfNew = (project: ProjectText): TeamSize => ({ projects: 1, bytes: projectBytes(project) })

/** What changes of a project add to its team. */
export const sizeOfChange = (project: ProjectText, changes: Partial<ProjectText>): TeamSize => ({
  projects: 0,
  bytes: projectBytes({ ...project, ...changes }) - projectBytes(project),
})
