import { type ExceededLimit, sizeOfNew, type TeamLimits } from '../../contract/limits.js'
import type { Project } from '../../contract/schemas.js'
import type { Named } from '../store.js'
import { toJson } from '../stored-columns.js'
import { type Growth, roomFor } from '../team-growth.js'
import type { Connection } from './connection.js'
import { insertFromJson } from './insert.js'
import { hasRoom, judge } from './team-room.js'
import type { BatchStatement } from './writer.js'

type NewProject = { teamId: string; project: Named<Project>; limits: TeamLimits | undefined }

const growthOf = ({ teamId, project, limits }: NewProject): Growth => ({
  teamId,
  added: sizeOfNew(project),
  limits,
})

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
      exceeded = await judge(connection, additions.map(growthOf))
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
    roomFor(additions.map(growthOf)),
  )
  return added === additions.length
}
