import {
  type Identity,
  identityKey,
  refuseTaken,
  type State,
  type StateCounts,
  type StateKind,
  stateKinds,
  zeroCounts,
} from '../state-file.js'
import type { LoadReport } from '../store.js'
import { type RecordEvent, recordCounts } from './audit.js'
import { lockTeams } from './lock-teams.js'
import { columns, type Row, storedColumns, toJson, toSession, toUserRecord } from './record-columns.js'
import type { Dialect, SqlConnection } from './sql-database.js'

/** The statement that adds records, given as JSON, in order. */
export function insertStatement({ items }: Dialect, kind: StateKind, suffix = ''): string {
  const names = storedColumns(kind)
  const values = names.map((_, i) => `item ->> ${i}`)
  // Without WHERE, SQLite would parse ON CONFLICT as the condition of a join.
  return `INSERT INTO ${kind} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${items('$1')}
    WHERE true ORDER BY number ${suffix}`
}

/**
 * Adds records. Fails if the id of one exists.
 * @param suffix the end of the statement, for example ON CONFLICT or RETURNING
 * @returns the rows of RETURNING
 */
export const insertRecords = <Row, Kind extends StateKind = StateKind>(
  connection: SqlConnection,
  dialect: Dialect,
  kind: Kind,
  records: readonly State[Kind][number][],
  suffix = '',
): Promise<Row[]> => connection.all<Row>(insertStatement(dialect, kind, suffix), toJson(kind, records))

/** Records per statement. Large states load fast, and no statement takes too long. */
const recordsPerStatement = 1000

/** Adds the records of a state, within the transaction of the caller. See `Store.load`. */
export async function loadState(
  connection: SqlConnection,
  dialect: Dialect,
  state: State,
  record: RecordEvent,
): Promise<LoadReport> {
  const { items, lockGlobalScope } = dialect
  // One load at a time, and teams before their projects, so that transactions cannot deadlock.
  if (lockGlobalScope) await connection.all(lockGlobalScope)
  const teams = await connection.all<{ orgCode: string; id: string }>(
    `SELECT org_code AS "orgCode", id FROM teams WHERE org_code IN (SELECT item ->> 0 FROM ${items('$1')})`,
    JSON.stringify(state.teams.map(({ orgCode }) => [orgCode])),
  )
  const users = await connection.all<Identity & { id: string }>(
    `SELECT issuer, subject, id FROM users
     WHERE (issuer, subject) IN (SELECT item ->> 0, item ->> 1 FROM ${items('$1')})`,
    JSON.stringify(state.users.map(({ issuer, subject }) => [issuer, subject])),
  )
  refuseTaken(
    state,
    new Map(teams.map(({ orgCode, id }) => [orgCode, id])),
    new Map(users.map((user) => [identityKey(user), user.id])),
  )

  const report: LoadReport = { created: zeroCounts(), existing: zeroCounts() }
  for (const kind of stateKinds) {
    const records: readonly object[] = state[kind]
    // The teams exist by now.
    if (kind === 'projects') {
      const teamIds = state.projects.map(({ teamId }) => teamId)
      await lockTeams(connection, dialect, teamIds)
    }
    const [id] = storedColumns(kind)
    const key = kind === 'projects' ? 'team_id, id' : id
    const sql = insertStatement(dialect, kind, `ON CONFLICT (${key}) DO NOTHING`)
    for (let start = 0; start < records.length; start += recordsPerStatement) {
      report.created[kind] += await connection.run(
        sql,
        toJson(kind, records.slice(start, start + recordsPerStatement)),
      )
    }
    report.existing[kind] = records.length - report.created[kind]
  }
  const { waitlist, ...others } = report.created
  recordCounts(record, 'data.load', others)
  recordCounts(record, 'waitlist.add', { waitlist })
  return report
}

/** Every record of a database, each kind in insertion order. */
export async function exportState(connection: SqlConnection): Promise<State> {
  const all = <Record>(kind: StateKind) =>
    connection.all<Record>(`SELECT ${columns[kind]} FROM ${kind} ORDER BY position`)
  return {
    version: 1,
    teams: await all('teams'),
    users: (await all<Row>('users')).map(toUserRecord),
    sessions: (await all<Row>('sessions')).map(toSession),
    projects: await all('projects'),
    waitlist: await all('waitlist'),
  }
}

/**
 * Counts the records of each kind, also in a database of another version.
 * @param projects a query that counts the projects, by default row by row
 */
export async function countRecords(
  connection: Pick<SqlConnection, 'all'>,
  projects?: string,
): Promise<StateCounts> {
  const counts = zeroCounts()
  for (const kind of stateKinds) {
    const all = `SELECT CAST(count(*) AS integer) AS records FROM ${kind}`
    const sql = (kind === 'projects' && projects) || all
    const [row] = await connection.all<{ records: number }>(sql)
    counts[kind] = row?.records ?? 0
  }
  return counts
}
