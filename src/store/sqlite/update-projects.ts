import { type ExceededLimit, projectBytes, sizeOfChange, type TeamLimits } from '../../contract/limits.js'
import { nameKey } from '../../contract/project-name.js'
import type { Project, ProjectChanges } from '../../contract/schemas.js'
import { columns } from '../rows.js'
import type { Named } from '../store.js'
import { roomFor } from '../team-growth.js'
import type { Connection } from './connection.js'
import { hasRoom, judge } from './team-room.js'
import type { BatchStatement } from './writer.js'

export type ProjectUpdate = {
  teamId: string
  projectId: string
  changes: Named<ProjectChanges>
  limits: TeamLimits | undefined
}

/**
 * Sets the given fields of projects. The result is the updated project; the limit that its team would exceed; or
 * undefined if the team has no such project.
 */
export const updateProjects: BatchStatement<ProjectUpdate, Project | ExceededLimit | undefined> = {
  // Without the team id: an update by another team must not share the statement, and so the result, of the owner's.
  conflictKey: ({ projectId }) => projectId,
  async run(connection, updates) {
    // As if they replaced no text: what they really add is only looked up where this does not fit.
    const most = updates.map((update) => ({
      ...update,
      added: { projects: 0, bytes: projectBytes(update.changes) },
    }))
    const updated = await updateAll(connection, updates, roomFor(most))
    if (updated.size > 0) return updates.map(({ projectId }) => updated.get(projectId))

    const current = await find(
      connection,
      updates.map(({ projectId }) => projectId),
    )
    const existing = updates.filter(({ teamId, projectId }) => current.get(projectId)?.teamId === teamId)
    if (existing.length === 0) return []
    const exceeded = await judge(
      connection,
      existing.map((update) => ({
        ...update,
        added: sizeOfChange(current.get(update.projectId) as Project, update.changes),
      })),
    )
    const fitting = existing.filter((_, i) => !exceeded[i])
    const results = await updateAll(connection, fitting, '[]')
    return updates.map((update) => results.get(update.projectId) ?? exceeded[existing.indexOf(update)])
  },
}

/** Updates all of them, or none where a team has no room. */
async function updateAll(connection: Connection, updates: ProjectUpdate[], room: string) {
  const rows = await connection.all<Project>(
    `UPDATE projects SET name = coalesce(value ->> 2, name), name_key = coalesce(value ->> 3, name_key),
       description = coalesce(value ->> 4, description), status = coalesce(value ->> 5, status)
     FROM json_each(?) WHERE team_id = value ->> 0 AND projects.id = value ->> 1 AND ${hasRoom}
     RETURNING ${columns.projects}`,
    JSON.stringify(
      updates.map(({ teamId, projectId, changes: { name, nameKey: key, description, status } }) => [
        teamId,
        projectId,
        name ?? null,
        name === undefined ? null : (key ?? nameKey(name)),
        description ?? null,
        status ?? null,
      ]),
    ),
    room,
  )
  return new Map(rows.map((project) => [project.id, project]))
}

/** The projects with these ids, of any team. */
async function find(connection: Connection, ids: string[]) {
  const rows = await connection.all<Project>(
    `SELECT ${columns.projects} FROM projects WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )
  return new Map(rows.map((project) => [project.id, project]))
}
