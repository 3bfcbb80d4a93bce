import type { Dialect } from '../sql/sql-database.js'

/** What PostgreSQL writes in its own way. */
export const postgresDialect: Dialect = {
  items: (json) =>
    `(SELECT (number - 1)::int AS number, item
      FROM jsonb_array_elements(${json}::jsonb) WITH ORDINALITY AS each (item, number)) AS items`,
  object: (fields) =>
    `json_build_object(${Object.entries(fields).map(([field, value]) => `'${field}', ${value}`)})`,
  list: (element) => `coalesce(json_agg(${element}), '[]')`,
  now: `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  hasOwnClock: true,
  hasValue: (column, value) =>
    `hashtextextended(${column}, 0) = hashtextextended((${value}) COLLATE "C", 0) AND ${column} = ${value}`,
  position: (text, part) => `strpos(${text}, ${part})`,
  lock: 'FOR UPDATE',
  lockFree: 'FOR UPDATE SKIP LOCKED',
  // Locks of this program's own, until the end of the transaction.
  tryAdvisoryLock: (removal) => `pg_try_advisory_xact_lock(${0x44415052 + removal})`,
  lockGlobalScope: "SELECT scope FROM changes WHERE scope = '' FOR UPDATE",
}
