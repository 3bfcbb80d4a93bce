import type { ExceededLimit } from '../../contract/limits.js'
import type { Project } from '../../contract/schemas.js'
import { columns } from '../rows.js'
import {
  growthOfNew,
  mostGrowthOf,
  type NewProject,
  newProjectsToJson,
  type ProjectUpdate,
  projectColumns,
  updateFitting,
  updatesToJson,
} from '../sql-projects.js'
import type { Refusal } from '../store.js'
import type { GroupStatement } from './group-writer.js'
import type { Connection } from './pg-connection.js'
import { isNamed } from './pg-named.js'
import { anyRoom, hasRoom, judge, lockSizes, roomByTeam, withTeams } from './pg-team-room.js'

/**
 * Adds projects, except those whose name is taken, or with which a team would exceed a limit: the result says so. Fails
 * if the id of one of them exists.
 */
export const insertProjects: GroupStatement<NewProject, Refusal | undefined> = {
  isConcurrent: true,
  async run(db, additions) {
    const json = newProjectsToJson(additions)
    const room = roomByTeam(additions.map(growthOfNew))
    const { fits, taken } = await db.use((connection) => insertFree(connection, json, room))
    const refusals: (Refusal | undefined)[] = []
    for (const i of taken) refusals[i] = 'name'
    if (fits) return refusals

    const free = additions.filter((_, i) => !refusals[i])
    const exceeded = await db.transaction(async (connection) => {
      const exceeded = await judge(connection, free.map(growthOfNew))
      const fitting = free.filter((_, i) => !exceeded[i]).map((each) => ({ ...each, isNewName: false }))
      await insertFree(connection, newProjectsToJson(fitting), anyRoom(fitting))
      return exceeded
    })
    return additions.map((_, i) => refusals[i] ?? exceeded.shift())
  },
}

const values = projectColumns.map((_, i) => `item ->> ${i}`)
const [, teamId = '', , key = ''] = values

/** Adds those whose name is free, if no team would exceed its limits. All names are looked up before. */
const insertFreeProjects = `${withTeams},
  room AS MATERIALIZED (SELECT ${hasRoom} AS fits),
  item AS MATERIALIZED (
    SELECT item, number, CASE WHEN item ->> ${values.length} = 'true'
        THEN (SELECT true FROM projects WHERE ${isNamed(teamId, key)} LIMIT 1) END AS is_taken
    FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS items (item, number)
  ),
  added AS (
    INSERT INTO projects (${projectColumns}) SELECT ${values} FROM item
    WHERE is_taken IS NULL AND (SELECT fits FROM room) ORDER BY number
  )
  SELECT fits, (SELECT json_agg(number - 1) FROM item WHERE is_taken) AS taken FROM room`

async function insertFree(connection: Connection, json: string, room: string) {
  const [row] = await connection.all<{ fits: boolean; taken: number[] | null }>(
    insertFreeProjects,
    room,
    json,
  )
  return { fits: row?.fits, taken: row?.taken ?? [] }
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
        update: (fitting) => updateAll(connection, fitting, anyRoom(fitting)),
      }),
    )
  },
}

/** Updates all of them, or none where a team has no room. */
async function updateAll(connection: Connection, updates: ProjectUpdate[], room: string) {
  const rows = await connection.all<Project>(
    `${withTeams} UPDATE projects SET name = coalesce(item ->> 2, name), name_key = coalesce(item ->> 3, name_key),
       description = coalesce(item ->> 4, description), status = coalesce(item ->> 5, status)
     FROM jsonb_array_elements($2::jsonb) AS item
     WHERE team_id = item ->> 0 AND projects.id = item ->> 1 AND ${hasRoom} RETURNING ${columns.projects}`,
    room,
    updatesToJson(updates),
  )
  return new Map(rows.map((project) => [project.id, project]))
}

/** The projects of updates, with their teams locked: until the end of the transaction they stay as they are. */
async function find(connection: Connection, updates: ProjectUpdate[]) {
  await lockSizes(
    connection,
    updates.map(({ teamId }) => teamId),
  )
  const rows = await connection.all<Project>(
    `SELECT ${columns.projects} FROM jsonb_array_elements($1::jsonb) AS item
     JOIN projects ON team_id = item ->> 0 AND id = item ->> 1`,
    JSON.stringify(updates.map(({ teamId, projectId }) => [teamId, projectId])),
  )
  return new Map(rows.map((project) => [project.id, project]))
}
