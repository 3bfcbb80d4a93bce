import { StoreUnavailableError } from '../store.js'
import type { SqlConnection, SqlDatabase } from './sql-database.js'

/** The result of a write whose team another process has locked: it is written later, in a batch of its own. */
export const lockedElsewhere = Symbol('locked elsewhere')

/** A kind of write: several of them are written by few statements. */
export type WriteKind<Item, Result> = {
  /**
   * Writes items within the transaction of the caller.
   * @param waits whether to wait for locks of other processes
   * @returns the result of each item, in their order; an Error for one that failed by itself
   */
  write(
    connection: SqlConnection,
    items: Item[],
    waits: boolean,
  ): Promise<(Result | Error | typeof lockedElsewhere)[]>
}

type Pending = {
  turn: string
  kind: WriteKind<unknown, unknown>
  item: unknown
  hasStarted: boolean
  /** Whether it has begun, and should have ended. */
  isLate: boolean
  /** Whether its caller was told that it took too long. */
  isGivenUp: boolean
  timer: NodeJS.Timeout
  resolve(result: unknown): void
  reject(error: unknown): void
}

type Outcome = [write: Pending, result: unknown]

export type WriteQueue = ReturnType<typeof createWriteQueue>

type WriteQueueOptions = Pick<SqlDatabase, 'transaction'> & {
  /** How long a write may wait to begin, in milliseconds. */
  timeoutMs: number
  /** How many batches are written at once. They are of different turns. */
  maxBatches: number
}

const maxBatch = 256
/** How long a batch waits for as many writers as there were lately, in milliseconds. */
const gatherMs = 1
/** How much later a write is answered that has begun, in milliseconds: what the database says of it says more. */
const graceMs = 1_000
/** How many writes of one turn a batch has at most: nobody waits for another's flood. */
const maxOfTurn = 64
/** How many batches wait at once for locks of other processes; each has a connection. */
const maxWaitingForLocks = 3
/** With more writers than these no batch waits: enough writes arrive while the previous one is committed. */
const maxAwaitedWriters = 32
/** Of how many batches the number of writers is remembered. */
const rememberedBatches = 8

/**
 * Commits writes in groups: whatever arrives while a batch is written goes into the next one, since the disk takes as
 * long for many writes as for one. Each batch has one write of each turn, then a second one, and so on. Writes of one
 * turn stay in their order. If a batch fails, its parts are written by themselves, so that a failing one harms no other.
 */
export function createWriteQueue({ transaction, timeoutMs, maxBatches }: WriteQueueOptions) {
  /** The writes that wait, by turn; the turn that was served last comes last. */
  const turns = new Map<string, Pending[]>()
  /** The turns of the batches that are being written. */
  const busy = new Set<string>()
  /** The turns that another process has locked. */
  const contended = new Set<string>()
  let batches = 0
  let waitingForLocks = 0
  let waiting = 0
  let running = 0
  /** How many writers there were when each of the last batches ended. */
  const writers = [1]
  /** A batch that is about to begin; `writers` is how many it waits for, if it waits. */
  let gathering: { writers?: number; end(): void } | undefined
  let closing: Promise<void> | undefined
  let onIdle = () => {}

  const expire = (write: Pending) => {
    if (write.hasStarted && !write.isLate) {
      write.isLate = true
      write.timer = setTimeout(expire, graceMs, write)
      return
    }
    if (!write.hasStarted) {
      const queue = turns.get(write.turn)
      queue?.splice(queue.indexOf(write), 1)
      if (queue?.length === 0) turns.delete(write.turn)
      waiting -= 1
    }
    write.isGivenUp = true
    const state = write.hasStarted ? 'the write took too long' : 'the write waited too long in the queue'
    write.reject(new StoreUnavailableError(`The database is busy: ${state}`))
    checkIdle()
  }

  /** Takes the first writes of their turns out of the queue. */
  const take = (batch: Pending[]): Pending[] => {
    for (const { turn } of batch) {
      const queue = turns.get(turn) ?? []
      queue.shift()
      turns.delete(turn)
      if (queue.length > 0) turns.set(turn, queue)
      busy.add(turn)
    }
    waiting -= batch.length
    return batch
  }

  /** Takes writes of all turns that are free, each in turn. */
  const takeInTurn = (): Pending[] => {
    const free = [...turns].filter(([turn]) => !busy.has(turn) && !contended.has(turn))
    const batch: Pending[] = []
    for (let round = 0; round < maxOfTurn && batch.length < maxBatch; round += 1) {
      const writes = free.flatMap(([, queue]) => queue[round] ?? [])
      if (writes.length === 0) break
      batch.push(...writes.slice(0, maxBatch - batch.length))
    }
    return take(batch)
  }

  /** Writes a batch in one transaction; if that fails, the turns by themselves, then each write. */
  const writeAll = async (batch: Pending[], waits: boolean): Promise<Outcome[]> => {
    try {
      return await transaction((connection) => writeKinds(connection, batch, waits))
    } catch (error) {
      // A lock or a full disk affects all of them, and each attempt would wait for it again.
      if (batch.length === 1 || error instanceof StoreUnavailableError) {
        return batch.map((write) => [write, error])
      }
      const turns = [...groupBy(batch, ({ turn }) => turn).values()]
      const outcomes: Outcome[] = []
      for (const part of turns.length > 1 ? turns : batch.map((write) => [write])) {
        outcomes.push(...(await writeAll(part, waits)))
      }
      return outcomes
    }
  }

  /** @param waits whether to wait for a lock that another process has, beside the batches of the others */
  const flush = async (batch: Pending[], waits: boolean) => {
    if (batch.length === 0) return
    for (const write of batch) {
      write.hasStarted = true
    }
    const count = (by: 1 | -1) => {
      running += by * batch.length
      if (waits) waitingForLocks += by
      else batches += by
    }
    count(1)
    const outcomes = await writeAll(batch, waits)
    count(-1)
    for (const { turn } of batch) busy.delete(turn)
    for (const [write, outcome] of outcomes) {
      if (outcome === lockedElsewhere) continue
      clearTimeout(write.timer)
      if (outcome instanceof Error) write.reject(outcome)
      else write.resolve(outcome)
    }
    for (const [write, outcome] of outcomes.toReversed()) {
      if (outcome !== lockedElsewhere || write.isGivenUp) continue
      write.hasStarted = false
      turns.set(write.turn, [write, ...(turns.get(write.turn) ?? [])])
      contended.add(write.turn)
      waiting += 1
    }
    if (!waits) writers.push(batch.length + waiting)
    if (writers.length > rememberedBatches) writers.shift()
    start()
    checkIdle()
  }

  const checkIdle = () => {
    if (waiting + running === 0) onIdle()
  }

  /** Starts the next batch at the end of this turn of the event loop, or when as many writers wait as before. */
  const start = () => {
    for (const turn of contended) {
      if (waitingForLocks >= maxWaitingForLocks || busy.has(turn)) continue
      contended.delete(turn)
      void flush(take((turns.get(turn) ?? []).slice(0, maxOfTurn)), true)
    }
    if (gathering || waiting === 0 || batches >= maxBatches) return
    const end = () => {
      if (gathering !== own) return
      gathering = undefined
      void flush(takeInTurn(), false)
    }
    const awaited = Math.max(...writers)
    const isAwaited = waiting + running < awaited && awaited <= maxAwaitedWriters
    const own = { end, ...(isAwaited && { writers: awaited }) }
    gathering = own
    if (isAwaited) setTimeout(end, gatherMs)
    else setImmediate(end)
  }

  return {
    /**
     * Writes an item together with others that wait.
     * @param turn whose write it is, such as the id of a team: all of them are served in turn
     * @throws StoreUnavailableError after the time limit, or once the queue is closed
     */
    add: <Item, Result>(turn: string, kind: WriteKind<Item, Result>, item: Item) =>
      new Promise<Result>((resolve, reject) => {
        if (closing !== undefined) throw new StoreUnavailableError('The database is closed')
        const state = { hasStarted: false, isLate: false, isGivenUp: false }
        const write = { turn, kind, item, ...state, resolve, reject } as unknown as Pending
        write.timer = setTimeout(expire, timeoutMs, write)
        const queue = turns.get(turn)
        if (queue) queue.push(write)
        else turns.set(turn, [write])
        waiting += 1
        start()
        if (waiting + running >= (gathering?.writers ?? Number.POSITIVE_INFINITY)) gathering?.end()
      }),
    /** The number of writes that wait. */
    waiting: () => waiting,
    /** Waits for the writes before it, and refuses those after it. */
    close(): Promise<void> {
      closing ??= new Promise<void>((resolve) => {
        onIdle = resolve
        checkIdle()
      })
      return closing
    },
  }
}

/** Writes the items of each kind together. */
async function writeKinds(connection: SqlConnection, batch: Pending[], waits: boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [kind, writes] of groupBy(batch, ({ kind }) => kind)) {
    const items = writes.map(({ item }) => item)
    const results = await kind.write(connection, items, waits)
    outcomes.push(...writes.map((write, i): Outcome => [write, results[i]]))
  }
  return outcomes
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
