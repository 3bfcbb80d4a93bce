import { columns, type Rows, toSession, toUserRecord } from '../rows.js'
import { identityKey, refuseTaken, type State, stateKinds, zeroCounts } from '../state-file.js'
import type { LoadReport } from '../store.js'
import type { Connection } from './pg-connection.js'
import { insertMissing } from './pg-insert.js'
import { lockSizes } from './pg-team-room.js'

/** Adds the records of a state, within the transaction of the caller. See `Store.load`. */
export async function loadState(connection: Connection, state: State): Promise<LoadReport> {
  // One load at a time, and its teams before their projects: no two transactions wait for each other.
  await connection.exec(`SELECT pg_advisory_xact_lock(${loadLock})`)
  const teams = await connection.all<{ orgCode: string; id: string }>(
    'SELECT org_code AS "orgCode", id FROM teams WHERE org_code = ANY($1::text[])',
    state.teams.map((team) => team.orgCode),
  )
  const users = await connection.all<{ issuer: string; subject: string; id: string }>(
    `SELECT issuer, subject, id FROM jsonb_array_elements($1::jsonb) AS item
     JOIN users ON issuer = item ->> 'issuer' AND subject = item ->> 'subject'`,
    JSON.stringify(state.users.filter(({ subject }) => subject !== undefined)),
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
    if (kind === 'projects')
      await lockSizes(connection, [...new Set(state.projects.map(({ teamId }) => teamId))])
    report.created[kind] = await insertMissing(connection, kind, state[kind])
    report.existing[kind] = state[kind].length - report.created[kind]
  }
  return report
}

/** A lock of this program's own. */
const loadLock = 0x44415050

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
