import { CopyError, type Mark, type Marks, type Page, startMark, type TargetState } from './copy-records.js'
import { countRecords } from './sql-state.js'
import { type StateKind, stateKinds } from './state-file.js'
import { StoreUnavailableError } from './store.js'
import { storedColumns } from './stored-columns.js'
import { markTable } from './unfinished-copy.js'

/** A connection to either kind of database. Parameters are `$1`, `$2` and so on, in this order, and text. */
type SqlConnection = {
  all<Row>(sql: string, ...values: string[]): Promise<Row[]>
  run(sql: string, ...values: string[]): Promise<number>
  exec(script: string): Promise<void>
}

/** Records that are read at once. */
export const pageSize = 1000

/** A record as it is stored: the values of its columns. */
export type StoredValues = (string | null)[]

/** @param position of the last one, as text */
export function toPage(records: StoredValues[], position: string): Page {
  return {
    // Not the text of the database: each has other spaces and escapes.
    records: records.map((values) => JSON.stringify(values)),
    last: { position, id: records.at(-1)?.[0] ?? '' },
  }
}

/** See `CopySource.upTo`. */
export async function countUpTo(connection: SqlConnection, kind: StateKind, position: string) {
  const [id] = storedColumns(kind)
  const [row] = await connection.all<{ records: number; id: string | null }>(
    `SELECT CAST(count(*) AS integer) AS records,
       max(CASE WHEN position = CAST($1 AS bigint) THEN ${id} END) AS id
     FROM ${kind} WHERE position <= CAST($1 AS bigint)`,
    position,
  )
  return row ?? { records: 0, id: null }
}

const createMarks = `CREATE TABLE ${markTable} (kind text PRIMARY KEY, position text NOT NULL, id text NOT NULL)`

/** Removes the marks: a copy is complete. Another process may have come to the same result. */
export const dropMarks = `DROP TABLE IF EXISTS ${markTable}`

/** See `CopyTarget.begin`. Within a transaction of the caller, which no other process that copies has at a time. */
export async function beginCopy(
  connection: SqlConnection,
  hasMarks: boolean,
  isRestart: boolean,
): Promise<TargetState> {
  if (hasMarks && isRestart) {
    for (const kind of stateKinds.toReversed()) await connection.run(`DELETE FROM ${kind}`)
  }
  const counts = await countRecords(connection)
  if (stateKinds.some((kind) => counts[kind] > 0)) {
    return { counts, marks: hasMarks ? await readMarks(connection) : undefined }
  }
  if (hasMarks) await connection.exec(dropMarks)
  await connection.exec(createMarks)
  for (const kind of stateKinds) {
    const { position, id } = startMark
    await connection.run(`INSERT INTO ${markTable} VALUES ($1, $2, $3)`, kind, position, id)
  }
  return { counts, marks: await readMarks(connection) }
}

async function readMarks(connection: SqlConnection): Promise<Marks> {
  const rows = await connection.all<Mark & { kind: StateKind }>(`SELECT kind, position, id FROM ${markTable}`)
  return Object.fromEntries(rows.map(({ kind, position, id }) => [kind, { position, id }])) as Marks
}

/**
 * See `CopyTarget.add`. Within a transaction of the caller.
 * @param insert the statement that adds records of the kind, given as JSON
 */
export async function addPage(
  connection: SqlConnection,
  kind: StateKind,
  { records, last }: Page,
  before: Mark,
  insert: string,
): Promise<void> {
  const sql = `UPDATE ${markTable} SET position = $1, id = $2 WHERE kind = $3 AND position = $4`
  const moved = await connection.run(sql, last.position, last.id, kind, before.position).catch((error) => {
    if (error instanceof StoreUnavailableError) throw error
    // There is no such table: another process completed the copy.
    return 0
  })
  if (moved === 0) {
    throw new CopyError('Another process copies to this database.', 'Wait until it has ended, or stop it.')
  }
  await connection.run(insert, `[${records.join(',')}]`).catch((error) => {
    if (error instanceof StoreUnavailableError) throw error
    throw new CopyError(
      `The target refused ${kind} up to "${last.id}": ${error.message}.`,
      'Stop what else writes to the target, and check the source with "database check".',
    )
  })
}
