import { storedColumns } from '../sql/record-columns.js'
import type { Dialect } from '../sql/sql-database.js'
import { stateKinds } from '../state-file.js'
import { knownVersion, readSchema, requireOurs } from './schema-version.js'

export const postgresDialect: Dialect = {
  kind: 'postgres',
  isSerial: false,
  items: (json) =>
    `(SELECT (number - 1)::int AS number, item
      FROM jsonb_array_elements(${json}::jsonb) WITH ORDINALITY AS each (item, number)) AS items`,
  object: (fields) =>
    `json_build_object(${Object.entries(fields).map(([field, value]) => `'${field}', ${value}`)})`,
  list: (element) => `coalesce(json_agg(${element}), '[]')`,
  now: `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  hasValue: (column, value) =>
    `hashtextextended(${column}, 0) = hashtextextended((${value}) COLLATE "C", 0) AND ${column} = ${value}`,
  position: (text, part) => `strpos(${text}, ${part})`,
  lock: 'FOR UPDATE',
  lockFree: 'FOR UPDATE SKIP LOCKED',
  lockGlobalScope: "SELECT scope FROM changes WHERE scope = '' FOR UPDATE",
  known: knownVersion,
  readSchema,
  requireOurs,
  setVersion: (from) =>
    from === 0
      ? `CREATE TABLE dashboard_schema (version integer PRIMARY KEY, oldest integer NOT NULL);
         INSERT INTO dashboard_schema VALUES (${knownVersion}, 1)`
      : `UPDATE dashboard_schema SET version = ${knownVersion}`,
  copyBefore: (name) => ` A copy before: pg_dump --format=custom --file=before.dump '${name}'`,
  lengthInJson: (text) => `octet_length(to_json(${text})::text)`,
  checks: [],
  // The transactions that wrote the rows, in any order.
  mark: `SELECT concat(count(*), '/', sum(hashtextextended(xmin::text, 0)::numeric)) AS mark
    FROM (${stateKinds.map((kind) => `SELECT xmin FROM ${kind}`).join(' UNION ALL ')}) AS written`,
  // A cursor sorts once; few kinds have an index of their positions. The driver parses the JSON.
  async *pages(connection, kind) {
    const cursor = `copied_${kind}`
    const record = `json_build_array(${storedColumns(kind).join(', ')})`
    await connection.exec(
      `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${record} AS record FROM ${kind} ORDER BY position`,
    )
    try {
      for (;;) {
        const rows = await connection.all<{ record: unknown[] }>(`FETCH 1000 FROM ${cursor}`)
        if (rows.length === 0) break
        yield rows.map(({ record }) => JSON.stringify(record))
      }
    } finally {
      // A retried transaction of the target reads the source again.
      await connection.exec(`CLOSE ${cursor}`).catch(() => {})
    }
  },
}
