import type { ExceededLimit } from '../../contract/limits.js'
import type { Project } from '../../contract/schemas.js'
import { columns } from '../rows.js'
import {
  growthOfNew,
  mostGrowthOf,
  type NewProject,
  type ProjectUpdate,
  updateFitting,
  updatesToJson,
} from '../sql-projects.js'
import { toJson } from '../stored-columns.js'
import type { GroupStatement } from './group-writer.js'
import type { Connection } from './pg-connection.js'
import { insertFromJson } from './pg-insert.js'
import { anyRoom, hasRoom, judge, lockSizes, roomByTeam, withTeams } from './pg-team-room.js'

const teamIdsOf = (items: { teamId: string }[]): string[] => items.map(({ teamId }) => teamId)

/**
 * Adds projects, except those with which a team would exceed a limit: the result names it. Fails if the id of one of
 * them exists.
 */
export const insertProjects: GroupStatement<NewProject, ExceededLimit | undefined> = {
  async run(db, additions) {
    const growths = additions.map(growthOfNew)
    if (await db.use((connection) => insertAll(connection, additions, roomByTeam(growths)))) return []

    return db.transaction(async (connection) => {
      const exceeded = await judge(connection, growths)
      await insertAll(
        connection,
        additions.filter((_, i) => !exceeded[i]),
        anyRoom,
      )
      return exceeded
    })
  },
}

/** Adds all of them, or none where a team has no room. Returns whether it did. */
async function insertAll(connection: Connection, additions: NewProject[], room: string): Promise<boolean> {
  const added = await connection.run(
    `${withTeams} ${insertFromJson('projects', '', 3, hasRoom)}`,
    teamIdsOf(additions),
    room,
    toJson(
      'projects',
      additions.map(({ project }) => project),
    ),
  )
  return added === additions.length
}

/**
 * Sets the given fields of projects. The result is the updated project; the limit that its team would exceed; or
 * undefined if the team has no such project.
 */
export const updateProjects: GroupStatement<ProjectUpdate, Project | ExceededLimit | undefined> = {
  // Without the team id: an update by another team must not share the statement, and so the result, of the owner's.
  conflictKey: ({ projectId }) => projectId,
  async run(db, updates) {
    // What they really add is only looked up where the most that they can add does not fit.
    const room = roomByTeam(updates.map(mostGrowthOf))
    const updated = await db.use((connection) => updateAll(connection, updates, room))
    if (updated.size > 0) return updates.map(({ projectId }) => updated.get(projectId))
    return db.transaction((connection) =>
      updateFitting(updates, {
        find: (all) => find(connection, all),
        judge: (growths) => judge(connection, growths),
        update: (fitting) => updateAll(connection, fitting, anyRoom),
      }),
    )
  },
}

/** Updates all of them, or none where a team has no room. */
async function updateAll(connection: Connection, updates: ProjectUpdate[], room: string) {
  const rows = await connection.all<Project>(
    `${withTeams} UPDATE projects SET name = coalesce(item ->> 2, name), name_key = coalesce(item ->> 3, name_key),
       description = coalesce(item ->> 4, description), status = coalesce(item ->> 5, status)
     FROM jsonb_array_elements($3::jsonb) AS item
     WHERE team_id = item ->> 0 AND projects.id = item ->> 1 AND ${hasRoom} RETURNING ${columns.projects}`,
    teamIdsOf(updates),
    room,
    updatesToJson(updates),
  )
  return new Map(rows.map((project) => [project.id, project]))
}

/** The projects of updates, with their teams locked: until the end of the transaction they stay as they are. */
async function find(connection: Connection, updates: ProjectUpdate[]) {
  await lockSizes(connection, teamIdsOf(updates))
  const rows = await connection.all<Project>(
    `SELECT ${columns.projects} FROM jsonb_array_elements($1::jsonb) AS item
     JOIN projects ON team_id = item ->> 0 AND id = item ->> 1`,
    JSON.stringify(updates.map(({ teamId, projectId }) => [teamId, projectId])),
  )
  return new Map(rows.map((project) => [project.id, project]))
}
