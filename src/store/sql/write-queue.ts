import { StoreUnavailableError } from '../store.js'
import { LockTimeoutError, type SqlConnection, type SqlDatabase } from './sql-database.js'

/** A kind of write: several of them are written by few statements. */
export type WriteKind<Item, Result> = {
  /** A batch writes its kinds in the order of their names, so that two processes lock rows in one order. */
  name: string
  /**
   * Writes items within the transaction of the caller.
   * @returns the result of each item, in their order; an Error for one that failed by itself
   */
  write(connection: SqlConnection, items: Item[]): Promise<(Result | Error)[]>
}

type Write = {
  /** Undefined for one that has a transaction without other writes. */
  turn: string | undefined
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
/** How many writes of one turn a batch has at most: one user cannot slow down others by a flood. */
const maxOfTurn = 64
/**
 * How long a batch waits for as many writers as there were lately, in milliseconds. With 8, one user who writes all the time
 * made the writes of others take four times as long; with 2, twice (the drill noisy-neighbour). More would save a create a
 * tenth of its CPU time.
 */
const gatherMs = 2
/** Of how many batches the number of writers is remembered. */
const rememberedBatches = 8
/** How long a batch waits for a lock of another process, in milliseconds. */
const lockTimeoutMs = 200
/** How many turns of failed batches are written at once. Each has a connection. */
const maxSeparate = 4
/** Extra time for a write that has started, in milliseconds: the database's error is more specific than ours. */
const graceMs = 1_000

/**
 * The one queue of writes. It commits them in groups: the disk takes as long for many writes as for one. One batch is
 * written at a time. It has the first write of each turn, then the second of each, and so on; writes of one turn stay in
 * their order.
 *
 * If a batch fails, each of its turns is written by itself, so that a failing write harms no other. The same happens if
 * another process keeps a row locked: only the turn that needs this row waits for it.
 */
export function createWriteQueue({ transaction, timeoutMs, isSerial }: WriteQueueOptions) {
  /** The writes that wait for a batch, by turn; the turn that was served last comes last. */
  const turns = new Map<string, Write[]>()
  /** The writes that wait for a transaction without other writes. */
  const single: Write[] = []
  /** The turns of failed batches that wait for a transaction without other turns. */
  const separate: Write[][] = []
  /** The turns in `separate` and those written from it: their later writes wait. */
  const separated = new Set<string | undefined>()
  let batch: 'none' | 'gathering' | 'due' | 'running' = 'none'
  let gatherTimer: NodeJS.Timeout | undefined
  /** How many writers there were when each of the last batches ended. */
  const writers = [1]
  let waiting = 0
  let transactions = 0
  let runningSeparate = 0
  /** The writes with a time limit, oldest first. One timer serves them all. */
  const limited = new Set<Write>()
  let limitTimer: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined
  let onIdle = () => {}

  const enqueue = <Result>(turn: Write['turn'], kind: WriteKind<never, Result>, item: unknown) =>
    new Promise<Result>((resolve, reject) => {
      if (closing !== undefined) throw new StoreUnavailableError('The database is closed')
      const since = performance.now()
      const write = { turn, kind, item, since, hasStarted: false, isGivenUp: false, resolve, reject } as Write
      const queue = turn === undefined ? single : turns.get(turn)
      if (queue) queue.push(write)
      else turns.set(turn as string, [write])
      waiting += 1
      limited.add(write)
      limitTimer ??= setTimeout(checkLimits, timeoutMs).unref()
    })

  const checkLimits = () => {
    const now = performance.now() + 1
    let next = timeoutMs
    for (const write of limited) {
      const left = write.since + timeoutMs - now
      const extended = write.hasStarted ? left + graceMs : left
      if (extended <= 0) giveUp(write)
      else next = Math.min(next, extended)
      // Those after it came later.
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
      const others = turns.get(write.turn ?? '')?.filter((each) => each !== write)
      if (others?.length === 0) turns.delete(write.turn ?? '')
      else if (others) turns.set(write.turn ?? '', others)
    }
    const state = write.hasStarted ? 'the write took too long' : 'the write waited too long in the queue'
    write.reject(new StoreUnavailableError(`The database is busy: ${state}`))
  }

  /** Starts what may start now, and gathers the next batch. */
  const startNext = () => {
    const isFree = () => !isSerial || transactions === 0
    if (batch === 'due' && isFree()) void runBatch()
    while (single.length > 0 && isFree()) void run(single.splice(0, 1))
    while (separate.length > 0 && isFree() && runningSeparate < maxSeparate) void runSeparate()
    gather()
  }

  const hasFreeTurn = () => {
    for (const turn of turns.keys()) if (!separated.has(turn)) return true
    return false
  }

  /** A batch is due when as many writes wait as there were writers lately, or after a time. */
  const gather = () => {
    if (batch === 'running' || batch === 'due' || !hasFreeTurn()) return
    if (waiting >= Math.max(...writers)) {
      clearTimeout(gatherTimer)
      batch = 'due'
      // What else arrives in this turn of the event loop joins it.
      setImmediate(startNext)
    } else if (batch === 'none') {
      batch = 'gathering'
      gatherTimer = setTimeout(() => {
        batch = 'due'
        startNext()
      }, gatherMs)
    }
  }

  const takeInTurn = (): Write[] => {
    const free = [...turns].filter(([turn]) => !separated.has(turn))
    const taken: Write[] = []
    for (let round = 0; round < maxOfTurn && taken.length < maxBatch; round += 1) {
      const writes = free.flatMap(([, queue]) => queue[round] ?? [])
      if (writes.length === 0) break
      taken.push(...writes.slice(0, maxBatch - taken.length))
    }
    const counts = groupBy(taken, ({ turn }) => turn)
    for (const [turn, queue] of free) {
      const { length } = counts.get(turn) ?? []
      if (length === 0) continue
      turns.delete(turn)
      if (queue.length > length) turns.set(turn, queue.slice(length))
    }
    return taken
  }

  const runBatch = async () => {
    batch = 'running'
    const taken = takeInTurn()
    await run(taken, lockTimeoutMs)
    batch = 'none'
    writers.push(taken.length + waiting)
    if (writers.length > rememberedBatches) writers.shift()
    startNext()
  }

  const runSeparate = async () => {
    const part = separate.shift() ?? []
    runningSeparate += 1
    await run(part)
    runningSeparate -= 1
    for (const { turn } of part) separated.delete(turn)
    startNext()
  }

  const run = async (writes: Write[], lockTimeout?: number) => {
    const wanted = writes.filter(({ isGivenUp }) => !isGivenUp)
    if (wanted.length === 0) return
    for (const write of wanted) {
      write.hasStarted = true
      if (write.turn === undefined) limited.delete(write)
    }
    waiting -= wanted.length
    transactions += 1
    await commit(wanted, lockTimeout)
    transactions -= 1
    startNext()
    checkIdle()
  }

  /** Writes all in one transaction, and answers them. */
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
      const byTurn = [...groupBy(writes, ({ turn }) => turn).values()]
      if (error instanceof LockTimeoutError && lockTimeout !== undefined) writeSeparately(byTurn)
      // A full disk affects all of them, and each attempt would meet it again.
      else if (error instanceof StoreUnavailableError || writes.length === 1) fail(error)
      else if (byTurn.length > 1) writeSeparately(byTurn)
      else for (const write of writes) await commit([write])
    }
  }

  const writeSeparately = (byTurn: Write[][]) => {
    separate.push(...byTurn)
    for (const write of byTurn.flat()) {
      separated.add(write.turn)
      write.hasStarted = false
      if (!write.isGivenUp) waiting += 1
    }
  }

  const checkIdle = () => {
    if (waiting + transactions === 0) onIdle()
  }

  return {
    /**
     * Writes an item together with others that wait.
     * @param turn whose write it is, such as the id of a team: all of them are served in turn
     * @throws StoreUnavailableError after the time limit, or once the queue is closed
     */
    add<Item, Result>(turn: string, kind: WriteKind<Item, Result>, item: Item): Promise<Result> {
      const written = enqueue(turn, kind, item)
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
    /** Waits for the writes before it, and refuses those after it. */
    close(): Promise<void> {
      closing ??= new Promise<void>((resolve) => {
        onIdle = resolve
        checkIdle()
      }).then(() => clearTimeout(limitTimer))
      return closing
    },
  }
}

/** Writes the items of each kind together. */
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
