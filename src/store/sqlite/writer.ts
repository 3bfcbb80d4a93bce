import { createQueue } from '../queue.js'
import { StoreUnavailableError } from '../store.js'
import type { Connection } from './connection.js'

/** Runs work as one transaction: all of it is committed, or nothing. */
export async function transaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  // IMMEDIATE takes the write lock at the start, so that the transaction cannot lose it to another process half-way.
  await connection.run('BEGIN IMMEDIATE')
  try {
    const result = await work(connection)
    await connection.run('COMMIT')
    return result
  } catch (error) {
    // Fails where SQLite has rolled back already, for example after a full disk.
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}

/** One statement that writes several items: all of them, or none. */
export type BatchStatement<Item, Result> = {
  /** Returns a result for each item, in their order. */
  run(connection: Connection, items: Item[]): Promise<Result[]>
  /** Items with equal keys run in separate statements, in order. Without it there are no conflicts. */
  conflictKey?(item: Item): string
}

type PendingWrite = {
  enqueuedAt: number
  /** Writes with the same statement run together. */
  statement: BatchStatement<unknown, unknown>
  item: unknown
  /** Whether it may be several statements. A single one is a transaction by itself. */
  needsTransaction: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** How long a commit waits for other writers, in milliseconds. */
const batchDelayMs = 1
/** With more writers than these, no commit waits: enough writes arrive while the previous commit runs. */
const maxAwaitedWriters = 32

/**
 * The only writer of a store. It commits in groups: whatever arrives while a commit runs goes into the next one, since
 * the disk takes as long for many writes as for one. If there were several writers at the last commit, the next one
 * waits a moment for as many. If a group fails, each of its writes is committed by itself, so that a failing one harms
 * no other. Work may therefore run twice, the first time to be rolled back.
 * @param queueTimeoutMs how long a write may wait in the queue, in milliseconds. While another process holds the lock,
 *   each commit takes the whole busy timeout, and the writes behind it would be answered later and later.
 */
export function createWriter(connection: Connection, queueTimeoutMs: number) {
  const enqueue = createQueue()
  let pending: PendingWrite[] = []
  /** How many writers there were when the last commit ended. */
  let writers = 1
  let endWait = () => {}

  const waitForBatch = () =>
    new Promise<void>((resolve) => {
      if (pending.length >= writers || writers > maxAwaitedWriters) return resolve()
      endWait = resolve
      setTimeout(resolve, batchDelayMs)
    })

  const flushBatch = async () => {
    await waitForBatch()
    const now = performance.now()
    const expired = pending.filter(({ enqueuedAt }) => now - enqueuedAt > queueTimeoutMs)
    const batch = pending.filter((write) => !expired.includes(write))
    pending = []
    for (const { reject } of expired) {
      reject(new StoreUnavailableError('The database is busy: the write waited too long in the queue'))
    }
    await commit(connection, batch).then(
      (acknowledge) => {
        // Counted first, because some writers write again as soon as they are acknowledged.
        writers = batch.length + pending.length
        acknowledge()
      },
      async (error) => {
        // A lock or a full disk affects all of them, and each retry would wait for it again.
        const canRetry = batch.length > 1 && !(error instanceof StoreUnavailableError)
        for (const write of batch) {
          if (canRetry) await commit(connection, [write]).then((acknowledge) => acknowledge(), write.reject)
          else write.reject(error)
        }
      },
    )
  }

  const add = <Item, Result>(
    statement: BatchStatement<Item, Result>,
    item: Item,
    needsTransaction: boolean,
  ) =>
    new Promise<Result>((resolve, reject) => {
      const enqueuedAt = performance.now()
      pending.push({ enqueuedAt, statement, item, needsTransaction, resolve, reject } as PendingWrite)
      if (pending.length === 1) void enqueue(flushBatch)
      if (pending.length >= writers) endWait()
    })

  return {
    /** Runs work of several statements: all of it is committed, or nothing. */
    write: <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
      add({ run: async (connection) => [await work(connection)] }, undefined, true),
    /** Writes one item, together with all that wait for the same statement. */
    run: <Item, Result>(statement: BatchStatement<Item, Result>, item: Item): Promise<Result> =>
      add(statement, item, false),
    /** The number of writes in the queue. */
    waiting: (): number => pending.length,
    /** Closes the connection once every earlier write is done. */
    close: (): Promise<void> => enqueue(() => connection.close()),
  }
}

/** Commits a batch; returns what sends each of its members the result. */
async function commit(connection: Connection, batch: PendingWrite[]): Promise<() => void> {
  const groups = groupByStatement(batch)
  const runGroups = async () => {
    const results: unknown[][] = []
    for (const { statement, members } of groups) {
      const items = members.map(({ item }) => item)
      results.push(await statement.run(connection, items))
    }
    return results
  }
  const isSingle = groups.length === 1 && !batch[0]?.needsTransaction
  const results = await (isSingle ? runGroups() : transaction(connection, runGroups))
  return () => {
    for (const [i, { members }] of groups.entries()) {
      for (const [j, { resolve }] of members.entries()) resolve(results[i]?.[j])
    }
  }
}

/** Groups the writes that run as one statement: those with the same statement and different conflict keys. */
function groupByStatement(batch: PendingWrite[]) {
  const groups: {
    statement: PendingWrite['statement']
    members: PendingWrite[]
    keys: Set<string | undefined>
  }[] = []
  for (const write of batch) {
    const { statement, item } = write
    const key = statement.conflictKey?.(item)
    const isConflict = (group: (typeof groups)[number]) => group.keys.has(key)
    const same = groups.filter((group) => group.statement === statement)
    // The first group after the last conflict, which keeps the order of equal keys.
    let group = same[same.findLastIndex(isConflict) + 1]
    if (!group) {
      group = { statement, members: [], keys: new Set() }
      groups.push(group)
    }
    group.members.push(write)
    if (key !== undefined) group.keys.add(key)
  }
  return groups
}
