import {
  identityKey,
  refuseTakenIdentities,
  refuseTakenOrgCodes,
  type State,
  stateKinds,
  zeroCounts,
} from '../state-file.js'
import type { LoadReport } from '../store.js'
import type { Connection } from './connection.js'
import { insertMissing } from './insert.js'
import { columns, type Rows, toSession, toUserRecord } from './rows.js'

/** Adds what a state holds, within the transaction of the caller. */
export async function loadState(handle: Connection, state: State): Promise<LoadReport> {
  const codes = JSON.stringify(state.teams.map((team) => team.orgCode))
  const taken = await handle.all<{ orgCode: string; id: string }>(
    'SELECT org_code AS orgCode, id FROM teams WHERE org_code IN (SELECT value FROM json_each(?))',
    codes,
  )
  const holders = new Map(taken.map(({ orgCode, id }) => [orgCode, id]))
  refuseTakenOrgCodes(state, (orgCode) => holders.get(orgCode))

  const identities = JSON.stringify(state.users.filter(({ subject }) => subject !== undefined))
  const signedIn = await handle.all<{ issuer: string; subject: string; id: string }>(
    `SELECT issuer, subject, id FROM users WHERE (issuer, subject) IN
       (SELECT value ->> 'issuer', value ->> 'subject' FROM json_each(?))`,
    identities,
  )
  const known = new Map(signedIn.map((user) => [identityKey(user), user.id]))
  refuseTakenIdentities(state, (key) => known.get(key))

  const report: LoadReport = { created: zeroCounts(), existing: zeroCounts() }
  for (const kind of stateKinds) {
    report.created[kind] = await insertMissing(handle, kind, state[kind])
    report.existing[kind] = state[kind].length - report.created[kind]
  }
  return report
}

/** Everything in the database, each kind in the order in which it was added. */
export async function exportState(handle: Connection): Promise<State> {
  const all = <Kind extends keyof Rows>(kind: Kind) =>
    handle.all<Rows[Kind]>(`SELECT ${columns[kind]} FROM ${kind} ORDER BY position`)
  return {
    version: 1,
    teams: await all('teams'),
    users: (await all('users')).map(toUserRecord),
    sessions: (await all('sessions')).map(toSession),
    projects: await all('projects'),
    waitlist: await all('waitlist'),
  }
}
