import { describeVersion } from '../database-version.js'
import type { Check, CheckReport } from '../production-store.js'
import type { Dialect, SqlConnection } from './sql-database.js'
import { countRecords } from './state.js'

/**
 * Checks the content of a database, without changing it. The first failed check ends the list.
 * @param first the results of earlier checks
 */
export async function checkContent(
  name: string,
  connection: SqlConnection,
  dialect: Dialect,
  first: Check,
): Promise<CheckReport> {
  const { known, checks: others } = dialect
  const schema = await dialect.readSchema(connection, name)
  const isKnown = schema.oldest <= known
  const checks: Check[] = [first, { check: 'version', ok: isKnown, found: describeVersion(schema, known) }]
  const sizes: Dialect['checks'][number] = [
    'sizes',
    'the size of every team',
    () => findWrongSizes(connection, dialect),
  ]
  for (const [check, found, find] of [...others, sizes]) {
    if (!checks.at(-1)?.ok) break
    const fault = await find(connection)
    checks.push({ check, ok: fault === undefined, found: fault ?? found })
  }
  if (!checks.at(-1)?.ok) return { ok: false, checks }
  return { ok: true, checks, records: await countRecords(connection) }
}

/** The teams whose stored size differs from that of their projects. Their lists and limits would be wrong. */
async function findWrongSizes(
  connection: SqlConnection,
  { lengthInJson }: Dialect,
): Promise<string | undefined> {
  const bytes = ['name', 'description', 'status']
    .map((column) => `${lengthInJson(`coalesce(${column}, '')`)} - 2`)
    .join(' + ')
  const { length } = await connection.all(`SELECT team_id FROM (
      SELECT team_id, count(*) AS projects, sum(${bytes}) AS bytes FROM projects GROUP BY team_id
    ) AS held FULL JOIN (SELECT * FROM changes WHERE scope <> '') AS counted ON scope = team_id
    WHERE coalesce(held.projects, 0) <> coalesce(counted.projects, 0)
      OR coalesce(held.bytes, 0) <> coalesce(counted.bytes, 0)`)
  return length > 0 ? `${length} teams with a wrong size` : undefined
}
