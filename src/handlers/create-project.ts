import { nameKey } from '../contract/project-name.js'
import { fail, type Handler } from './handler.js'
import { exceedsTeam } from './team-limit.js'

/** Section 4.1. */
export const createProject: Handler<'createProject'> = async ({ body, team, store, limits, now, newId }) => {
  const key = nameKey(body.name)
  if (await store.projectNamed(team.id, key)) return fail('PROJECT_NAME_TAKEN')

  // No lock and no constraint: two concurrent creations with the same name can both succeed (4.1, rule 2).
  const project = {
    id: newId(),
    name: body.name,
    description: body.description ?? null,
    status: 'active',
    teamId: team.id,
    createdAt: now().toISOString(),
  }
  const exceeded = await store.addProject({ ...project, nameKey: key }, limits)
  return exceeded ? exceedsTeam(exceeded, limits) : { project }
}
