import { nameKey } from '../../contract/project-name.js'
import type { Project, ProjectChanges } from '../../contract/schemas.js'
import { columns } from './rows.js'
import type { BatchStatement } from './writer.js'

export type ProjectUpdate = { teamId: string; projectId: string; changes: ProjectChanges }

/** Sets the given fields of projects. The result is the updated project; undefined if the team has no such project. */
export const updateProjects: BatchStatement<ProjectUpdate, Project | undefined> = {
  // Without the team id: an update by another team must not share the statement, and so the result, of the owner's.
  conflictKey: ({ projectId }) => projectId,
  async run(connection, updates) {
    const rows = await connection.all<Project>(
      `UPDATE projects SET name = coalesce(value ->> 2, name), name_key = coalesce(value ->> 3, name_key),
         description = coalesce(value ->> 4, description), status = coalesce(value ->> 5, status)
       FROM json_each(?) WHERE team_id = value ->> 0 AND projects.id = value ->> 1
       RETURNING ${columns.projects}`,
      JSON.stringify(
        updates.map(({ teamId, projectId, changes: { name, description, status } }) => [
          teamId,
          projectId,
          name ?? null,
          name === undefined ? null : nameKey(name),
          description ?? null,
          status ?? null,
        ]),
      ),
    )
    const updated = new Map(rows.map((project) => [project.id, project]))
    return updates.map(({ projectId }) => updated.get(projectId))
  },
}
