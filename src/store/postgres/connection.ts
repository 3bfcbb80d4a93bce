import { createHash } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import type { SqlConnection, Value } from '../sql/sql-database.js'
import { databaseError, endsConnection } from './database-errors.js'

/**
 * A client of the driver that closes its connection if the login fails. Otherwise the connection would stay open until the
 * server ends it, for example because no password is set.
 */
export const endingClient = (Base: typeof Client): typeof Client =>
  class extends Base {
    constructor(config?: ClientConfig) {
      super(config)
      // The next use notices a lost connection. Without a listener, 'error' would end the process, also before the pool adds
      // its own.
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

const pooled = new WeakSet<Client>()

/**
 * The settings that statements rely on. Every query looks rows up by key; for small tables the planner would scan instead.
 */
export const sessionSettings = (statementMs: number): Record<string, string> => ({
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Each statement is planned once: its values would not improve the plan.
  plan_cache_mode: 'force_generic_plan',
  // With a higher default level, a statement could fail because of concurrent writes.
  default_transaction_isolation: 'read committed',
  statement_timeout: `${statementMs}ms`,
  idle_in_transaction_session_timeout: `${statementMs}ms`,
})

/**
 * Prepares a new connection, and detects a pooler by a differing process id. Behind a pooler, each statement may run in
 * another session: settings and prepared statements do not last.
 * @param connectMs the time limit, in milliseconds
 * @returns whether the connection leads through a pooler
 */
export async function prepareSession(
  client: Client,
  statementMs: number,
  connectMs: number,
): Promise<boolean> {
  // The process id that was sent to this connection at its start: a pooler sends one of its own. The driver's types and pages
  // lack the property, its maintainers name it (node-postgres#2665). No query tells as much: it runs in the session behind the
  // pooler, whose settings look the same, and whose client has another port behind a mere balancer too. A connection without
  // an id counts as pooled.
  const { processID = 0 } = client as { processID?: number }
  const set = Object.entries(sessionSettings(statementMs)).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  )
  // An acknowledged write has to be on the disk. Other values than off, such as remote_apply, promise as much, and are left
  // to the server.
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
 * Runs statements on a client. After an error that ends its use, further statements fail at once: a ROLLBACK would wait
 * behind a statement that never ends.
 * @param limitMs how long the driver waits for a statement, in milliseconds; 0 is no limit
 * @param onEnd called when the connection can no longer be used
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

/**
 * A connection that does not wait for `begin`: the queries that follow are sent together with it. Statements that write wait
 * for its answer, since without a transaction they would be committed.
 */
export function beginWithQueries(
  connection: SqlConnection,
  begin: string,
  onBegun: () => void,
): SqlConnection {
  let begun: Promise<void> | undefined
  const ready = (sql: string) => (/^\s*SELECT\b/.test(sql) ? undefined : begun)
  return {
    async all(sql, ...values) {
      await ready(sql)
      return connection.all(sql, ...values)
    },
    async run(sql, ...values) {
      await ready(sql)
      return connection.run(sql, ...values)
    },
    async exec(script) {
      if (script !== begin) {
        await begun
        return connection.exec(script)
      }
      begun = connection.exec(begin).then(onBegun)
      // Its error fails the next statement that waits for it.
      begun.catch(() => {})
    },
  }
}

/** The name of a prepared statement. It depends on the text alone, so that it never names another statement. */
const statementName = (sql: string): string =>
  `dashboard_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
