import { columns, type Rows, toSession, toUserRecord } from '../rows.js'
import { identityKey, refuseTaken, type State, stateKinds, zeroCounts } from '../state-file.js'
import type { LoadReport } from '../store.js'
import type { Connection } from './connection.js'
import { insertMissing } from './insert.js'

/** Adds the records of a state, within the transaction of the caller. See `Store.load`. */
export async function loadState(connection: Connection, state: State): Promise<LoadReport> {
  const teams = await connection.all<{ orgCode: string; id: string }>(
    'SELECT org_code AS orgCode, id FROM teams WHERE org_code IN (SELECT value FROM json_each(?))',
    JSON.stringify(state.teams.map((team) => team.orgCode)),
  )
  const users = await connection.all<{ issuer: string; subject: string; id: string }>(
    `SELECT issuer, subject, id FROM users WHERE (issuer, subject) IN
       (SELECT value ->> 'issuer', value ->> 'subject' FROM json_each(?))`,
    JSON.stringify(state.users),
  )
  const teamIds = new Map(teams.map(({ orgCode, id }) => [orgCode, id]))
  const userIds = new Map(users.map((user) => [identityKey(user), user.id]))
  refuseTaken(
    state,
    (orgCode) => teamIds.get(orgCode),
    (key) => userIds.get(key),
  )

  const report: LoadReport = { created: zeroCounts(), existing: zeroCounts() }
  for (const kind of stateKinds) {
    report.created[kind] = await insertMissing(connection, kind, state[kind])
    report.existing[kind] = state[kind].length - report.created[kind]
  }
  return report
}

/** Everything in the database, each kind in insertion order. */
export async function exportState(connection: Connection): Promise<State> {
  const all = <Kind extends keyof Rows>(kind: Kind) =>
    connection.all<Rows[Kind]>(`SELECT ${columns[kind]} FROM ${kind} ORDER BY position`)
  return {
    version: 1,
    teams: await all('teams'),
    users: (await all('users')).map(toUserRecord),
    sessions: (await all('sessions')).map(toSession),
    projects: await all('projects'),
    waitlist: await all('waitlist'),
  }
}
