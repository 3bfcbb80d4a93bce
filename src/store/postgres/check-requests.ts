import type { Check } from '../production-store.js'
import { probeRequests } from '../sql/probe-requests.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { StoreUnavailableError } from '../store.js'
import { postgresDialect } from './dialect.js'

/** What an administrator can do, by SQLSTATE. */
const remedies: Record<string, string> = {
  '42501':
    'Run: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO USER. Where a table has policies (row-level security), they must let USER see and write every row.',
  '25006':
    'Run: ALTER DATABASE NAME RESET default_transaction_read_only; ALTER ROLE USER RESET default_transaction_read_only. A server in recovery accepts no writes.',
  '42P01':
    'Let the search_path of USER name the schema of the tables: ALTER ROLE USER SET search_path = NAME.',
  '42883':
    'A trigger, a policy or an extension calls a function that is missing: restore it, or remove its caller.',
  '42P10': 'Restore the keys of the tables.',
  '55000':
    'A publication includes the table: run ALTER TABLE NAME REPLICA IDENTITY DEFAULT, or take the table out of it.',
  '57014': 'Another session holds a lock: SELECT pid, query FROM pg_stat_activity lists the sessions.',
}
const otherRemedy = 'Undo the last change of the database, its tables or its user.'

/**
 * Runs the probe of the running service, and takes its writes back.
 * @returns undefined for a server in recovery, which is only read
 */
export async function checkRequests(connection: SqlConnection): Promise<Check | undefined> {
  const [server] = await connection.all<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"')
  if (server?.isStandby) return undefined
  try {
    await connection.exec('BEGIN')
    await probeRequests(connection, postgresDialect)
    return { check: 'requests', ok: true, found: 'requests that read and write succeed' }
  } catch (error) {
    const cause = error instanceof StoreUnavailableError ? (error.cause ?? error) : error
    const { code = '', message } = cause as Error & { code?: string }
    const found = `requests fail: ${message}`
    return { check: 'requests', ok: false, found, hint: remedies[code] ?? otherRemedy }
  } finally {
    await connection.exec('ROLLBACK').catch(() => {})
  }
}
