import type { Client, Pool, PoolClient } from 'pg'
import { loadDriver } from '../load-driver.js'
import { runTransaction } from '../sql/run-transaction.js'
import { LockTimeoutError, type SqlConnection, type SqlDatabase, type Value } from '../sql/sql-database.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'
import { StoreUnavailableError } from '../store.js'
import { type Choice, createServerChoice, describePrimaries } from './choose-server.js'
import { clientConfig, overClient, prepareSession, type TimeLimits } from './connection.js'
import type { ConnectionOptions, PostgresOptions } from './connection-options.js'
import { ConnectionLostError, connectingError, isConflict, isLockTimeout } from './database-errors.js'
import { postgresDialect } from './dialect.js'
import { describeMissingSettings } from './pooler-settings.js'

/** How often a transaction runs that others make fail. */
const maxAttempts = 5
/** For how long a server of second choice is used, in milliseconds: the first choice may be back. */
const secondChoiceMs = 1_000
/** The shortest time between two attempts to find a server, in milliseconds. */
const retryMs = 100
const idleTimeoutMillis = 60_000

type ServerPool = {
  /** Connections to one server. */
  pool: Pool
  /** Until when they are used (`performance.now`). */
  until: number
  /** What ends the waits for a connection. */
  waits: Set<() => void>
}

export type PostgresDatabase = SqlDatabase & {
  /** Runs work on one connection, outside a transaction. */
  onConnection<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result>
  /** How many servers of the address accept writes beside the one that is used. */
  otherPrimaries(): number
}

export type DatabaseOptions = PostgresOptions & Pick<SqlStoreOptions, 'onCall'>

/**
 * A pool of the driver that leads to one server at a time. When that server is lost, or does not accept writes any more,
 * a server is chosen again: what was read with a version never comes from another server than the version.
 */
export function createPostgresDatabase(
  options: ConnectionOptions,
  {
    poolSize: size = 10,
    timeoutMs = 5000,
    statementMs = timeoutMs,
    onWarning = () => {},
    onCall = () => {},
  }: DatabaseOptions,
): PostgresDatabase {
  const limits: TimeLimits = { connectMs: timeoutMs, statementMs }
  const { Pool } = loadDriver('pg')
  const { name } = options
  const choose = createServerChoice(options, limits.connectMs)
  let known: ServerPool | undefined
  let opening: Promise<ServerPool> | undefined
  let otherPrimaries = 0
  let isPoolerChecked = false
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const onConnect = async (client: Client): Promise<void> => {
    const isPooled = await prepareSession(client, limits.statementMs)
    if (!isPooled || isPoolerChecked) return
    isPoolerChecked = true
    const warning = await describeMissingSettings(
      overClient(name, client, () => {}),
      limits.statementMs,
    )
    if (warning !== undefined) onWarning(warning)
  }

  const openPool = ({ server, isSecondChoice, others }: Choice): ServerPool => {
    const warning = describePrimaries(server, others)
    if (warning !== undefined && others.length !== otherPrimaries) onWarning(warning)
    otherPrimaries = others.length
    const pool = new Pool({
      ...clientConfig(options, server, limits),
      max: size,
      idleTimeoutMillis,
      // A server that is frozen does not close its side of a connection.
      allowExitOnIdle: true,
      onConnect: (client) => onConnect(client as Client),
    })
    // A lost connection is noticed by its next use, also while a caller has it.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    const until = isSecondChoice ? performance.now() + secondChoiceMs : Number.POSITIVE_INFINITY
    return { pool, until, waits: new Set() }
  }

  const openNext = async (): Promise<ServerPool> => {
    try {
      known = openPool(await choose())
      opening = undefined
      return known
    } catch (error) {
      // The failure is for all who call in the next moment.
      setTimeout(() => {
        opening = undefined
      }, retryMs).unref()
      throw error
    }
  }

  const currentPool = async (): Promise<ServerPool> => {
    if (known && performance.now() >= known.until) retire(known)
    if (known) return known
    opening ??= openNext()
    return opening
  }

  /** Chooses a server again for the next call. */
  const retire = (lost: ServerPool) => {
    if (known !== lost) return
    known = undefined
    lost.pool.end().catch(() => {})
    const waits = [...lost.waits]
    lost.waits.clear()
    for (const end of waits) end()
  }

  /** @returns undefined if the pool was retired meanwhile: it would leave those who wait to their time limit */
  const connect = ({ pool, waits }: ServerPool) =>
    new Promise<PoolClient | undefined>((resolve, reject) => {
      const end = () => resolve(undefined)
      waits.add(end)
      pool.connect().then(
        (client) => (waits.delete(end) ? resolve(client) : client.release(true)),
        (error) => {
          waits.delete(end)
          reject(error)
        },
      )
    })

  const acquire = async (attempt = 1): Promise<{ client: PoolClient; from: ServerPool }> => {
    const from = await currentPool()
    try {
      const client = attempt < maxAttempts ? await connect(from) : await from.pool.connect()
      return client ? { client, from } : acquire(attempt + 1)
    } catch (error) {
      const { message } = error as Error
      if (/timeout exceeded when trying to connect/.test(message) && from.pool.totalCount >= size) {
        throw new StoreUnavailableError(`The database ${name} is busy: all ${size} connections are in use`)
      }
      retire(from)
      throw connectingError(name, error)
    }
  }

  const work = async <T>(act: (connection: SqlConnection) => Promise<T>): Promise<T> => {
    const { client, from } = await acquire()
    let isLost = false
    const connection = overClient(name, client, () => {
      isLost = true
    })
    try {
      return await act(connection)
    } finally {
      client.release(isLost)
      if (isLost) retire(from)
    }
  }

  const use = async <T>(
    method: 'read' | 'write',
    act: (connection: SqlConnection) => Promise<T>,
  ): Promise<T> => {
    if (closing !== undefined) throw new StoreUnavailableError(`The database ${name} is closed`)
    const started = performance.now()
    const call = work(act)
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
    // Where the connection was lost, once more on another one.
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
    async transaction(act, lockTimeoutMs) {
      const begin = lockTimeoutMs === undefined ? 'BEGIN' : `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`
      for (let attempt = 1; ; attempt += 1) {
        let hasBegun = false
        const begun: typeof act = (connection) => {
          hasBegun = true
          return act(connection)
        }
        try {
          return await use('write', (connection) => runTransaction(connection, begin, begun))
        } catch (error) {
          if (lockTimeoutMs !== undefined && isLockTimeout(error)) {
            throw new LockTimeoutError((error as Error).message, { cause: error })
          }
          // A connection that was lost while it was idle is noticed by BEGIN.
          const mayRepeat = isConflict(error) || (error instanceof ConnectionLostError && !hasBegun)
          if (attempt === maxAttempts || !mayRepeat) throw error
        }
      }
    },
    snapshot: (act) =>
      use('read', (connection) =>
        runTransaction(connection, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', act),
      ),
    onConnection: (act) => use('read', act),
    otherPrimaries: () => otherPrimaries,
    close() {
      closing ??= Promise.allSettled(running).then(async () => {
        await opening?.catch(() => {})
        await known?.pool.end()
      })
      return closing
    },
  }
}
