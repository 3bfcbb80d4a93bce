import fixture from '#demo-fixture' with { type: 'json' }
import type { Project, User } from '../contract/schemas.js'
import type { Persona } from './case.js'

const demo = fixture as {
  teams: { id: string; orgCode: string }[]
  users: User[]
  sessions: { id: string; userId: string; orgCode?: string; permissions: string[]; role?: string }[]
  projects: Project[]
}

/** What the demo fixture holds, as answers show it. */
export const acme = 'team-acme'

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Projects in the order of the list: newest first, equal times by id, descending. */
export const newestFirst = <One extends { id: string; createdAt: string }>(projects: readonly One[]): One[] =>
  [...projects].sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id))

/** The projects of a team as the list gives them. */
export const projectsOf = (teamId: string) =>
  newestFirst(demo.projects.filter((project) => project.teamId === teamId))

export const projectNamed = (name: string, teamId = acme) => {
  const project = demo.projects.find((one) => one.name === name && one.teamId === teamId)
  if (!project) throw new Error(`The demo fixture has no project "${name}" in ${teamId}`)
  return project
}

/** The session, the user and the team behind a persona. */
export function personaNamed(id: Persona) {
  const session = demo.sessions.find((one) => one.id === id)
  const user = demo.users.find((one) => one.id === session?.userId)
  if (!session || !user) throw new Error(`The demo fixture has no persona "${id}"`)
  return { session, user, team: demo.teams.find(({ orgCode }) => orgCode === session.orgCode) }
}
