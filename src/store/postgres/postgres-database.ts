import type { Client, PoolClient } from 'pg'
import type { PostgresAddress } from '../database-address.js'
import { loadDriver } from '../load-driver.js'
import { runTransaction } from '../sql/run-transaction.js'
import { BatchFailedError, type SqlConnection, type SqlDatabase, type Value } from '../sql/sql-database.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'
import { StoreUnavailableError } from '../store.js'
import { beginWithQueries, endingClient, overClient, prepareSession } from './connection.js'
import { connectionConfig, type PostgresOptions } from './connection-config.js'
import {
  ConnectionLostError,
  connectingError,
  isConflict,
  isLockTimeout,
  isOfStatement,
} from './database-errors.js'
import { postgresDialect } from './dialect.js'
import { createFence } from './fence.js'
import { describeMissingSettings } from './pooler-settings.js'

/** How often a transaction is tried if conflicts make it fail. */
const maxAttempts = 5
const idleTimeoutMillis = 60_000
/** How much later than the server the client ends a statement, in milliseconds, so that the server can say why. */
const graceMs = 500

export type PostgresDatabase = SqlDatabase & {
  /** Runs work on one connection, without a transaction. */
  onConnection<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result>
}

export type DatabaseOptions = PostgresOptions &
  Pick<SqlStoreOptions, 'onCall'> & {
    /** Whether a server in recovery is accepted. Nothing is written then. */
    mayBeStandby?: boolean
  }

/**
 * Opens a database behind one address; the first use connects. When a connection is lost, or a newer server is found behind
 * the address, older connections are closed: they may lead to the previous server.
 * @throws DatabaseRefusedError if the address cannot be used
 */
export function openPostgres(
  address: PostgresAddress,
  {
    poolSize: size = 10,
    timeoutMs = 5000,
    statementMs = timeoutMs,
    mayBeStandby = false,
    onWarning = () => {},
    onCall = () => {},
    ...login
  }: DatabaseOptions,
): PostgresDatabase {
  const { name } = address
  const { config, warnings } = connectionConfig(address, login)
  const { Client: BaseClient, Pool } = loadDriver('pg')
  const limitMs = statementMs > 0 ? statementMs + graceMs : 0
  // So that time is left for the others, if the statements of one team take long.
  const batchLimit = statementMs > 0 ? `SET LOCAL statement_timeout = ${Math.ceil(statementMs / 4)}` : ''
  const checkServer = createFence(onWarning)
  const openedAt = new WeakMap<Client, number>()
  /** Connections that were opened earlier are no longer used (`performance.now`). */
  let validSince = 0
  let isPoolerChecked = false
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const onConnect = async (client: Client): Promise<void> => {
    // Taken before the server is checked: if another connection finds a newer server meanwhile, this one is invalid too.
    let since = performance.now()
    for (const warning of warnings.splice(0)) onWarning(warning)
    const isPooled = await prepareSession(client, statementMs, timeoutMs)
    const ask = async <Row extends object>(text: string) =>
      (await client.query<Row>({ text, query_timeout: timeoutMs } as { text: string })).rows[0]
    if (!mayBeStandby && (await checkServer(ask))) {
      since = performance.now()
      validSince = since
    }
    if (isPooled && !isPoolerChecked) {
      isPoolerChecked = true
      const connection = overClient(name, client, limitMs, () => {})
      const warning = await describeMissingSettings(connection, statementMs)
      if (warning !== undefined) onWarning(warning)
    }
    openedAt.set(client, since)
  }

  const pool = new Pool({
    ...config,
    Client: endingClient(BaseClient),
    max: size,
    connectionTimeoutMillis: Math.ceil(timeoutMs),
    query_timeout: limitMs,
    idleTimeoutMillis,
    // A frozen server does not close its side of a connection.
    allowExitOnIdle: true,
    onConnect: (client) => onConnect(client as Client),
  })
  // The next use notices a lost connection.
  pool.on('error', () => {})

  /** Limits the time for a server that stops answering while a connection is prepared or ended, which the pool does not. */
  const connect = async (): Promise<PoolClient> => {
    const connecting = pool.connect()
    if (pool.idleCount > 0) return connecting
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        connecting.then((client) => client.release()).catch(() => {})
        reject(new Error('the server does not answer'))
      }, 2 * timeoutMs)
    })
    return Promise.race([connecting, limit]).finally(() => clearTimeout(timer))
  }

  const acquire = async (): Promise<PoolClient> => {
    for (;;) {
      const client = await connect().catch((error) => {
        const used = pool.totalCount - pool.idleCount
        throw connectingError(name, error, `${used} of ${size} connections are in use`)
      })
      if ((openedAt.get(client as Client) ?? 0) >= validSince) return client
      client.release(true)
    }
  }

  const onClient = async <T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> => {
    const client = await acquire()
    let isLost = false
    const connection = overClient(name, client as Client, limitMs, () => {
      isLost = true
      validSince = performance.now()
    })
    try {
      return await work(connection)
    } finally {
      client.release(isLost)
    }
  }

  const use = async <T>(
    method: 'read' | 'write',
    work: (connection: SqlConnection) => Promise<T>,
  ): Promise<T> => {
    if (closing !== undefined) throw new StoreUnavailableError(`The database ${name} is closed`)
    const started = performance.now()
    const call = onClient(work)
    running.add(call)
    try {
      return await call
    } finally {
      running.delete(call)
      onCall({ method, ms: performance.now() - started })
    }
  }

  const read = async <Row>(sql: string, ...values: Value[]): Promise<Row[]> => {
    const query = () => use('read', (connection) => connection.all<Row>(sql, ...values))
    // A read on a lost connection is repeated once.
    return query().catch((error) => {
      if (error instanceof ConnectionLostError) return query()
      throw error
    })
  }

  return {
    name,
    dialect: postgresDialect,
    read,
    readLarge: read,
    async transaction(work, lockTimeoutMs) {
      const isBatch = lockTimeoutMs !== undefined
      const begin = isBatch ? `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; ${batchLimit}` : 'BEGIN'
      for (let attempt = 1; ; attempt += 1) {
        let hasBegun = false
        const onBegun = () => {
          hasBegun = true
        }
        try {
          return await use('write', (connection) =>
            runTransaction(beginWithQueries(connection, begin, onBegun), begin, work),
          )
        } catch (error) {
          // BEGIN notices a connection that was lost while idle.
          const mayRepeat = isConflict(error) || (error instanceof ConnectionLostError && !hasBegun)
          if (mayRepeat && attempt < maxAttempts && !(isBatch && isLockTimeout(error))) continue
          if (isBatch && isOfStatement(error)) {
            throw new BatchFailedError((error as Error).message, { cause: error })
          }
          throw error
        }
      }
    },
    snapshot: (work) =>
      use('read', (connection) =>
        runTransaction(connection, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
      ),
    onConnection: (work) => use('read', work),
    close() {
      closing ??= Promise.allSettled(running).then(() => pool.end())
      return closing
    },
  }
}
