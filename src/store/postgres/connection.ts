import { createHash } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import type { SqlConnection, Value } from '../sql/sql-database.js'
import { databaseError, endsConnection } from './database-errors.js'

/**
 * A client of the driver that is ended where it cannot log in. Otherwise its connection stays open until the server ends it,
 * for example because no password is set.
 */
export const endingClient = (Base: typeof Client): typeof Client =>
  class extends Base {
    constructor(config?: ClientConfig) {
      super(config)
      // A lost connection is noticed by its next use. Without a listener its event would end the process, also in the moment
      // before the pool has one.
      this.on('error', () => {})
    }
    override connect(): Promise<Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
      if (!callback) return super.connect()
      super.connect((error: Error | null) => {
        if (error) void this.end().catch(() => {})
        callback(error as Error)
      })
      return undefined
    }
  }

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
 * @param connectMs how long it may take, in milliseconds
 * @returns whether there is one
 */
export async function prepareSession(
  client: Client,
  statementMs: number,
  connectMs: number,
): Promise<boolean> {
  // The id that the connection was told. The types of pg lack it; its maintainers name it (node-postgres#2665), and no query
  // tells it: that reaches the session behind the pooler. Without an id the connection is treated as one of a pooler.
  const { processID = 0 } = client as { processID?: number }
  const set = Object.entries(sessionSettings(statementMs)).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  )
  // A write is on the disk when it is acknowledged. Other values than off, such as remote_apply, promise as much or more.
  // They are left to the server, where they may change.
  set.push(
    "CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END",
  )
  const query = {
    text: `SELECT pg_backend_pid() <> $1 AS "isPooled", CASE WHEN pg_backend_pid() = $1 THEN concat(${set}) END`,
    values: [processID],
    query_timeout: connectMs,
  }
  const { rows } = await client.query<{ isPooled: boolean }>(query)
  if (!rows[0]?.isPooled) return false
  pooled.add(client)
  return true
}

/**
 * The statements of a client. After an error that ends its use they fail at once: a ROLLBACK would wait behind a statement
 * that never ends.
 * @param limitMs how long the driver waits for a statement, in milliseconds; 0 is no limit
 * @param onEnd called when the connection cannot be used any more
 */
export function overClient(name: string, client: Client, limitMs: number, onEnd: () => void): SqlConnection {
  let ended: Error | undefined
  const query = async (sql: string, values?: Value[]) => {
    if (ended) throw ended
    const began = performance.now()
    try {
      const isPrepared = values !== undefined && !pooled.has(client)
      return await client.query({ text: sql, values, ...(isPrepared && { name: statementName(sql) }) })
    } catch (error) {
      const isLate = limitMs > 0 && performance.now() - began >= limitMs
      const mapped = databaseError(name, error, isLate)
      if (endsConnection(error)) {
        ended = mapped
        onEnd()
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
