import { ControlError } from '../state/control-error.js'
import type { StoredEntry } from './log-entry.js'

export type Log = ReturnType<typeof createLog>

/** @property loaded identifies the file of loaded entries */
export type ShownEntries = { hidden: number; loaded?: object | undefined }

/** @param size the maximum number of stored entries. @throws ControlError for a number that is not from 1 to 100,000 */
export function createLog(size = 1000) {
  if (!(Number.isInteger(size) && size >= 1 && size <= 100_000)) {
    throw new ControlError(`"${size}" is not a size of the log: give a number of entries from 1 to 100000.`)
  }
  const listeners = new Set<(entry: StoredEntry) => void>()
  /** By id, in order: removing the oldest from a large array would move all others. */
  const entries = new Map<number, StoredEntry>()
  let lastId = 0
  let generation = 0
  let clears = 0
  /**
   * Which of the stored entries are shown: those after the last one that a `clear` has hidden, and of loaded ones those of
   * one file. Others stay stored, so that a clear and a load can be undone.
   */
  let shown: ShownEntries = { hidden: 0 }

  const oldest = () => lastId - entries.size + 1
  const first = () => Math.max(oldest(), shown.hidden + 1)
  const isShown = ({ id, loaded }: StoredEntry) =>
    id > shown.hidden && (loaded === undefined || loaded === shown.loaded)
  /** Returns the stored entries, oldest first: all of them, or at most `limit` after an id. */
  const read = (since = 0, limit = Number.POSITIVE_INFINITY) => {
    const from = Math.max(first(), since + 1)
    const found: StoredEntry[] = []
    for (let id = from; id <= lastId && found.length < limit; id++) {
      const entry = entries.get(id)
      if (entry && isShown(entry)) found.push(entry)
    }
    return found
  }
  const store = (entry: StoredEntry) => {
    entries.set(entry.id, entry)
    if (entries.size > size) entries.delete(oldest())
  }

  return {
    read,
    /** @throws ControlError if there is no such entry any more */
    get(id: number) {
      const entry = entries.get(id)
      if (entry && isShown(entry)) return entry
      const ids = read().map((shown) => shown.id)
      const range = ids.length === 0 ? 'It is empty.' : `It has the requests ${ids[0]} to ${ids.at(-1)}.`
      throw new ControlError(`The log has no request ${id}. ${range}`, [], 404)
    },
    lastId: () => lastId,
    /** Empties the log. Pending requests are not added to it. */
    clear() {
      shown = { ...shown, hidden: lastId }
      clears += 1
    },
    /** Replaces the log by that of a file. @param all without ids */
    load(all: readonly Omit<StoredEntry, 'id'>[]) {
      clears += 1
      shown = { hidden: lastId, loaded: {} }
      for (const entry of all) {
        lastId += 1
        store({ id: lastId, ...entry, loaded: shown.loaded })
      }
    },
    shown: () => shown,
    /** Shows other entries than now. */
    show(next: ShownEntries) {
      shown = next
    },
    clears: () => clears,
    /** Refuses the entries of pending requests. */
    restart() {
      generation += 1
    },
    generation: () => generation,
    /** Adds an entry, unless its request began before the log was emptied or restarted. */
    add(fields: Omit<StoredEntry, 'id'>, isKept: boolean) {
      const entry: StoredEntry = { id: lastId, ...fields }
      if (!isKept) return entry
      lastId += 1
      entry.id = lastId
      store(entry)
      for (const listener of listeners) listener(entry)
      return entry
    },
    /** Tells the listeners that an entry has changed. */
    changed(entry: StoredEntry) {
      for (const listener of listeners) listener(entry)
    },
    /** Calls the listener with each new or changed entry. Returns a function that unsubscribes. */
    subscribe(listener: (entry: StoredEntry) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
