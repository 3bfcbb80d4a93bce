import { nameKey } from '../../contract/project-name.js'
import type { Project, ProjectChanges } from '../../contract/schemas.js'
import { columns } from './rows.js'
import type { BatchStatement } from './writer.js'

export type ProjectUpdate = { teamId: string; projectId: string; changes: ProjectChanges }

/** Sets the given fields of projects, and gives each as it is then; undefined where the team has no such project. */
export const updateProjects: BatchStatement<ProjectUpdate, Project | undefined> = {
  // Without the team: who may not update a project is not told of it by another who may, at the same time.
  conflictKey: ({ projectId }) => projectId,
  async run(handle, updates) {
    const rows = await handle.all<Project>(
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
  // The triggers write for each project that is there, though it be as it was.
  changed(_, results) {
    const teams = results.flatMap((project) => (project ? [project.teamId] : []))
    return { rows: teams.length, teams }
  },
}
