import type { SqlConnection } from '../sql/sql-database.js'
import { sessionSettings } from './connection.js'

/**
 * Compares the settings of the role with those that `prepareSession` sets elsewhere: behind a pooler a session keeps no
 * settings.
 * @param connection leads through a pooler
 * @returns the missing settings, with statements that set them; undefined if none is missing
 */
export async function describeMissingSettings(
  connection: SqlConnection,
  timeoutMs: number,
): Promise<string | undefined> {
  // Behind a pooler no statement is prepared.
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
