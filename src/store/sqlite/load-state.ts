import { columns } from '../rows.js'
import { exportRecords, loadRecords } from '../sql-state.js'
import type { State } from '../state-file.js'
import type { LoadReport } from '../store.js'
import type { Connection } from './connection.js'
import { insertMissing } from './insert.js'

/** Adds the records of a state, within the transaction of the caller. See `Store.load`. */
export const loadState = (connection: Connection, state: State): Promise<LoadReport> =>
  loadRecords(state, {
    teamsWith: (orgCodes) =>
      connection.all(
        'SELECT org_code AS orgCode, id FROM teams WHERE org_code IN (SELECT value FROM json_each(?))',
        JSON.stringify(orgCodes),
      ),
    usersWith: (users) =>
      connection.all(
        `SELECT issuer, subject, id FROM users WHERE (issuer, subject) IN
           (SELECT value ->> 'issuer', value ->> 'subject' FROM json_each(?))`,
        JSON.stringify(users),
      ),
    insertMissing: (kind, records) => insertMissing(connection, kind, records),
  })

/** Everything in the database, each kind in insertion order. */
export const exportState = (connection: Connection): Promise<State> =>
  exportRecords((kind) => connection.all(`SELECT ${columns[kind]} FROM ${kind} ORDER BY position`))
