import type { Dialect } from '../sql/sql-database.js'

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
}
