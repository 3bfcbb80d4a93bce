import { coalesce } from '../coalesce.js'
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

type PendingWrite = { enqueuedAt: number; item: unknown; outcome?: PromiseSettledResult<unknown> }

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
  type Group = { pending: PendingWrite[]; flush(): Promise<void> }
  const groups = new Map<GroupStatement<unknown, unknown>, Group>()

  const createGroup = (statement: GroupStatement<unknown, unknown>): Group => {
    const pending: PendingWrite[] = []
    const flush = coalesce(async () => {
      const now = performance.now()
      const batch = takeBatch(statement, pending)
      const isExpired = ({ enqueuedAt }: PendingWrite) => now - enqueuedAt > waitMs
      for (const write of batch.filter(isExpired)) {
        const reason = new StoreUnavailableError('The database is busy: the write waited too long')
        write.outcome = { status: 'rejected', reason }
      }
      await writeBatch(
        db,
        statement,
        batch.filter((write) => !isExpired(write)),
      )
    })
    return { pending, flush }
  }

  return {
    async run<Item, Result>(statement: GroupStatement<Item, Result>, item: Item): Promise<Result> {
      const key = statement as GroupStatement<unknown, unknown>
      const { pending, flush } = groups.get(key) ?? createGroup(key)
      groups.set(key, { pending, flush })
      const write: PendingWrite = { enqueuedAt: performance.now(), item }
      pending.push(write)
      // A write that conflicts with others has to wait for a later flush.
      do await flush()
      while (write.outcome === undefined)
      if (write.outcome.status === 'rejected') throw write.outcome.reason
      return write.outcome.value as Result
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
    for (const [i, write] of batch.entries()) write.outcome = { status: 'fulfilled', value: results[i] }
  } catch (error) {
    // A lost connection or a full disk affects all of them, and each retry would wait for it again.
    const canRetry = batch.length > 1 && !(error instanceof StoreUnavailableError)
    for (const write of batch) {
      if (canRetry) await writeBatch(db, statement, [write])
      else write.outcome = { status: 'rejected', reason: error }
    }
  }
}
