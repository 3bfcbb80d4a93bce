import type { ExceededLimit } from '../../contract/limits.js'
import { growthOfNew, type NewProject } from '../sql-projects.js'
import { toJson } from '../stored-columns.js'
import { roomFor } from '../team-growth.js'
import type { Connection } from './connection.js'
import { insertFromJson } from './insert.js'
import { hasRoom, judge } from './team-room.js'
import type { BatchStatement } from './writer.js'

/**
 * Adds projects, except those with which a team would exceed a limit: the result names it. Fails if the id of one of
 * them exists.
 */
export const insertProjects: BatchStatement<NewProject, ExceededLimit | undefined> = {
  async run(connection, additions) {
    let exceeded: (ExceededLimit | undefined)[] = []
    // Another process may write between the judgement and the statement, which then adds nothing again.
    while (
      !(await insertAll(
        connection,
        additions.filter((_, i) => !exceeded[i]),
      ))
    ) {
      exceeded = await judge(connection, additions.map(growthOfNew))
    }
    return exceeded
  },
}

/** Adds all of them, or none where they do not all fit. */
async function insertAll(connection: Connection, additions: NewProject[]): Promise<boolean> {
  const added = await connection.run(
    insertFromJson('projects', '', hasRoom),
    toJson(
      'projects',
      additions.map(({ project }) => project),
    ),
    JSON.stringify(roomFor(additions.map(growthOfNew))),
  )
  return added === additions.length
}
