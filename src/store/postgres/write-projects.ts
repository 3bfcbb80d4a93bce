import {
  type ExceededLimit,
  projectBytes,
  sizeOfChange,
  sizeOfNew,
  type TeamLimits,
} from '../../contract/limits.js'
import { nameKey } from '../../contract/project-name.js'
import type { Project, ProjectChanges } from '../../contract/schemas.js'
import { columns } from '../rows.js'
import type { Named } from '../store.js'
import { toJson } from '../stored-columns.js'
import { type Growth, roomFor } from '../team-growth.js'
import type { GroupStatement } from './group-writer.js'
import type { Connection } from './pg-connection.js'
import { insertFromJson } from './pg-insert.js'
import { hasRoom, judge, lockSizes, withTeams } from './pg-team-room.js'

type NewProject = { teamId: string; project: Named<Project>; limits: TeamLimits | undefined }

const growthOf = ({ teamId, project, limits }: NewProject): Growth => ({
  teamId,
  added: sizeOfNew(project),
  limits,
})

const teamIdsOf = (items: { teamId: string }[]): string[] => items.map(({ teamId }) => teamId)

/**
 * Adds projects, except those with which a team would exceed a limit: the result names it. Fails if the id of one of
 * them exists.
 */
export const insertProjects: GroupStatement<NewProject, ExceededLimit | undefined> = {
  async run(db, additions) {
    const growths = additions.map(growthOf)
    if (await db.use((connection) => insertAll(connection, additions, roomFor(growths)))) return []

    return db.transaction(async (connection) => {
      const exceeded = await judge(connection, growths)
      await insertAll(
        connection,
        additions.filter((_, i) => !exceeded[i]),
        '[]',
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

type ProjectUpdate = {
  teamId: string
  projectId: string
  changes: Named<ProjectChanges>
  limits: TeamLimits | undefined
}

/**
 * Sets the given fields of projects. The result is the updated project; the limit that its team would exceed; or
 * undefined if the team has no such project.
 */
export const updateProjects: GroupStatement<ProjectUpdate, Project | ExceededLimit | undefined> = {
  // Without the team id: an update by another team must not share the statement, and so the result, of the owner's.
  conflictKey: ({ projectId }) => projectId,
  async run(db, updates) {
    // As if they replaced no text: what they really add is only looked up where this does not fit.
    const most = updates.map((update) => ({
      ...update,
      added: { projects: 0, bytes: projectBytes(update.changes) },
    }))
    const updated = await db.use((connection) => updateAll(connection, updates, roomFor(most)))
    if (updated.size > 0) return updates.map(({ projectId }) => updated.get(projectId))

    return db.transaction(async (connection) => {
      const current = await find(connection, updates)
      const existing = updates.filter(({ projectId }) => current.has(projectId))
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
    })
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
