import { storedColumns } from '../sql/record-columns.js'
import type { Dialect } from '../sql/sql-database.js'
import { knownVersion, readSchema } from './schema-version.js'

/** What SQLite writes in its own way. It has one writer at a time, so that nothing has to be locked. */
export const sqliteDialect: Dialect = {
  items: (json) => `(SELECT key AS number, value AS item FROM json_each(${json})) AS items`,
  object: (fields) =>
    `json_object(${Object.entries(fields).map(([field, value]) => `'${field}', ${value}`)})`,
  list: (element) => `json_group_array(${element})`,
  now: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  hasOwnClock: false,
  hasValue: (column, value) => `${column} = ${value}`,
  position: (text, part) => `instr(${text}, ${part})`,
  lock: '',
  lockFree: '',
  tryAdvisoryLock: () => 'true',
  known: knownVersion,
  readSchema,
  mark: 'PRAGMA data_version',
  // One row a page, since the driver takes longer for many.
  async *pages(connection, kind) {
    const sql = `SELECT json_group_array(json_array(${storedColumns(kind).join(', ')}) ORDER BY position) AS records,
        CAST(max(position) AS text) AS position
      FROM (SELECT * FROM ${kind} WHERE position > CAST($1 AS integer) ORDER BY position LIMIT 1000)`
    for (let after = '0'; ; ) {
      const [row] = await connection.all<{ records: string; position: string | null }>(sql, after)
      if (!row || row.position === null) return
      const records: unknown[] = JSON.parse(row.records)
      // Not the text of the database: each has other spaces and escapes.
      yield records.map((values) => JSON.stringify(values))
      after = row.position
    }
  },
}
