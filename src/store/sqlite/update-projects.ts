import type { ExceededLimit } from '../../contract/limits.js'
import type { Project } from '../../contract/schemas.js'
import { columns } from '../rows.js'
import { mostGrowthOf, type ProjectUpdate, updateFitting, updatesToJson } from '../sql-projects.js'
import { roomFor } from '../team-growth.js'
import type { Connection } from './connection.js'
import { hasRoom, judge } from './team-room.js'
import type { BatchStatement } from './writer.js'

/**
 * Sets the given fields of projects. The result is the updated project; the limit that its team would exceed; or
 * undefined if the team has no such project.
 */
export const updateProjects: BatchStatement<ProjectUpdate, Project | ExceededLimit | undefined> = {
  // Without the team id: an update by another team must not share the statement, and so the result, of the owner's.
  conflictKey: ({ projectId }) => projectId,
  async run(connection, updates) {
    // What they really add is only looked up where the most that they can add does not fit.
    const room = JSON.stringify(roomFor(updates.map(mostGrowthOf)))
    const updated = await updateAll(connection, updates, room)
    if (updated.size > 0) return updates.map(({ projectId }) => updated.get(projectId))
    return updateFitting(updates, {
      find: (all) => find(connection, all),
      judge: (growths) => judge(connection, growths),
      update: (fitting) => updateAll(connection, fitting, '[]'),
    })
  },
}

/** Updates all of them, or none where a team has no room. */
async function updateAll(connection: Connection, updates: ProjectUpdate[], room: string) {
  const rows = await connection.all<Project>(
    `UPDATE projects SET name = coalesce(value ->> 2, name), name_key = coalesce(value ->> 3, name_key),
       description = coalesce(value ->> 4, description), status = coalesce(value ->> 5, status)
     FROM json_each(?) WHERE team_id = value ->> 0 AND projects.id = value ->> 1 AND ${hasRoom}
     RETURNING ${columns.projects}`,
    updatesToJson(updates),
    room,
  )
  return new Map(rows.map((project) => [project.id, project]))
}

/**
 * The projects of updates that their teams have. One of another team is not read: the time of a response must not tell whether
 * it exists, or how large it is.
 */
async function find(connection: Connection, updates: ProjectUpdate[]) {
  const rows = await connection.all<Project>(
    `SELECT ${columns.projects} FROM projects
     WHERE (id, team_id) IN (SELECT value ->> 1, value ->> 0 FROM json_each(?))`,
    JSON.stringify(updates.map(({ teamId, projectId }) => [teamId, projectId])),
  )
  return new Map(rows.map((project) => [project.id, project]))
}
