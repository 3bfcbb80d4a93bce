import { randomUUID } from 'node:crypto'
import { insertEntries } from './audit.js'
import { updateProjects } from './project-writes.js'
import { callersQuery } from './read-callers.js'
import type { Dialect, SqlConnection } from './sql-database.js'
import { insertRecords } from './state.js'

/** The row of `changes` that a probe writes. It is no team's: the id of a team is not blank. */
const probedScope = ' '

/**
 * Tests whether requests succeed, within the transaction of the caller: by the statements that look callers up and write projects,
 * for none of either, and by a change of a row in the table that each write of a project changes. A table of its own could fail
 * where requests succeed.
 * @param isAudited whether writes of projects are recorded
 */
export async function probeRequests(
  connection: SqlConnection,
  dialect: Dialect,
  isAudited = true,
): Promise<void> {
  await connection.all(callersQuery(dialect), '[[""]]')
  await insertRecords(connection, dialect, 'projects', [])
  await updateProjects(connection, dialect, [])
  if (isAudited) await insertEntries(connection, dialect, [])
  await connection.run(
    `INSERT INTO changes (scope, version) VALUES ('${probedScope}', $1)
     ON CONFLICT (scope) DO UPDATE SET version = excluded.version`,
    randomUUID(),
  )
}
