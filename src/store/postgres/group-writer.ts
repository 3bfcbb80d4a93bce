import { batchSize } from '../sql-state.js'
import { StoreUnavailableError } from '../store.js'
import type { PostgresPool } from './pg-pool.js'

/** One statement that writes several items: all of them, or none. */
export type GroupStatement<Item, Result> = {
  /** Returns a result for each item, in their order. */
  run(db: PostgresPool, items: Item[]): Promise<Result[]>
  /** Items with equal keys run in separate statements, in order. Without it there are no conflicts. */
  conflictKey?(item: Item): string
  /** Whether two groups may be written at once, on two connections: only without conflicts. */
  isConcurrent?: boolean
}

type PendingWrite<Item, Result> = {
  enqueuedAt: number
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

type Group<Item, Result> = { pending: PendingWrite<Item, Result>[]; flush(): void }

export type GroupWriter = {
  /** Writes one item, together with all that wait for the same statement. */
  run<Item, Result>(statement: GroupStatement<Item, Result>, item: Item): Promise<Result>
  /** The number of writes that wait. */
  waiting(): number
}

/**
 * Writes in groups: whatever arrives while a statement runs goes into the next one, since the database takes about as
 * long for many rows as for one. One statement of a kind runs at a time, and a second one if it may and is not smaller:
 * the database then works while the results of the other are sent. If a group fails, each of its writes is run by itself,
 * so that a failing one harms no other.
 * @param waitMs how long a write may wait, in milliseconds
 */
export function createGroupWriter(db: PostgresPool, waitMs: number): GroupWriter {
  const groups = new Map<unknown, Group<unknown, unknown>>()

  const createGroup = <Item, Result>(statement: GroupStatement<Item, Result>): Group<Item, Result> => {
    const pending: PendingWrite<Item, Result>[] = []
    /** The sizes of the groups that are being written. */
    const running: number[] = []
    let isFlushing = false

    const mayStart = () => {
      const [first, second] = running
      if (pending.length === 0 || second !== undefined) return false
      return first === undefined || (statement.isConcurrent && pending.length >= first)
    }
    const start = () => {
      isFlushing = false
      if (!mayStart()) return
      const now = performance.now()
      const batch: PendingWrite<Item, Result>[] = []
      for (const write of takeBatch(statement, pending)) {
        if (now - write.enqueuedAt <= waitMs) batch.push(write)
        else write.reject(new StoreUnavailableError('The database is busy: the write waited too long'))
      }
      running.push(batch.length)
      const end = (settle: () => void) =>
        // The next statement is for all that arrive in this turn, and starts before the callers of this one go on.
        setImmediate(() => {
          running.splice(running.indexOf(batch.length), 1)
          start()
          settle()
        })
      void writeBatch(db, statement, batch).then(end)
    }

    return {
      pending,
      flush() {
        if (isFlushing || !mayStart()) return
        isFlushing = true
        setImmediate(start)
      },
    }
  }

  return {
    run<Item, Result>(statement: GroupStatement<Item, Result>, item: Item): Promise<Result> {
      const group = (groups.get(statement) ?? createGroup(statement)) as Group<Item, Result>
      groups.set(statement, group as Group<unknown, unknown>)
      return new Promise((resolve, reject) => {
        group.pending.push({ enqueuedAt: performance.now(), item, resolve, reject })
        group.flush()
      })
    },
    waiting: () => [...groups.values()].reduce((sum, { pending }) => sum + pending.length, 0),
  }
}

/** Removes what runs together from the pending writes: up to the first conflict, and not too many. */
function takeBatch<Item, Result>(
  { conflictKey }: GroupStatement<Item, Result>,
  pending: PendingWrite<Item, Result>[],
): PendingWrite<Item, Result>[] {
  if (!conflictKey) return pending.splice(0, batchSize)
  const keys = new Set<string>()
  for (const { item } of pending.slice(0, batchSize)) {
    const { size } = keys
    if (keys.add(conflictKey(item)).size === size) break
  }
  return pending.splice(0, keys.size)
}

/** Writes a batch; returns what tells its members the results. */
async function writeBatch<Item, Result>(
  db: PostgresPool,
  statement: GroupStatement<Item, Result>,
  batch: PendingWrite<Item, Result>[],
): Promise<() => void> {
  if (batch.length === 0) return () => {}
  try {
    const results = await statement.run(
      db,
      batch.map(({ item }) => item),
    )
    return () => {
      for (const [i, write] of batch.entries()) write.resolve(results[i] as Result)
    }
  } catch (error) {
    // A lost connection or a full disk affects all of them, and each retry would wait for it again.
    const canRetry = batch.length > 1 && !(error instanceof StoreUnavailableError)
    const settles: (() => void)[] = []
    for (const write of batch) {
      settles.push(canRetry ? await writeBatch(db, statement, [write]) : () => write.reject(error))
    }
    return () => {
      for (const settle of settles) settle()
    }
  }
}
