import { StoreUnavailableError } from '../store.js'
import type { ConnectionOptions } from './connection-options.js'
import { type Connection, connect, type TimeLimits } from './pg-connection.js'
import { ConnectionLostError, isConflict } from './pg-errors.js'

/** Connections that are opened as they are needed. After `close` every call fails with a StoreUnavailableError. */
export type PostgresPool = {
  /** Runs work on a connection that no other call uses meanwhile. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** The same for work that may run twice: it runs again, on another connection, where the connection was lost. */
  repeat<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Runs work of several statements: all of it is committed, or nothing. It may run again after a rollback.
   * @param mode of BEGIN, e.g. `READ ONLY`
   */
  transaction<T>(work: (connection: Connection) => Promise<T>, mode?: string): Promise<T>
  /** Waits for the calls before it, then closes all connections. */
  close(): Promise<void>
}

/** How often a transaction runs that others make fail. */
const maxAttempts = 5

/**
 * @param size how many connections are open at most
 * @param limits a call waits for a connection as long as connecting may take
 */
export function createPostgresPool(
  options: ConnectionOptions,
  size: number,
  limits: TimeLimits,
): PostgresPool {
  const { name } = options
  const idle: Connection[] = []
  /** Calls that wait for a connection; undefined tells one that it may open its own. */
  const waiting: ((connection: Connection | undefined) => void)[] = []
  const running = new Set<Promise<unknown>>()
  let open = 0
  let closing: Promise<void> | undefined

  const wait = () =>
    new Promise<Connection | undefined>((resolve, reject) => {
      const take = (connection: Connection | undefined) => {
        clearTimeout(timer)
        resolve(connection)
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(take), 1)
        reject(new StoreUnavailableError(`The database ${name} is busy: all ${size} connections are in use`))
      }, limits.connectMs)
      waiting.push(take)
    })

  const acquire = async (): Promise<Connection> => {
    for (let next = idle.pop(); next; next = idle.pop()) {
      if (next.isUsable()) return next
      void discard(next)
    }
    if (open >= size) {
      const handed = await wait()
      if (handed) return handed
    } else open += 1
    try {
      return await connect(options, limits)
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Gives a place in the pool to the call that has waited longest. */
  const leave = () => {
    const next = waiting.shift()
    if (next) next(undefined)
    else open -= 1
  }
  const discard = async (connection: Connection) => {
    leave()
    await connection.close()
  }
  const release = (connection: Connection) => {
    if (!connection.isUsable()) return void discard(connection)
    const next = waiting.shift()
    if (next) next(connection)
    else idle.push(connection)
  }

  const use = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    if (closing !== undefined) throw new StoreUnavailableError(`The database ${name} is closed`)
    const call = acquire().then((connection) => work(connection).finally(() => release(connection)))
    running.add(call)
    try {
      return await call
    } finally {
      running.delete(call)
    }
  }

  return {
    use,
    async repeat(work) {
      try {
        return await use(work)
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error
        return use(work)
      }
    },
    async transaction(work, mode = '') {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await use((connection) => transaction(connection, work, mode))
        } catch (error) {
          if (attempt === maxAttempts || !isConflict(error)) throw error
        }
      }
    },
    close() {
      closing ??= Promise.allSettled(running).then(async () => {
        await Promise.all(idle.map((connection) => connection.close()))
      })
      return closing
    },
  }
}

/** Runs work as one transaction on a connection: all of it is committed, or nothing. */
export async function transaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
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
