import { ControlError } from './control-error.js'
import type { StoredEntry } from './log-entry.js'

export type Log = ReturnType<typeof createLog>

/**
 * About how many bytes of memory the entries take at most. Beyond, the oldest lose their bodies, then are dropped.
 * Together with the history, 10,000 entries stay within 64 MiB.
 */
const maxBytes = 40 * 1024 * 1024

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
  let bytes = 0
  let lastId = 0
  /** Entries up to this id have lost their bodies. */
  let strippedId = 0
  let generation = 0
  let clears = 0
  /** What the last `clear` has removed, until so many entries have followed. */
  let cleared: { entries: StoredEntry[]; until: number } | undefined

  const first = () => lastId - entries.size + 1
  const drop = () => {
    const id = first()
    bytes -= entries.get(id)?.bytes ?? 0
    entries.delete(id)
  }
  const strip = () => {
    strippedId = Math.max(strippedId + 1, first())
    const entry = entries.get(strippedId)
    if (!entry) return
    const { request, response } = entry.exchange
    // Replaced, not changed: who has read the entry keeps it as it was.
    const stripped = {
      ...entry,
      exchange: {
        ...entry.exchange,
        request: { ...request, body: request.body && { length: request.body.length } },
        response: response && { ...response, body: response.body && { length: response.body.length } },
      },
    }
    stripped.bytes = bytesOf(stripped)
    bytes += stripped.bytes - entry.bytes
    entries.set(strippedId, stripped)
  }
  const trim = () => {
    while (entries.size > size) drop()
    while (bytes > maxBytes && strippedId < lastId) strip()
    while (bytes > maxBytes && entries.size > 1) drop()
  }

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
      bytes = 0
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
      for (const entry of restored) {
        entries.set(entry.id, entry)
        bytes += entry.bytes
      }
      trim()
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
    add(fields: Omit<StoredEntry, 'id' | 'bytes'>, isKept: boolean) {
      const entry: StoredEntry = { id: lastId, ...fields, bytes: 0 }
      if (!isKept) return entry
      lastId += 1
      entry.id = lastId
      entry.bytes = bytesOf(entry)
      entries.set(lastId, entry)
      bytes += entry.bytes
      if (cleared && lastId > cleared.until) cleared = undefined
      trim()
      for (const listener of listeners) listener(entry)
      return entry
    },
    /** Counts the memory of an entry again, whose response has grown since it was added. */
    settle(entry: StoredEntry) {
      if (entries.get(entry.id) !== entry) return
      bytes -= entry.bytes
      entry.bytes = bytesOf(entry)
      bytes += entry.bytes
      trim()
    },
    /** Calls the listener with each new entry. Returns a function that unsubscribes. */
    subscribe(listener: (entry: StoredEntry) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A text takes up to two bytes for each character, an entry about a kibibyte for everything that is not a text. */
function bytesOf({ path, why, exchange: { request, response } }: StoredEntry): number {
  let chars = path.length + why.length + request.url.length + (response?.body?.text?.length ?? 0)
  for (const headers of [request.headers, response?.headers]) {
    for (const name in headers) chars += headers[name]?.length ?? 0
  }
  return 1024 + 2 * chars + (request.body?.bytes?.length ?? 0)
}
