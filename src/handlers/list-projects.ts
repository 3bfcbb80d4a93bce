import type { Handler } from './handler.js'

/** Section 4.2. A caller without a team gets an empty list. */
export const listProjects: Handler<'listProjects'> = async ({ team, store }) => {
  if (!team) return { versioned: { projects: [] }, version: undefined }
  const { projects, version } = await store.listProjects(team.id)
  return { versioned: { projects }, version }
}
