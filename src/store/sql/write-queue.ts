import { StoreUnavailableError } from '../store.js'
import { BatchFailedError, type SqlConnection, type SqlDatabase } from './sql-database.js'

/** A kind of write. Few statements write several items. */
export type WriteKind<Item, Result> = {
  /** A batch writes its kinds in the order of their names, so that two processes lock rows in one order. */
  name: string
  /**
   * Writes items within the transaction of the caller.
   * @returns the result of each item, in their order; an Error for an item that failed by itself
   */
  write(connection: SqlConnection, items: Item[]): Promise<(Result | Error)[]>
}

type Write = {
  /** Such as the id of a team. Undefined for a write without a batch. */
  owner: string | undefined
  kind: WriteKind<unknown, unknown>
  item: unknown
  /** When it was added (`performance.now`). */
  since: number
  hasStarted: boolean
  /** Whether its caller was told that it took too long. */
  isGivenUp: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
}

export type WriteQueue = ReturnType<typeof createWriteQueue>

type WriteQueueOptions = Pick<SqlDatabase, 'transaction'> & {
  /** How long a write may wait to begin, in milliseconds. */
  timeoutMs: number
  /** Whether the database takes one transaction at a time. */
  isSerial: boolean
}

const maxBatch = 256
/** The most writes of one owner in a batch, so that one user cannot slow down others. */
const maxOfOwner = 64
/**
 * A batch starts once as many writes wait as the busiest of the recent batches saw, or after this time, in milliseconds. With 8, one
 * busy user made the writes of others take four times as long; with 2, twice (the drill noisy-neighbour).
 */
const gatherMs = 2
/** The number of recent batches. */
const rememberedBatches = 8
/** How long a batch waits for a lock of another process, in milliseconds. */
const lockTimeoutMs = 200
/** How many owners of failed batches are written at once. Each has a connection. */
const maxRetries = 4
/** Extra time for a write that has started, in milliseconds: the database may still say why it waits. */
const graceMs = 1_000

/**
 * A queue of writes. It commits them in groups: the disk takes as long for many writes as for one. One batch is written
 * at a time. A batch takes the first write of each owner, then the second of each, and so on.
 *
 * If a batch fails, also by a time limit or a row that another process keeps locked, the writes of each owner are retried in a
 * transaction of their own. Only the owner of a failing or slow write is affected. If the store is unavailable, all of them fail.
 */
export function createWriteQueue({ transaction, timeoutMs, isSerial }: WriteQueueOptions) {
  /** The writes that wait for a batch. The owner that was served last is the last. */
  const waitingByOwner = new Map<string, Write[]>()
  /** The writes that wait for a transaction of their own. */
  const alone: Write[] = []
  /** The writes of failed batches, a list for each owner. */
  const retries: Write[][] = []
  /** The owners whose writes are retried. Their later writes wait. */
  const ownersInRetry = new Set<string | undefined>()
  let batch: 'none' | 'gathering' | 'due' | 'running' = 'none'
  let gatherTimer: NodeJS.Timeout | undefined
  /** For each recent batch: its writes, and those that waited when it ended. */
  const writers = [1]
  let waiting = 0
  let transactions = 0
  let runningRetries = 0
  /** The writes with a time limit, oldest first. They share a timer. */
  const limited = new Set<Write>()
  let limitTimer: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined
  let onIdle = () => {}

  const enqueue = <Result>(owner: Write['owner'], kind: WriteKind<never, Result>, item: unknown) =>
    new Promise<Result>((resolve, reject) => {
      if (closing !== undefined) throw new StoreUnavailableError('The database is closed')
      const since = performance.now()
      const write = {
        owner,
        kind,
        item,
        since,
        hasStarted: false,
        isGivenUp: false,
        resolve,
        reject,
      } as Write
      if (owner === undefined) alone.push(write)
      else {
        const queue = waitingByOwner.get(owner)
        if (queue) queue.push(write)
        else waitingByOwner.set(owner, [write])
      }
      waiting += 1
      limited.add(write)
      limitTimer ??= setTimeout(checkLimits, timeoutMs).unref()
    })

  const checkLimits = () => {
    // Timers may fire up to a millisecond early.
    const now = performance.now() + 1
    let next = timeoutMs
    for (const write of limited) {
      const left = write.since + timeoutMs - now
      const extended = write.hasStarted ? left + graceMs : left
      if (extended <= 0) giveUp(write)
      else next = Math.min(next, extended)
      // Later writes have more time left.
      if (left > 0) break
    }
    limitTimer = limited.size > 0 ? setTimeout(checkLimits, next).unref() : undefined
    checkIdle()
  }

  const giveUp = (write: Write) => {
    limited.delete(write)
    write.isGivenUp = true
    if (!write.hasStarted) {
      waiting -= 1
      const owner = write.owner ?? ''
      const others = waitingByOwner.get(owner)?.filter((each) => each !== write)
      if (others?.length === 0) waitingByOwner.delete(owner)
      else if (others) waitingByOwner.set(owner, others)
    }
    const state = write.hasStarted ? 'the write took too long' : 'the write waited too long in the queue'
    write.reject(new StoreUnavailableError(`The database is busy: ${state}`))
  }

  const startNext = () => {
    const isFree = () => !isSerial || transactions === 0
    if (batch === 'due' && isFree()) void runBatch()
    while (alone.length > 0 && isFree()) void run(alone.splice(0, 1))
    while (retries.length > 0 && isFree() && runningRetries < maxRetries) void runRetry()
    gather()
  }

  const hasFreeOwner = () => {
    for (const owner of waitingByOwner.keys()) if (!ownersInRetry.has(owner)) return true
    return false
  }

  const gather = () => {
    if (batch === 'running' || batch === 'due' || !hasFreeOwner()) return
    if (waiting >= Math.max(...writers)) {
      clearTimeout(gatherTimer)
      batch = 'due'
      // Writes that arrive in this turn of the event loop join the batch.
      setImmediate(startNext)
    } else if (batch === 'none') {
      batch = 'gathering'
      gatherTimer = setTimeout(() => {
        batch = 'due'
        startNext()
      }, gatherMs)
    }
  }

  const takeBatch = (): Write[] => {
    const free = [...waitingByOwner].filter(([owner]) => !ownersInRetry.has(owner))
    const taken: Write[] = []
    for (let round = 0; round < maxOfOwner && taken.length < maxBatch; round += 1) {
      const writes = free.flatMap(([, queue]) => queue[round] ?? [])
      if (writes.length === 0) break
      taken.push(...writes.slice(0, maxBatch - taken.length))
    }
    const counts = groupBy(taken, ({ owner }) => owner)
    for (const [owner, queue] of free) {
      const { length } = counts.get(owner) ?? []
      if (length === 0) continue
      waitingByOwner.delete(owner)
      if (queue.length > length) waitingByOwner.set(owner, queue.slice(length))
    }
    return taken
  }

  const runBatch = async () => {
    batch = 'running'
    const taken = takeBatch()
    await run(taken, lockTimeoutMs)
    batch = 'none'
    writers.push(taken.length + waiting)
    if (writers.length > rememberedBatches) writers.shift()
    startNext()
  }

  const runRetry = async () => {
    const writes = retries.shift() ?? []
    runningRetries += 1
    await run(writes)
    runningRetries -= 1
    for (const { owner } of writes) ownersInRetry.delete(owner)
    startNext()
  }

  const run = async (writes: Write[], lockTimeout?: number) => {
    const wanted = writes.filter(({ isGivenUp }) => !isGivenUp)
    if (wanted.length === 0) return
    for (const write of wanted) {
      write.hasStarted = true
      if (write.owner === undefined) limited.delete(write)
    }
    waiting -= wanted.length
    transactions += 1
    await commit(wanted, lockTimeout)
    transactions -= 1
    startNext()
    checkIdle()
  }

  const commit = async (writes: Write[], lockTimeout?: number): Promise<void> => {
    const fail = (error: unknown) => {
      for (const write of writes) {
        limited.delete(write)
        write.reject(error)
      }
    }
    try {
      const results = await transaction((connection) => writeKinds(connection, writes), lockTimeout)
      for (const [write, result] of results) {
        limited.delete(write)
        if (result instanceof Error) write.reject(result)
        else write.resolve(result)
      }
    } catch (error) {
      const byOwner = [...groupBy(writes, ({ owner }) => owner).values()]
      if (error instanceof BatchFailedError && lockTimeout !== undefined) retryByOwner(byOwner)
      // A retry would meet the same fault, such as a full disk.
      else if (error instanceof StoreUnavailableError || writes.length === 1) fail(error)
      else if (byOwner.length > 1) retryByOwner(byOwner)
      else for (const write of writes) await commit([write])
    }
  }

  const retryByOwner = (byOwner: Write[][]) => {
    retries.push(...byOwner)
    for (const write of byOwner.flat()) {
      ownersInRetry.add(write.owner)
      write.hasStarted = false
      if (!write.isGivenUp) waiting += 1
    }
  }

  const checkIdle = () => {
    if (waiting + transactions === 0) onIdle()
  }

  return {
    /**
     * Writes an item, in a batch with others that wait.
     * @param owner such as the id of a team: a batch serves all owners equally
     * @throws StoreUnavailableError after the time limit, or once the queue is closed
     */
    add<Item, Result>(owner: string, kind: WriteKind<Item, Result>, item: Item): Promise<Result> {
      const written = enqueue(owner, kind, item)
      gather()
      return written
    },
    /**
     * Runs work as a transaction without other writes. It has no time limit once it has started.
     * @throws StoreUnavailableError as `add`
     */
    transaction<Result>(work: (connection: SqlConnection) => Promise<Result>): Promise<Result> {
      const done = enqueue(
        undefined,
        { name: '', write: async (connection) => [await work(connection)] },
        undefined,
      )
      startNext()
      return done
    },
    /** The number of writes that wait. */
    waiting: () => waiting,
    /** Waits for the earlier writes, and refuses later ones. */
    close(): Promise<void> {
      closing ??= new Promise<void>((resolve) => {
        onIdle = resolve
        checkIdle()
      }).then(() => clearTimeout(limitTimer))
      return closing
    },
  }
}

async function writeKinds(connection: SqlConnection, writes: Write[]): Promise<[Write, result: unknown][]> {
  const results: [Write, unknown][] = []
  const kinds = [...groupBy(writes, ({ kind }) => kind)]
  for (const [kind, ofKind] of kinds.toSorted(([a], [b]) => (a.name < b.name ? -1 : 1))) {
    const written = await kind.write(
      connection,
      ofKind.map(({ item }) => item),
    )
    for (const [i, write] of ofKind.entries()) results.push([write, written[i]])
  }
  return results
}

function groupBy<Item, Key>(items: Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
