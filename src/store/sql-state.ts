import { type Rows, toSession, toUserRecord } from './rows.js'
import {
  type Identity,
  identityKey,
  refuseTaken,
  type State,
  type StateCounts,
  type StateKind,
  stateKinds,
  zeroCounts,
} from './state-file.js'
import type { LoadReport } from './store.js'
import { toJson } from './stored-columns.js'

/** Counts the records of each kind in one statement. The projects are not counted again: the change feed has the size of each team. */
export const countsQuery = `SELECT ${stateKinds
  .map((kind) =>
    kind === 'projects'
      ? '(SELECT CAST(coalesce(sum(projects), 0) AS integer) FROM changes) AS projects'
      : `(SELECT CAST(count(*) AS integer) FROM ${kind}) AS ${kind}`,
  )
  .join(', ')}`

/** Counts the records of each kind, one by one. */
export async function countRecords(connection: {
  all<Row>(sql: string): Promise<Row[]>
}): Promise<StateCounts> {
  const counts = zeroCounts()
  for (const kind of stateKinds) {
    const [row] = await connection.all<{ records: number }>(
      `SELECT CAST(count(*) AS integer) AS records FROM ${kind}`,
    )
    counts[kind] = row?.records ?? 0
  }
  return counts
}

/** How an SQL store loads a state, within one transaction. */
export type LoadSteps = {
  /** The teams that have one of these organisation codes. */
  teamsWith(orgCodes: string[]): Promise<{ orgCode: string; id: string }[]>
  /** The users that have the identity of one of these. */
  usersWith(users: State['users']): Promise<(Identity & { id: string })[]>
  /** Adds the records whose ids do not exist, in their order. Returns the number of added records. */
  insertMissing<Kind extends StateKind>(kind: Kind, records: State[Kind]): Promise<number>
}

/** Adds the records of a state. See `Store.load`. */
export async function loadRecords(
  state: State,
  { teamsWith, usersWith, insertMissing }: LoadSteps,
): Promise<LoadReport> {
  const teams = await teamsWith(state.teams.map(({ orgCode }) => orgCode))
  const users = await usersWith(state.users)
  const teamIds = new Map(teams.map(({ orgCode, id }) => [orgCode, id]))
  const userIds = new Map(users.map((user) => [identityKey(user), user.id]))
  refuseTaken(
    state,
    (orgCode) => teamIds.get(orgCode),
    (key) => userIds.get(key),
  )

  const report: LoadReport = { created: zeroCounts(), existing: zeroCounts() }
  for (const kind of stateKinds) {
    report.created[kind] = await insertMissing(kind, state[kind])
    report.existing[kind] = state[kind].length - report.created[kind]
  }
  return report
}

/** Records per statement: large states load fast, and no statement takes too long. */
export const batchSize = 1000

/** Inserts records in batches, each given as JSON. Returns the number of added records. */
export async function insertInBatches<Kind extends StateKind>(
  kind: Kind,
  records: readonly State[Kind][number][],
  insert: (json: string) => Promise<number>,
): Promise<number> {
  let added = 0
  for (let start = 0; start < records.length; start += batchSize) {
    added += await insert(toJson(kind, records.slice(start, start + batchSize)))
  }
  return added
}

/**
 * Everything in a database.
 * @param all reads all records of a kind, in insertion order
 */
export async function exportRecords(
  all: <Kind extends keyof Rows>(kind: Kind) => Promise<Rows[Kind][]>,
): Promise<State> {
  return {
    version: 1,
    teams: await all('teams'),
    users: (await all('users')).map(toUserRecord),
    sessions: (await all('sessions')).map(toSession),
    projects: await all('projects'),
    waitlist: await all('waitlist'),
  }
}
