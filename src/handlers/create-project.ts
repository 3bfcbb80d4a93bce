import { projectBytes } from '../contract/limits.js'
import { nameKey } from '../contract/project-name.js'
import { fail, type Handler } from './handler.js'

/** Section 4.1. */
export const createProject: Handler<'createProject'> = async ({
  body,
  team,
  store,
  guardTeam,
  now,
  newId,
}) => {
  if (await store.projectNamed(team.id, nameKey(body.name))) return fail('PROJECT_NAME_TAKEN')

  // No lock and no constraint: two concurrent creations with the same name can both succeed (4.1, rule 2).
  const project = {
    id: newId(),
    name: body.name,
    description: body.description ?? null,
    status: 'active',
    teamId: team.id,
    createdAt: now().toISOString(),
  }
  const added = { projects: 1, bytes: projectBytes(project) }
  return guardTeam(
    team.id,
    added,
    async () => added,
    async () => {
      await store.addProject(project)
      return { project }
    },
  )
}
