import { nameKey } from '../contract/project-name.js'
import { exceedsTeam, fail, type Handler } from './handler.js'

/** Section 4.1. */
export const createProject: Handler<'createProject'> = async ({
  body,
  team,
  store,
  by,
  limits,
  now,
  newId,
}) => {
  const project = {
    id: newId(),
    name: body.name,
    description: body.description ?? null,
    status: 'active',
    teamId: team.id,
    createdAt: now().toISOString(),
  }
  // A store may let two concurrent creations with the same name both succeed (4.1, rule 2).
  const refusal = await store.addProject(project, limits, nameKey(body.name), by)
  if (refusal === 'name') return fail('PROJECT_NAME_TAKEN')
  return refusal ? exceedsTeam(refusal, limits) : { project }
}
