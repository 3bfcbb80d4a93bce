import { growthOfNew, type NewProject, newProjectsToJson, projectColumns } from '../sql-projects.js'
import type { Refusal } from '../store.js'
import { roomFor } from '../team-growth.js'
import type { Connection } from './connection.js'
import { hasRoom, judge } from './team-room.js'
import type { BatchStatement } from './writer.js'

/**
 * Adds projects, except those whose name is taken, or with which a team would exceed a limit: the result says so. Fails
 * if the id of one of them exists.
 */
export const insertProjects: BatchStatement<NewProject, Refusal | undefined> = {
  async run(connection, additions) {
    let refusals: (Refusal | undefined)[] = []
    for (;;) {
      const wanted = additions.filter((_, i) => !refusals[i])
      const rows = await connection.all<{ id: string }>(
        insertFree,
        newProjectsToJson(wanted),
        JSON.stringify(roomFor(wanted.map(growthOfNew))),
      )
      if (rows.length === wanted.length) return refusals
      if (rows.length > 0) {
        // There was room: the names of the others are taken.
        const added = new Set(rows.map(({ id }) => id))
        return additions.map(({ project }, i) => refusals[i] ?? (added.has(project.id) ? undefined : 'name'))
      }
      // Another process may write between the judgement and the statement, which then adds nothing again.
      refusals = await judgeAll(connection, additions)
    }
  },
}

const values = projectColumns.map((_, i) => `value ->> ${i}`)
const [, teamId, , key] = values
const isTaken = `(value ->> ${values.length} AND EXISTS (
    SELECT 1 FROM projects WHERE projects.team_id = ${teamId} AND name_key = ${key}
  ))`

/** Adds those whose name is free, or none where a team has no room for all. All names are looked up before. */
const insertFree = `INSERT INTO projects (${projectColumns}) SELECT ${values} FROM json_each(?)
  WHERE NOT ${isTaken} AND ${hasRoom} ORDER BY key RETURNING id`

/** What stands against each of several projects of which none was added. */
async function judgeAll(connection: Connection, additions: NewProject[]): Promise<(Refusal | undefined)[]> {
  const rows = await connection.all<{ at: number }>(
    `SELECT key AS at FROM json_each(?) WHERE ${isTaken}`,
    newProjectsToJson(additions),
  )
  const taken = new Set(rows.map(({ at }) => at))
  const exceeded = await judge(connection, additions.filter((_, i) => !taken.has(i)).map(growthOfNew))
  return additions.map((_, i) => (taken.has(i) ? 'name' : exceeded.shift()))
}
