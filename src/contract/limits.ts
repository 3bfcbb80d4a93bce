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

const encoder = new TextEncoder()
const utf8Length = (text: string | null | undefined): number => (text ? encoder.encode(text).length : 0)

/** The length of a project's text in bytes of UTF-8: its name, description and status. */
export const projectBytes = ({
  name,
  description,
  status,
}: Partial<Pick<Project, 'name' | 'description' | 'status'>>): number =>
  utf8Length(name) + utf8Length(description) + utf8Length(status)
