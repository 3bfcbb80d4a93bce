import type { Client, Pool, PoolClient } from 'pg'
import type { SqlConnection, SqlDatabase, Value } from '../sql/sql-database.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'
import { StoreUnavailableError } from '../store.js'
import { type Choice, createServerChoice } from './choose-server.js'
import { clientConfig, overClient, prepareSession, type TimeLimits } from './connect.js'
import type { ConnectionOptions } from './connection-options.js'
import { ConnectionLostError, connectingError, isConflict } from './database-errors.js'
import { postgresDialect } from './dialect.js'
import { loadPostgresDriver } from './load-driver.js'
import type { PostgresOptions } from './postgres-store.js'

/** How often a transaction runs that others make fail. */
const maxAttempts = 5
/** For how long a server of second choice is used, in milliseconds: the first choice may be back. */
const secondChoiceMs = 1_000
/** The shortest time between two attempts to find a server, in milliseconds. */
const retryMs = 100
const idleTimeoutMillis = 60_000

/** Connections to one server, and until when they are used (`performance.now`). */
type ServerPool = { pool: Pool; until: number }

export type PostgresDatabase = SqlDatabase & {
  /** What is wrong with the choice of the server, if anything is. */
  warning(): string | undefined
}

/**
 * A pool of the driver that leads to one server at a time. When that server is lost, or does not accept writes any more,
 * a server is chosen again: what was read with a version never comes from another server than the version.
 * @param size how many connections are open at most
 * @param limits a call waits for a connection as long as connecting may take
 * @param options.onWarning called when several servers accept writes
 */
export function createPostgresDatabase(
  options: ConnectionOptions,
  size: number,
  limits: TimeLimits,
  {
    onWarning = () => {},
    onCall = () => {},
  }: Pick<PostgresOptions, 'onWarning'> & Pick<SqlStoreOptions, 'onCall'> = {},
): PostgresDatabase {
  const { Pool } = loadPostgresDriver()
  const { name } = options
  const choose = createServerChoice(options, limits.connectMs)
  let current: Promise<ServerPool> | undefined
  let warning: string | undefined
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const openPool = ({ server, isSecondChoice, ...choice }: Choice): ServerPool => {
    if (choice.warning !== undefined && choice.warning !== warning) onWarning(choice.warning)
    warning = choice.warning
    const pool = new Pool({
      ...clientConfig(options, server, limits),
      max: size,
      idleTimeoutMillis,
      onConnect: (client) => prepareSession(client as Client, limits.statementMs),
    })
    // A lost connection is noticed by its next use.
    pool.on('error', () => {})
    return { pool, until: isSecondChoice ? performance.now() + secondChoiceMs : Number.POSITIVE_INFINITY }
  }

  const currentPool = async (): Promise<ServerPool> => {
    const known = await current
    if (known && performance.now() < known.until) return known
    if (known) retire(known)
    if (!current) {
      const opening = choose().then(openPool)
      current = opening
      opening.catch(() => setTimeout(() => forget(opening), retryMs).unref())
    }
    return current
  }
  const forget = (opening: Promise<ServerPool>) => {
    if (current === opening) current = undefined
  }
  /** Chooses a server again for the next call. */
  const retire = (lost: ServerPool) => {
    void current?.then((known) => {
      if (known !== lost) return
      current = undefined
      void lost.pool.end()
    })
  }

  const acquire = async (): Promise<{ client: PoolClient; from: ServerPool }> => {
    const from = await currentPool()
    try {
      return { client: await from.pool.connect(), from }
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
    dialect: postgresDialect,
    read,
    readLarge: read,
    async transaction(act) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await use('write', (connection) => transaction(connection, act))
        } catch (error) {
          if (attempt === maxAttempts || !isConflict(error)) throw error
        }
      }
    },
    snapshot: (act) =>
      use('read', (connection) => transaction(connection, act, 'ISOLATION LEVEL REPEATABLE READ READ ONLY')),
    warning: () => warning,
    close() {
      closing ??= Promise.allSettled(running).then(async () => {
        const known = await current?.catch(() => undefined)
        await known?.pool.end()
      })
      return closing
    },
  }
}

/** Runs work as one transaction on a connection: all of it is committed, or nothing. */
export async function transaction<T>(
  connection: SqlConnection,
  work: (connection: SqlConnection) => Promise<T>,
  mode = '',
): Promise<T> {
  await connection.exec(`BEGIN ${mode}`)
  try {
    const result = await work(connection)
    await connection.exec('COMMIT')
    return result
  } catch (error) {
    // Fails where the connection is lost; it is not used again then.
    await connection.exec('ROLLBACK').catch(() => {})
    throw error
  }
}
