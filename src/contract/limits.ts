import type { Project } from './schemas.js'

/** The largest request body, in bytes. Section 8 states no limit; a server needs one. */
export const maxBodyBytes = 64 * 1024

/** The maximum size of a team. A list has no pages (section 4.2), so it needs a limit. */
export type TeamLimits = {
  projects: number
  /** The length of all texts, see `projectBytes`. */
  bytes: number
}

/** Section 8 states no limits; a service needs them. */
export const defaultTeamLimits: TeamLimits = { projects: 10_000, bytes: 32 * 1024 * 1024 }

/** The size of a team, or the growth by a change. */
export type TeamSize = { projects: number; bytes: number }

/** A limit that a write would exceed. */
export type ExceededLimit = keyof TeamLimits

/** The limit that a change would exceed, if any. A change without growth exceeds none, however large the team is. */
export const exceededLimit = (
  size: TeamSize,
  added: TeamSize,
  limits: TeamLimits,
): ExceededLimit | undefined =>
  (['projects', 'bytes'] as const).find((each) => added[each] > 0 && size[each] + added[each] > limits[each])

const encoder = new TextEncoder()
/** ASCII text that JSON does not escape. */
const plain = /^[ !#-[\]-~]*$/
const jsonLength = (text: string | null | undefined): number => {
  if (!text) return 0
  return plain.test(text) ? text.length : encoder.encode(JSON.stringify(text)).length - 2
}

/** The fields of a project that count. */
type ProjectText = Pick<Project, 'name' | 'description' | 'status'>

/**
 * The length of a project's name, description and status in a response, in bytes. JSON escapes quotes, backslashes and
 * control characters with up to six bytes.
 */
export const projectBytes = ({ name, description, status }: Partial<ProjectText>): number =>
  jsonLength(name) + jsonLength(description) + jsonLength(status)

export const sizeOfNew = (project: ProjectText): TeamSize => ({ projects: 1, bytes: projectBytes(project) })

export const sizeOfChange = (project: ProjectText, changes: Partial<ProjectText>): TeamSize => ({
  projects: 0,
  bytes: projectBytes({ ...project, ...changes }) - projectBytes(project),
})
