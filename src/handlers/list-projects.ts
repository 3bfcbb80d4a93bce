import type { Handler } from './handler.js'

/** Section 4.2. A caller without a team has an empty list. */
export const listProjects: Handler<'listProjects'> = async ({ team, store }) => ({
  projects: team ? await store.listProjects(team.id) : [],
})
