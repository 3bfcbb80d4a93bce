import { insertInBatches } from '../sql-state.js'
import type { State, StateKind, WaitlistEntry } from '../state-file.js'
import { storedColumns, toJson } from '../stored-columns.js'
import type { Connection } from './connection.js'
import type { BatchStatement } from './writer.js'

/**
 * Adds one record. Fails if its id exists.
 * @param suffix the end of the statement, for example ON CONFLICT or RETURNING
 * @returns the rows of RETURNING
 */
export async function insert<Row, Kind extends StateKind = StateKind>(
  connection: Connection,
  kind: Kind,
  record: State[Kind][number],
  suffix = '',
): Promise<Row[]> {
  return connection.all<Row>(insertFromJson(kind, suffix), toJson(kind, [record]))
}

/** The statement that adds records, given as JSON, in their order. */
export function insertFromJson(kind: StateKind, suffix: string): string {
  const names = storedColumns(kind)
  const values = names.map((_, i) => `value ->> ${i}`)
  // Without WHERE, SQLite takes ON CONFLICT for the condition of a join.
  return `INSERT INTO ${kind} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM json_each(?) WHERE true ORDER BY key ${suffix}`
}

/**
 * Adds entries to the waitlist. The result tells whether the address is new. A known address is written too, so that the
 * time of the call does not tell.
 */
export const insertEntries: BatchStatement<WaitlistEntry, boolean> = {
  async run(connection, entries) {
    const sql = insertFromJson(
      'waitlist',
      'ON CONFLICT (email) DO UPDATE SET submissions = submissions + 1 RETURNING email, submissions',
    )
    const rows = await connection.all<{ email: string; submissions: number }>(
      sql,
      toJson('waitlist', entries),
    )
    const added = new Set(rows.filter(({ submissions }) => submissions === 1).map(({ email }) => email))
    // Where a batch has an address twice, the first one was added.
    return entries.map(({ email }) => added.delete(email))
  },
}

/** Adds the records whose ids do not exist, in their order. Returns the number of added records. */
export function insertMissing<Kind extends StateKind>(
  connection: Connection,
  kind: Kind,
  records: readonly State[Kind][number][],
): Promise<number> {
  const [id] = storedColumns(kind)
  const sql = insertFromJson(kind, `ON CONFLICT (${id}) DO NOTHING`)
  return insertInBatches(kind, records, (json) => connection.run(sql, json))
}
