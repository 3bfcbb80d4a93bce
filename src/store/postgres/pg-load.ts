import { columns } from '../rows.js'
import { exportRecords, loadRecords } from '../sql-state.js'
import type { State } from '../state-file.js'
import type { LoadReport } from '../store.js'
import type { Connection } from './pg-connection.js'
import { insertMissing } from './pg-insert.js'
import { lockSizes } from './pg-team-room.js'

/** Adds the records of a state, within the transaction of the caller. See `Store.load`. */
export async function loadState(connection: Connection, state: State): Promise<LoadReport> {
  // One load at a time, and its teams before their projects: no two transactions wait for each other.
  await connection.exec(`SELECT pg_advisory_xact_lock(${loadLock})`)
  return loadRecords(state, {
    teamsWith: (orgCodes) =>
      connection.all(
        'SELECT org_code AS "orgCode", id FROM teams WHERE org_code = ANY($1::text[])',
        orgCodes,
      ),
    usersWith: (users) =>
      connection.all(
        `SELECT issuer, subject, id FROM jsonb_array_elements($1::jsonb) AS item
         JOIN users ON issuer = item ->> 'issuer' AND subject = item ->> 'subject'`,
        JSON.stringify(users.filter(({ subject }) => subject !== undefined)),
      ),
    async insertMissing(kind, records) {
      if (kind === 'projects') {
        await lockSizes(connection, [...new Set(state.projects.map(({ teamId }) => teamId))])
      }
      return insertMissing(connection, kind, records)
    },
  })
}

/** A lock of this program's own. */
const loadLock = 0x44415050

/** Everything in the database, each kind in insertion order. */
export const exportState = (connection: Connection): Promise<State> =>
  exportRecords((kind) => connection.all(`SELECT ${columns[kind]} FROM ${kind} ORDER BY position`))
