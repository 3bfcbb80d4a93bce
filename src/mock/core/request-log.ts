import { ControlError } from './control-error.js'
import type { StoredEntry } from './log-entry.js'

export type Log = ReturnType<typeof createLog>

/** A cleared log can be restored until so many requests have followed. */
const maxSinceClear = 100

/** @param size the most entries that are stored. @throws ControlError for a number that is not from 1 to 100,000 */
export function createLog(size = 1000) {
  if (!(Number.isInteger(size) && size >= 1 && size <= 100_000)) {
    throw new ControlError(`"${size}" is not a size of the log: give a number of entries from 1 to 100000.`)
  }
  const listeners = new Set<(entry: StoredEntry) => void>()
  /** By their ids, which are consecutive: taking the oldest from a large array moves all others. */
  const entries = new Map<number, StoredEntry>()
  let lastId = 0
  let generation = 0
  let clears = 0
  /** What the last `clear` has removed, until so many entries have followed. */
  let cleared: { entries: StoredEntry[]; until: number } | undefined

  const first = () => lastId - entries.size + 1

  return {
    /** Returns the stored entries, oldest first: all of them, or those after an id, `limit` at most. */
    read(since = 0, limit = Number.POSITIVE_INFINITY) {
      const from = Math.max(first(), since + 1)
      const length = Math.max(0, Math.min(lastId - from + 1, limit))
      return Array.from({ length }, (_, i) => entries.get(from + i) as StoredEntry)
    },
    /** @throws ControlError if there is no such entry, or no more */
    get(id: number) {
      const entry = entries.get(id)
      if (entry) return entry
      const range = entries.size === 0 ? 'It is empty.' : `It has the requests ${first()} to ${lastId}.`
      throw new ControlError(`The log has no request ${id}. ${range}`, [], 404)
    },
    /** The id of the last entry. */
    lastId: () => lastId,
    /** Empties the log. Requests that have begun by now do not get into it. */
    clear() {
      if (entries.size > 0) cleared = { entries: [...entries.values()], until: lastId + maxSinceClear }
      entries.clear()
      clears += 1
    },
    /**
     * Takes back the last `clear`.
     * @returns the entries that are there again. @throws ControlError if there is none, or too many requests followed
     */
    restore(): StoredEntry[] {
      const restored = cleared?.entries
      if (!restored) throw new ControlError('There is no cleared log to restore.', [], 409)
      cleared = undefined
      // Those that followed come last, as by their ids.
      const later = [...entries.values()]
      entries.clear()
      for (const entry of [...restored, ...later].slice(-size)) entries.set(entry.id, entry)
      return restored
    },
    /** How often it was cleared. */
    clears: () => clears,
    /** Refuses the entries of requests that have begun by now. */
    restart() {
      generation += 1
    },
    /** How often it was restarted. */
    generation: () => generation,
    /** Adds an entry, if it is kept: others are of requests from before the log was emptied or restarted. */
    add(fields: Omit<StoredEntry, 'id'>, isKept: boolean) {
      const entry: StoredEntry = { id: lastId, ...fields }
      if (!isKept) return entry
      lastId += 1
      entry.id = lastId
      entries.set(lastId, entry)
      if (entries.size > size) entries.delete(first())
      if (cleared && lastId > cleared.until) cleared = undefined
      for (const listener of listeners) listener(entry)
      return entry
    },
    /** Calls the listener with each new entry. Returns a function that unsubscribes. */
    subscribe(listener: (entry: StoredEntry) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
