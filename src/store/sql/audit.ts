import * as z from 'zod'
import { parseJson } from '../../contract/parse-json.js'
import { auditEntry } from '../audit-entry.js'
import type { AuditDetails, AuditEntry, AuditEvent, AuditFilter, AuditReader, Origin } from '../audit-log.js'
import { processOrigin } from '../process-origin.js'
import { withoutNulls } from '../record-fields.js'
import type { StateCounts } from '../state-file.js'
import { type Conditions, conditionsOf } from './conditions.js'
import { columnOf } from './record-columns.js'
import type { Dialect, SqlConnection, SqlDatabase } from './sql-database.js'

const names = [
  'id',
  'at',
  'action',
  'outcome',
  'reason',
  'via',
  'operator',
  'source',
  'requestId',
  'userId',
  'sessionId',
  'target',
  'details',
] as const satisfies (keyof AuditEntry)[]

type Row = Omit<AuditEntry, 'details'> & { details: string | null }
type Reading = Pick<SqlConnection, 'all'>

const pageSize = 1_000

/** Appends new entries, within the transaction of the caller. */
export async function appendEntries(
  connection: SqlConnection,
  dialect: Dialect,
  entries: readonly AuditEntry[],
  condition?: string,
): Promise<void> {
  if (entries.length > 0) await insertEntries(connection, dialect, entries, condition)
}

/** The statement of `appendEntries`, also for no entries. */
export async function insertEntries(
  connection: SqlConnection,
  { items }: Dialect,
  entries: readonly AuditEntry[],
  condition = 'true',
): Promise<void> {
  const rows = entries.map((entry) =>
    names.map((name) => (name === 'details' ? entry.details && JSON.stringify(entry.details) : entry[name])),
  )
  const values = names.map((_, i) => `item ->> ${i}`)
  await connection.run(
    `INSERT INTO audit_log (${names.map(columnOf).join(', ')}) SELECT ${values.join(', ')} FROM ${items('$1')}
     WHERE ${condition}`,
    JSON.stringify(rows),
  )
}

/** Appends entries that are missing. Too slow for each change: with an outdated plan PostgreSQL reads the whole log. */
export const appendMissingEntries = (
  connection: SqlConnection,
  dialect: Dialect,
  entries: readonly AuditEntry[],
): Promise<void> =>
  appendEntries(
    connection,
    dialect,
    entries,
    'NOT EXISTS (SELECT 1 FROM audit_log WHERE id = item ->> 0 AND at = item ->> 1)',
  )

/**
 * Makes a change and its audit entries as one transaction.
 * @param by the origin; without it nothing is recorded
 * @param work gets `record`, and the command or operation that makes the change
 */
export type Change = <Result>(
  by: Origin | undefined,
  work: (connection: SqlConnection, record: RecordEvent, via: string | undefined) => Promise<Result>,
) => Promise<Result>
export type RecordEvent = (event: AuditEvent) => void

/**
 * @param defaultOrigin the origin of changes without one
 * @param onAudit called for each entry after the commit
 */
export const createChange =
  (
    { transaction, dialect }: SqlDatabase,
    defaultOrigin: Origin | undefined,
    onAudit: (entry: AuditEntry) => void,
  ): Change =>
  async (by = defaultOrigin, work) => {
    let entries: AuditEntry[] = []
    const result = await transaction(async (connection) => {
      entries = []
      const changed = await work(connection, (event) => by && entries.push(auditEntry(by, event)), by?.via)
      await appendEntries(connection, dialect, entries)
      return changed
    })
    for (const entry of entries) onAudit(entry)
    return result
  }

/** Records the numbers of records, unless all are 0. */
export function recordCounts(
  record: RecordEvent,
  action: AuditEvent['action'],
  counts: Partial<StateCounts>,
): void {
  const details = withoutZeros(counts)
  if (Object.keys(details).length > 0) record({ action, details })
}

export const withoutZeros = (counts: Partial<StateCounts>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

const Details = z.record(z.string(), z.any())

/** A damaged text is shown unchanged, so that it hides no other entry. */
const toDetails = (text: string | null): AuditDetails | null =>
  text === null ? null : (parseJson<AuditDetails>(text, Details) ?? { unreadable: text })

export const auditReads = (connection: Reading): AuditReader => ({
  async auditAfter(cursor, limit, filter = {}) {
    // The index takes one limit: entries after the cursor are also before the time.
    const until = cursor && cursor.at < (filter.until ?? '') ? undefined : filter.until
    const { list: conditions, values, bind } = matching({ ...filter, until })
    if (cursor) conditions.push(`(at, id) < (${bind(cursor.at)}, ${bind(cursor.id)})`)
    const selected = names.map((name) => `${columnOf(name)} AS "${name}"`).join(', ')
    // The order of an index, in which each page starts at the cursor.
    const rows = await connection.all<Row>(
      `SELECT ${selected} FROM audit_log WHERE ${conditions.join(' AND ')}
       ORDER BY at DESC, id DESC LIMIT CAST(${bind(String(limit))} AS integer)`,
      ...values,
    )
    return rows.map((row) => withoutNulls({ ...row, details: toDetails(row.details) }) as AuditEntry)
  },
  async countAudit(filter = {}) {
    const { list: conditions, values } = matching(filter)
    const [row] = await connection.all<{ entries: number }>(
      `SELECT CAST(count(*) AS integer) AS entries FROM audit_log WHERE ${conditions.join(' AND ')}`,
      ...values,
    )
    return row?.entries ?? 0
  },
})

/** The whole log in pages, newest first. */
export async function* auditPages(connection: Reading): AsyncGenerator<AuditEntry[]> {
  const { auditAfter } = auditReads(connection)
  for (let page = await auditAfter(undefined, pageSize); page.length > 0; ) {
    yield page
    page = await auditAfter(page.at(-1), pageSize)
  }
}

function matching({ actors, action, outcome, userId, ...period }: AuditFilter): Conditions {
  const { list, values, bind } = conditionsOf('at', period)
  if (actors) list.push(`coalesce(operator, user_id) IN (${actors.map(bind).join(', ') || 'NULL'})`)
  if (action !== undefined) {
    const [exact, kind] = [bind(action), bind(`${action}.`)]
    list.push(`(action = ${exact} OR substr(action, 1, length(${kind})) = ${kind})`)
  }
  if (outcome !== undefined) list.push(`outcome = ${bind(outcome)}`)
  if (userId !== undefined) list.push(`user_id = ${bind(userId)}`)
  return { list, values, bind }
}

/** The entry about a schema that this process created or migrated. */
export const migrationEntry = (from: number, to: number): AuditEntry =>
  auditEntry(processOrigin(), {
    action: from === 0 ? 'database.create' : 'database.migrate',
    details: from === 0 ? { to } : { from, to },
  })
