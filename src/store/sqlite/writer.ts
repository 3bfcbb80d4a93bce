import { StoreUnavailableError } from '../store.js'
import type { Connection } from './connection.js'
import { createQueue } from './queue.js'

/** Runs work as one transaction that may write: all of it is kept, or none. */
export async function transaction<T>(
  handle: Connection,
  work: (handle: Connection) => Promise<T>,
): Promise<T> {
  // IMMEDIATE takes the write lock at the start: a transaction never finds half-way that another was faster.
  await handle.run('BEGIN IMMEDIATE')
  try {
    const result = await work(handle)
    await handle.run('COMMIT')
    return result
  } catch (error) {
    // After some failures, a full disk for one, SQLite has rolled back already and this one fails: no matter.
    await handle.run('ROLLBACK').catch(() => {})
    throw error
  }
}

/** One statement that does the same for several items, all or none. */
export type BatchStatement<Item, Result> = {
  /** Gives a result for each item, in their order. */
  run(handle: Connection, items: Item[]): Promise<Result[]>
  /** What only one item of a run may be about; others about the same come after it, in their order. Left out: none. */
  conflictKey?(item: Item): string
  /** What a run changed for certain, if nothing but projects of teams, or what no answer shows. Left out: anything. */
  changed?(items: Item[], results: Result[]): Changed
}

/** How many rows were written, and the teams whose projects are among them. */
type Changed = { rows: number; teams: string[] }

type PendingWrite = {
  enqueuedAt: number
  /** What is done for this one, and for all others that wait with the same one. */
  statement: BatchStatement<unknown, unknown>
  isAlone: boolean
  item: unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Gives what is called after a transaction that wrote for certain, and changed nothing but the projects of teams. */
type Begin = () => (teams: string[]) => void

/** How long a commit waits for those who are likely to write, in milliseconds. */
const gatherMs = 1
/** More writers than these fill each commit while the one before it is running. */
const mostAwaited = 32

export type Writer = ReturnType<typeof createWriter>

/**
 * The one writer of a store. Whatever waits while a commit is running goes into the next one together, for the
 * disk takes as long for many as for one. Where several wrote or waited when the last commit ended, the next one
 * waits a moment for as many: that costs less than a commit for each. Where something in it fails each is tried
 * by itself, so that one that fails harms no other; work may therefore run twice, the first time to be rolled back.
 * @param patienceMs how long work may wait for its turn, in milliseconds. While another process holds
 *   the lock each commit takes the whole busy time-out, and those behind would be answered later and later.
 * @param begin called before each transaction
 */
export function createWriter(handle: Connection, patienceMs: number, begin: Begin = () => () => {}) {
  const inTurn = createQueue()
  let waiting: PendingWrite[] = []
  /** How many wrote or waited when the last commit ended. */
  let writers = 1
  let onAll = () => {}

  const waitForBatch = () =>
    new Promise<void>((resolve) => {
      if (waiting.length >= writers || writers > mostAwaited) return resolve()
      onAll = resolve
      setTimeout(resolve, gatherMs)
    })

  const flushBatch = async () => {
    await waitForBatch()
    const now = performance.now()
    const late = waiting.filter(({ enqueuedAt }) => now - enqueuedAt > patienceMs)
    const batch = waiting.filter((one) => !late.includes(one))
    waiting = []
    for (const { reject } of late) {
      reject(new StoreUnavailableError('The database is busy: the writes before took too long'))
    }
    await commit(handle, batch, begin).then(
      (told) => {
        // Before they are told, for some write again at once.
        writers = batch.length + waiting.length
        for (const tell of told) tell()
      },
      async (error) => {
        // A lock or a full disk is in the way of all of them, and each would wait for it again.
        const isOfOne = batch.length > 1 && !(error instanceof StoreUnavailableError)
        for (const one of batch)
          isOfOne
            ? await commit(handle, [one], begin).then(([tell]) => tell?.(), one.reject)
            : one.reject(error)
      },
    )
  }

  const wait = <Item, Result>(statement: BatchStatement<Item, Result>, isAlone: boolean, item: Item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({
        enqueuedAt: performance.now(),
        statement,
        isAlone,
        item,
        resolve,
        reject,
      } as PendingWrite)
      if (waiting.length === 1) void inTurn(flushBatch)
      if (waiting.length >= writers) onAll()
    })

  return {
    /** Does work of several statements: all of it is kept, or none. */
    write: <T>(work: (handle: Connection) => Promise<T>): Promise<T> =>
      wait({ run: async (handle) => [await work(handle)] }, false, undefined),
    /** Does one statement for an item, and for all that wait for the same statement. */
    run: <Item, Result>(statement: BatchStatement<Item, Result>, item: Item): Promise<Result> =>
      wait(statement, true, item),
    /** How much work waits for its turn. */
    waiting: (): number => waiting.length,
    /** Closes the connection once every write before is done. */
    close: (): Promise<void> => inTurn(() => handle.close()),
  }
}

/** Commits a batch as one; gives what tells each of its members the result. */
async function commit(handle: Connection, batch: PendingWrite[], begin: Begin): Promise<(() => void)[]> {
  const ended = begin()
  const groups = groupsOf(batch)
  const runAll = async () => {
    const told: (() => void)[] = []
    const changed: Changed[] = []
    for (const { statement, members } of groups) {
      const items = members.map(({ item }) => item)
      const results = await statement.run(handle, items)
      for (const [i, { resolve }] of members.entries()) told.push(() => resolve(results[i]))
      if (statement.changed) changed.push(statement.changed(items, results))
    }
    return { told, changed }
  }
  // A statement by itself is a transaction already.
  const isOne = groups.length === 1 && batch[0]?.isAlone
  const { told, changed } = await (isOne ? runAll() : transaction(handle, runAll))
  if (changed.length === groups.length && changed.some(({ rows }) => rows > 0)) {
    ended([...new Set(changed.flatMap(({ teams }) => teams))])
  }
  return told
}

/** What goes to SQLite in one statement each: those with the same one, and of them no two about the same. */
function groupsOf(batch: PendingWrite[]) {
  const groups: { statement: PendingWrite['statement']; members: PendingWrite[]; about: Set<string> }[] = []
  const add = (statement: PendingWrite['statement']) => {
    const group = { statement, members: [], about: new Set<string>() }
    groups.push(group)
    return group
  }
  for (const one of batch) {
    const { statement, item } = one
    const about = statement.conflictKey?.(item)
    // The first one after all that are about the same.
    const last =
      about === undefined
        ? -1
        : groups.findLastIndex((group) => group.statement === statement && group.about.has(about))
    const group = groups.slice(last + 1).find((next) => next.statement === statement) ?? add(statement)
    group.members.push(one)
    if (about !== undefined) group.about.add(about)
  }
  return groups
}
