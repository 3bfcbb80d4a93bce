import { setImmediate } from 'node:timers/promises'
import { createQueue } from '../queue.js'
import { batchSize } from '../sql-state.js'
import { StoreUnavailableError } from '../store.js'
import type { PostgresPool } from './pg-pool.js'

/** One statement that writes several items: all of them, or none. */
export type GroupStatement<Item, Result> = {
  /** Returns a result for each item, in their order. */
  run(db: PostgresPool, items: Item[]): Promise<Result[]>
  /** Items with equal keys run in separate statements, in order. Without it there are no conflicts. */
  conflictKey?(item: Item): string
}

type PendingWrite = {
  enqueuedAt: number
  item: unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

export type GroupWriter = {
  /** Writes one item, together with all that wait for the same statement. */
  run<Item, Result>(statement: GroupStatement<Item, Result>, item: Item): Promise<Result>
  /** The number of writes that wait. */
  waiting(): number
}

/**
 * Writes in groups: whatever arrives while a statement runs goes into the next one, since the database takes about as
 * long for many rows as for one. One statement of a kind runs at a time. If a group fails, each of its writes is run by
 * itself, so that a failing one harms no other.
 * @param waitMs how long a write may wait, in milliseconds
 */
export function createGroupWriter(db: PostgresPool, waitMs: number): GroupWriter {
  type Group = { pending: PendingWrite[]; enqueue: ReturnType<typeof createQueue> }
  const groups = new Map<GroupStatement<unknown, unknown>, Group>()

  const flush = async (statement: GroupStatement<unknown, unknown>, { pending }: Group) => {
    // The end of the turn: all calls of a turn go together.
    await setImmediate()
    const now = performance.now()
    const batch = takeBatch(statement, pending)
    const isExpired = ({ enqueuedAt }: PendingWrite) => now - enqueuedAt > waitMs
    for (const { reject } of batch.filter(isExpired)) {
      reject(new StoreUnavailableError('The database is busy: the write waited too long'))
    }
    await writeBatch(
      db,
      statement,
      batch.filter((write) => !isExpired(write)),
    )
  }

  return {
    run<Item, Result>(statement: GroupStatement<Item, Result>, item: Item): Promise<Result> {
      const key = statement as GroupStatement<unknown, unknown>
      const group = groups.get(key) ?? { pending: [], enqueue: createQueue() }
      groups.set(key, group)
      return new Promise<Result>((resolve, reject) => {
        const write = { enqueuedAt: performance.now(), item, resolve, reject } as PendingWrite
        group.pending.push(write)
        // Each write enqueues a flush; those for which nothing is left end at once.
        void group.enqueue(async () => {
          if (group.pending.includes(write)) await flush(key, group)
        })
      })
    },
    waiting: () => [...groups.values()].reduce((sum, { pending }) => sum + pending.length, 0),
  }
}

/** Removes what runs together from the pending writes: up to the first conflict, and not too many. */
function takeBatch(
  { conflictKey }: GroupStatement<unknown, unknown>,
  pending: PendingWrite[],
): PendingWrite[] {
  const keys = new Set<string>()
  let length = 0
  while (length < Math.min(pending.length, batchSize)) {
    const key = conflictKey?.(pending[length]?.item)
    if (key !== undefined && keys.has(key)) break
    if (key !== undefined) keys.add(key)
    length += 1
  }
  return pending.splice(0, length)
}

async function writeBatch(
  db: PostgresPool,
  statement: GroupStatement<unknown, unknown>,
  batch: PendingWrite[],
): Promise<void> {
  if (batch.length === 0) return
  try {
    const results = await statement.run(
      db,
      batch.map(({ item }) => item),
    )
    for (const [i, { resolve }] of batch.entries()) resolve(results[i])
  } catch (error) {
    // A lost connection or a full disk affects all of them, and each retry would wait for it again.
    const canRetry = batch.length > 1 && !(error instanceof StoreUnavailableError)
    for (const write of batch) {
      if (canRetry) await writeBatch(db, statement, [write])
      else write.reject(error)
    }
  }
}
