import { nameKey } from '../contract/project-name.js'
import { fail, type Handler } from './handler.js'

/** Section 4.3. */
export const updateProject: Handler<'updateProject'> = async ({ params, body, team, store }) => {
  // Unknown, or of another team: the same answer, so that ids of other teams cannot be probed.
  const current = await store.project(team.id, params.projectId)
  if (!current) return fail('PROJECT_NOT_FOUND')

  // A project may take its own name in another case; another project's name it may not.
  if (body.name !== undefined && nameKey(body.name) !== nameKey(current.name)) {
    if (await store.projectNamed(team.id, nameKey(body.name))) return fail('PROJECT_NAME_TAKEN')
  }

  // An empty body is a combination of the optional fields too: it changes nothing.
  if (Object.keys(body).length === 0) return { project: current }

  const project = await store.updateProject(team.id, params.projectId, body)
  return project ? { project } : fail('PROJECT_NOT_FOUND')
}
