import { StoreUnavailableError } from '../store.js'
import type { Handle } from './handle.js'
import { createQueue } from './queue.js'

/** Runs work as one transaction that may write: all of it is kept, or none. */
export async function transaction<T>(handle: Handle, work: (handle: Handle) => Promise<T>): Promise<T> {
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

export type Writer = ReturnType<typeof createWriter>

/**
 * The one writer of a store: its transactions run one after the other, and one that fails harms no other.
 * @param patienceMs how long a transaction may wait for its turn, in milliseconds. While another process holds
 *   the lock each of them takes the whole busy time-out, and those behind would be answered later and later.
 */
export function createWriter(handle: Handle, patienceMs: number) {
  const inTurn = createQueue()
  let waiting = 0
  return {
    async write<T>(work: (handle: Handle) => Promise<T>): Promise<T> {
      const asked = performance.now()
      waiting += 1
      return inTurn(() => {
        waiting -= 1
        if (performance.now() - asked <= patienceMs) return transaction(handle, work)
        throw new StoreUnavailableError('The database is busy: the writes before took too long')
      })
    },
    /** How many transactions wait for their turn. */
    waiting: (): number => waiting,
    /** Closes the connection once every write before is done. */
    close: (): Promise<void> => inTurn(() => handle.close()),
  }
}
