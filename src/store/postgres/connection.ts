import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { loadDriver } from '../load-driver.js'
import type { SqlConnection, Value } from '../sql/sql-database.js'
import type { ConnectionOptions, Host, SessionAttributes } from './connection-options.js'
import { connectingError, databaseError, endsConnection } from './database-errors.js'

/** A server, and how to reach it. */
export type Server = {
  host: Host
  tls: ConnectionOptions['tls'][number]
  isStandby: boolean
  isReadOnly: boolean
  /** What was initialized once, and is the same on its standbys. */
  system: string
  /** A promoted server has a higher one than the primary before it. */
  timeline: number
  /** When it was started: hosts with the same system and time lead to the same server. */
  startedAt: string
}

export type TimeLimits = {
  /** How long connecting may take, in milliseconds. */
  connectMs: number
  /** How long a statement may take, in milliseconds; 0 is no limit. */
  statementMs: number
}

/** How much later than the server the client ends a statement, in milliseconds: the server says why. */
const graceMs = 500

/** The settings of the driver for connections to a server. */
export const clientConfig = (
  options: ConnectionOptions,
  { host, tls }: Pick<Server, 'host' | 'tls'>,
  { connectMs, statementMs }: TimeLimits,
) => ({
  ...host,
  user: options.user,
  database: options.database,
  application_name: options.applicationName,
  ssl: tls,
  password: () => options.password(host),
  keepAlive: true,
  connectionTimeoutMillis: Math.ceil(connectMs),
  ...(statementMs > 0 && { query_timeout: statementMs + graceMs }),
})

/** The timeline that a server writes; that of a standby. A promoted server has no checkpoint on its own one at first. */
const timeline = `CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint())
  ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int END`

/**
 * Asks a host, with or without TLS, what it is.
 * @param ways as in libpq, `sslmode` means nothing for a socket of this machine
 * @throws StoreUnavailableError, DriverMissingError
 */
export async function askServer(
  options: ConnectionOptions,
  host: Host,
  connectMs: number,
  [tls = false, ...others]: ConnectionOptions['tls'] = host.host.startsWith('/') ? [] : options.tls,
): Promise<Server> {
  const { Client } = loadDriver('pg')
  const limits = { connectMs, statementMs: connectMs }
  const client = new Client(clientConfig(options, { host, tls }, limits))
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Omit<Server, 'host' | 'tls'>>(
      `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
         (SELECT system_identifier::text FROM pg_control_system()) AS system,
         ${timeline} AS timeline, pg_postmaster_start_time()::text AS "startedAt"`,
    )
    return { host, tls, ...(rows[0] as Omit<Server, 'host' | 'tls'>) }
  } catch (error) {
    if (others.length === 0 || !mayUseOther(error as Error)) throw connectingError(options.name, error)
    return askServer(options, host, connectMs, others)
  } finally {
    void client.end().catch(() => {})
  }
}

/** Whether another way to connect, with or without TLS, may succeed. */
const mayUseOther = (error: Error & { code?: string }): boolean =>
  /SSL|TLS/.test(error.message) || error.code === '28000'

/** Whether a server has the attributes. */
export const hasAttributes = ({ isStandby, isReadOnly }: Server, attributes: SessionAttributes): boolean =>
  ({
    any: true,
    'read-write': !isReadOnly,
    'read-only': isReadOnly,
    primary: !isStandby,
    standby: isStandby,
    'prefer-standby': true,
  })[attributes]

/** The connections that lead through a pooler. */
const pooled = new WeakSet<Client>()

/** What statements rely on. Every query looks rows up by key: with few rows the planner would read whole tables. */
export const sessionSettings = (statementMs: number): Record<string, string> => ({
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // A statement is planned once. Its values say nothing that the plan could use.
  plan_cache_mode: 'force_generic_plan',
  // With a higher level of the role, a statement may fail for what others do at once.
  default_transaction_isolation: 'read committed',
  statement_timeout: `${statementMs}ms`,
  idle_in_transaction_session_timeout: `${statementMs}ms`,
})

/**
 * Prepares a new connection. A pooler shows itself by another process id: it may run each statement in another session of
 * the server, so that a session keeps no settings, and no statements that were prepared.
 * @returns whether there is one
 */
export async function prepareSession(client: Client, statementMs: number): Promise<boolean> {
  const { processID = 0 } = client as { processID?: number }
  const set = Object.entries(sessionSettings(statementMs)).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  )
  // A write is on the disk when it is acknowledged. Other values than off, such as remote_apply, promise as much or more.
  // They are left to the server, where they may change.
  set.push(
    "CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END",
  )
  const { rows } = await client.query<{ isPooled: boolean }>({
    text: `SELECT pg_backend_pid() <> $1 AS "isPooled", CASE WHEN pg_backend_pid() = $1 THEN concat(${set}) END`,
    values: [processID],
  })
  if (!rows[0]?.isPooled) return false
  pooled.add(client)
  return true
}

/**
 * The statements of a client. After an error that ends its use they fail at once: a ROLLBACK would wait behind a statement
 * that never ends.
 * @param onEnd called with that error
 */
export function overClient(name: string, client: Client, onEnd: (error: unknown) => void): SqlConnection {
  let ended: Error | undefined
  const query = async (sql: string, values?: Value[]) => {
    if (ended) throw ended
    try {
      const isPrepared = values !== undefined && !pooled.has(client)
      return await client.query({ text: sql, values, ...(isPrepared && { name: statementName(sql) }) })
    } catch (error) {
      const mapped = databaseError(name, error)
      if (endsConnection(error)) {
        ended = mapped
        onEnd(error)
      }
      throw mapped
    }
  }
  return {
    all: async <Row>(sql: string, ...values: Value[]) => (await query(sql, values)).rows as Row[],
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
    exec: async (script) => void (await query(script)),
  }
}

/** The name of a prepared statement: the same in every process, so that it never names another statement. */
const statementName = (sql: string): string =>
  `dashboard_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
