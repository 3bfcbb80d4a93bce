import { nameKey } from '../contract/project-name.js'
import type { Project } from '../contract/schemas.js'
import { exceedsTeam, fail, type Handler } from './handler.js'

/** Section 4.3. */
export const updateProject: Handler<'updateProject'> = async ({ params, body, team, store, by, limits }) => {
  const { projectId } = params
  // An empty body is a valid combination of the optional fields. It changes nothing.
  if (Object.keys(body).length === 0) return orNotFound(await store.project(team.id, projectId))
  // A project may be renamed to its own name in another case, not to the name of another project.
  const newName = body.name === undefined ? undefined : nameKey(body.name)
  const updated = await store.updateProject(team.id, projectId, body, limits, newName, by)
  if (updated === 'name') return fail('PROJECT_NAME_TAKEN')
  return typeof updated === 'string' ? exceedsTeam(updated, limits) : orNotFound(updated)
}

// The same for an unknown id and for one of another team, so that ids of other teams cannot be probed.
const orNotFound = (project: Project | undefined) => (project ? { project } : fail('PROJECT_NOT_FOUND'))
