import type { SqlConnection } from '../sql/sql-database.js'
import { sessionSettings } from './connection.js'

/**
 * Behind a pooler a session keeps no settings: what `prepareSession` sets elsewhere has to come from the role.
 * @param connection leads through a pooler
 * @returns what is missing, with the statements that mend it; undefined where nothing is
 */
export async function describeMissingSettings(
  connection: SqlConnection,
  timeoutMs: number,
): Promise<string | undefined> {
  // No statement is prepared there, whose plan could be chosen.
  const { plan_cache_mode: _, ...settings } = sessionSettings(timeoutMs)
  const missing = await connection.all<{ name: string; statement: string }>(
    `SELECT name, format('ALTER ROLE %I SET %I = %L;', current_user, name, $1::jsonb ->> name) AS statement
     FROM pg_settings WHERE $1::jsonb ? name AND setting = ANY (CASE name WHEN 'synchronous_commit' THEN ARRAY['off']
       ELSE ARRAY['on', '0', 'serializable', 'repeatable read'] END) ORDER BY name`,
    JSON.stringify({ ...settings, synchronous_commit: 'on' }),
  )
  if (missing.length === 0) return undefined
  const names = missing.map(({ name }) => name).join(', ')
  const statements = missing.map(({ statement }) => statement).join(' ')
  return `behind a pooler, its role has to have settings that it lacks: ${names}. Run, and restart the pooler: ${statements}`
}
