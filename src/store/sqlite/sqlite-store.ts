import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ProductionStore } from '../production-store.js'
import { createCallerReader, type ReadCaller } from '../sql/read-callers.js'
import { createSqlStore, type SqlStoreOptions } from '../sql/sql-store.js'
import { createWriteQueue } from '../sql/write-queue.js'
import type { Caller } from '../store.js'
import { createClockCheck } from './check-clock.js'
import type { FileOptions } from './check-file.js'
import { openReopeningDatabase, type ReopeningDatabase } from './reopening-database.js'
import { rewriteVersion } from './schema-version.js'

export type SqliteOptions = FileOptions & {
  /** How long a call waits for another process's lock, or in the queue, in milliseconds. */
  busyTimeoutMs?: number
}

/**
 * Opens the production store, over a SQLite file. A missing file is created.
 * @throws DatabaseRefusedError where the file is not ours, is newer than we know, or is damaged; it is not changed
 */
export async function openSqliteStore(
  path: string,
  { busyTimeoutMs = 5000, by, onAudit, auditProjects, ...options }: SqliteOptions & SqlStoreOptions = {},
): Promise<ProductionStore> {
  const file = resolve(path)
  const db = await openReopeningDatabase(file, busyTimeoutMs, options)
  const { transaction, created, migrated } = db
  const queue = createWriteQueue({ transaction, timeoutMs: busyTimeoutMs, maxBatches: 1 })
  return createSqlStore(
    db,
    queue,
    { by, onAudit, auditProjects },
    {
      checkClock: await createClockCheck(db),
      caller: rememberCallers(db, createCallerReader(db)),
      opened: { created, migrated },
      readBytes: async () => (await stat(file)).size,
      rewriteVersion: (connection) => rewriteVersion(file, connection),
      otherPrimaries: () => 0,
    },
  )
}

/** How many callers are remembered. */
const maxCallers = 10_000

/**
 * The one shortcut past the database: what was read of a caller is used again while the file's change counter, which every
 * commit of any process moves, has not moved. It is read once for all requests of an event-loop turn, at the end of the turn:
 * a read takes 1 to 3 µs, a query 40.
 */
function rememberCallers({ changeCounter }: ReopeningDatabase, readCaller: ReadCaller): ReadCaller {
  /** As they are while the counter is this. */
  const callers = new Map<string, Caller>()
  let knownCounter: number | undefined
  let counting: Promise<number | undefined> | undefined
  const count = (resolve: (counter: number | undefined) => void, reject: (error: unknown) => void) => {
    counting = undefined
    try {
      resolve(changeCounter())
    } catch (error) {
      reject(error)
    }
  }
  return async (sessionId) => {
    // Before the query: a commit in between moves it on.
    counting ??= new Promise((resolve, reject) => setImmediate(count, resolve, reject))
    const counter = await counting
    if (counter === undefined) return readCaller(sessionId)
    if (counter !== knownCounter) callers.clear()
    knownCounter = counter
    const known = callers.get(sessionId)
    if (known) return known
    const caller = await readCaller(sessionId)
    if (callers.size >= maxCallers) callers.clear()
    if (caller && counter === knownCounter) callers.set(sessionId, caller)
    return caller
  }
}
