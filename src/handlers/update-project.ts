import { nameKey } from '../contract/project-name.js'
import type { Project } from '../contract/schemas.js'
import { exceedsTeam, fail, type Handler } from './handler.js'

/** Section 4.3. */
export const updateProject: Handler<'updateProject'> = async ({ params, body, team, store, by, limits }) => {
  const { projectId } = params
  // An empty body is valid and changes nothing.
  if (Object.keys(body).length === 0) return orNotFound(await store.project(team.id, projectId))
  // A project may take its own name in another case, but not the name of another project.
  const newName = body.name === undefined ? undefined : nameKey(body.name)
  const updated = await store.updateProject(team.id, projectId, body, limits, newName, by)
  if (updated === 'name') return fail('PROJECT_NAME_TAKEN')
  return typeof updated === 'string' ? exceedsTeam(updated, limits) : orNotFound(updated)
}

// An unknown id and the id of another team's project look the same, so that ids cannot be probed.
const orNotFound = (project: Project | undefined) => (project ? { project } : fail('PROJECT_NOT_FOUND'))
