import { storedColumns } from '../sql/record-columns.js'
import type { Dialect } from '../sql/sql-database.js'
import { findForeignSchema, requireOurs } from './check-schema.js'
import { findDamage, findDangling } from './find-damage.js'
import { knownVersion, mark, readSchema } from './schema-version.js'

/** SQLite has one writer at a time, so that no locks are needed. */
export const sqliteDialect: Dialect = {
  kind: 'sqlite',
  isSerial: true,
  // jsonb_each makes no text of each item.
  items: (json) => `(SELECT key AS number, value AS item FROM jsonb_each(${json})) AS items`,
  object: (fields) =>
    `json_object(${Object.entries(fields).map(([field, value]) => `'${field}', ${value}`)})`,
  list: (element) => `json_group_array(${element})`,
  hasValue: (column, value) => `${column} = ${value}`,
  position: (text, part) => `instr(${text}, ${part})`,
  lock: '',
  lockFree: '',
  known: knownVersion,
  readSchema,
  requireOurs,
  // A new file is not in WAL mode yet, so that the mark is in its header from now on.
  setVersion: () => `UPDATE dashboard_schema SET version = ${knownVersion}; ${mark}`,
  lengthInJson: (text) => `length(CAST(json_quote(${text}) AS BLOB))`,
  checks: [
    ['integrity', 'every page and index', (connection) => findDamage(connection, 'integrity_check', 20)],
    ['schema', 'every table, index and trigger', findForeignSchema],
    ['references', 'every reference', findDangling],
  ],
  mark: 'PRAGMA data_version',
  // One row a page: the driver is slower with many.
  async *pages(connection, kind) {
    const sql = `SELECT json_group_array(json_array(${storedColumns(kind).join(', ')}) ORDER BY position) AS records,
        CAST(max(position) AS text) AS position
      FROM (SELECT * FROM ${kind} WHERE position > CAST($1 AS integer) ORDER BY position LIMIT 1000)`
    for (let after = '0'; ; ) {
      const [row] = await connection.all<{ records: string; position: string | null }>(sql, after)
      if (!row || row.position === null) return
      const records: unknown[] = JSON.parse(row.records)
      // Formatted anew, since each database has other spaces and escapes.
      yield records.map((values) => JSON.stringify(values))
      after = row.position
    }
  },
}
