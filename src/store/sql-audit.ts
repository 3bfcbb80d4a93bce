import { type AuditEntry, type AuditFilter, auditEntry, type Origin } from './audit-log.js'
import type { Describe } from './audited-changes.js'
import { processOrigin } from './process-origin.js'
import { withoutNulls } from './record-fields.js'

/** The fields of an entry, and their columns. */
const fields = {
  id: 'id',
  at: 'at',
  action: 'action',
  outcome: 'outcome',
  reason: 'reason',
  via: 'via',
  operator: 'operator',
  source: 'source',
  requestId: 'request_id',
  userId: 'user_id',
  sessionId: 'session_id',
  target: 'target',
  details: 'details',
} as const satisfies Record<keyof AuditEntry, string>

const names = Object.keys(fields) as (keyof AuditEntry)[]
const columns = Object.values(fields)

type Row = Omit<AuditEntry, 'details'> & { details: string | null }

/** A connection to either kind of database. Parameters are `$1`, `$2` and so on, in this order, and text. */
type Reading = { all<Row>(sql: string, ...values: string[]): Promise<Row[]> }
type Writing = Reading & { run(sql: string, ...values: string[]): Promise<number> }

/** How many entries are read at once. */
const pageSize = 1_000
/** How many entries one statement removes at most. */
const removalSize = 2_000

/** The items of a JSON array, as rows of `value`. */
export const jsonItems = {
  sqlite: 'json_each($1)',
  postgres: 'jsonb_array_elements($1::jsonb) AS items (value)',
}

/** Appends the entries that are not there yet, within the transaction of the caller. */
export async function appendEntries(
  connection: Writing,
  items: string,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) =>
    names.map((name) => (name === 'details' ? entry.details && JSON.stringify(entry.details) : entry[name])),
  )
  const values = columns.map((_, i) => `value ->> ${i}`)
  await connection.run(
    `INSERT INTO audit_log (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${items}
     WHERE NOT EXISTS (SELECT 1 FROM audit_log WHERE id = value ->> 0)`,
    JSON.stringify(rows),
  )
}

/** Makes a change as one transaction; what it returns tells what is recorded. */
export type Recorder<Connection> = <Result>(
  work: (connection: Connection) => Promise<Result>,
  describe: Describe<Result>,
) => Promise<Result>

/**
 * Records the changes of an origin, each in the transaction that makes it.
 * @param onRecorded called for each entry after the commit
 */
export const createRecorder =
  <Connection extends Writing>(
    transaction: <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>,
    items: string,
    origin: Origin,
    onRecorded: (entry: AuditEntry) => void = () => {},
  ): Recorder<Connection> =>
  async (work, describe) => {
    let entries: AuditEntry[] = []
    const result = await transaction(async (connection) => {
      const changed = await work(connection)
      entries = describe(changed, origin).map((event) => auditEntry(origin, event))
      await appendEntries(connection, items, entries)
      return changed
    })
    for (const entry of entries) onRecorded(entry)
    return result
  }

/** See `AuditLog.auditAfter`. The order is that of an index, in which each page starts at the cursor. */
export async function auditAfter(
  connection: Reading,
  cursor: Pick<AuditEntry, 'at' | 'id'> | undefined,
  limit: number,
  filter: AuditFilter = {},
): Promise<AuditEntry[]> {
  // One limit of the index: what comes after the cursor is before the time too.
  const until = cursor && cursor.at < (filter.until ?? '') ? undefined : filter.until
  const { conditions, values, bind } = matching({ ...filter, until })
  if (cursor) conditions.push(`(at, id) < (${bind(cursor.at)}, ${bind(cursor.id)})`)
  const list = names.map((name) => `${fields[name]} AS "${name}"`).join(', ')
  const rows = await connection.all<Row>(
    `SELECT ${list} FROM audit_log WHERE ${conditions.join(' AND ')}
     ORDER BY at DESC, id DESC LIMIT CAST(${bind(String(limit))} AS integer)`,
    ...values,
  )
  return rows.map(
    (row) => withoutNulls({ ...row, details: row.details && JSON.parse(row.details) }) as AuditEntry,
  )
}

/** The whole log in pages, newest first. */
export async function* auditPages(connection: Reading): AsyncGenerator<AuditEntry[]> {
  for (let page = await auditAfter(connection, undefined, pageSize); page.length > 0; ) {
    yield page
    page = await auditAfter(connection, page.at(-1), pageSize)
  }
}

/** See `AuditLog.countAudit`. */
export async function countAudit(connection: Reading, filter: AuditFilter = {}): Promise<number> {
  const { conditions, values } = matching(filter)
  const [row] = await connection.all<{ entries: number }>(
    `SELECT CAST(count(*) AS integer) AS entries FROM audit_log WHERE ${conditions.join(' AND ')}`,
    ...values,
  )
  return row?.entries ?? 0
}

/** Only the conditions that there are: an `OR` for a filter that is left out would keep the index from being used. */
function matching({ since, until, actors, action, outcome, userId }: AuditFilter) {
  const values: string[] = []
  const bind = (value: string): string => `$${values.push(value)}`
  const conditions = ['true']
  if (since !== undefined) conditions.push(`at >= ${bind(since)}`)
  if (until !== undefined) conditions.push(`at < ${bind(until)}`)
  if (actors) conditions.push(`coalesce(operator, user_id) IN (${actors.map(bind).join(', ') || 'NULL'})`)
  if (action !== undefined) {
    const [exact, kind] = [bind(action), bind(`${action}.`)]
    conditions.push(`(action = ${exact} OR substr(action, 1, length(${kind})) = ${kind})`)
  }
  if (outcome !== undefined) conditions.push(`outcome = ${bind(outcome)}`)
  if (userId !== undefined) conditions.push(`user_id = ${bind(userId)}`)
  return { conditions, values, bind }
}

/**
 * See `AuditLog.removeAuditBefore`; within a transaction of the caller. The triggers let only entries go from before the
 * time that is stored first.
 * @param isFree a condition: no other node is at it
 */
export async function removeAuditBefore(connection: Writing, at: string, isFree = 'true'): Promise<number> {
  const isDue = await connection.run(
    `UPDATE audit_retention SET removed_before = CASE WHEN removed_before < $1 THEN $1 ELSE removed_before END
     WHERE EXISTS (SELECT 1 FROM audit_log WHERE at < $1) AND ${isFree}`,
    at,
  )
  if (isDue === 0) return 0
  return connection.run(
    `DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE at < $1 ORDER BY at LIMIT ${removalSize})`,
    at,
  )
}

/** The entry about a schema that this process creates or migrates. */
export const migrationEntry = (from: number, to: number): AuditEntry =>
  auditEntry(processOrigin(), {
    action: from === 0 ? 'database.create' : 'database.migrate',
    details: from === 0 ? { to } : { from, to },
  })
