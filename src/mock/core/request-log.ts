import type { OperationName } from '../../contract/operations.js'

/** What was asked, by whom, and what came of it: an entry of the log. */
export type LogEntry = {
  id: number
  /** When the answer was ready, RFC 3339. */
  time: string
  /** The space that it happened in, if not the common one. */
  space?: string
  method: string
  path: string
  operation?: OperationName
  /** The persona's name, where one was signed in. */
  session?: string
  /** 0 where there was no answer. */
  status: number
  /** The error code, where one was answered. */
  code?: string
  /** Which check, handler or scenario decided, in a few words. */
  why: string
  /** How long it took, in milliseconds. */
  ms: number
  /** A command line that repeats it. */
  curl: string
}

export type Log = {
  /** The entries that are kept, oldest first. */
  read(): LogEntry[]
  clear(): void
  add(entry: Omit<LogEntry, 'id'>): LogEntry
  /** Calls the listener with each further entry, until the returned function is called. */
  subscribe(listener: (entry: LogEntry) => void): () => void
}

/** At most so many entries are kept, and no more characters of their command lines than this. */
const maxEntries = 1000
const maxChars = 4 * 1024 * 1024

export function createLog(): Log {
  const listeners = new Set<(entry: LogEntry) => void>()
  let entries: LogEntry[] = []
  let chars = 0
  let last = 0

  return {
    read: () => [...entries],
    clear() {
      entries = []
      chars = 0
    },
    add(given) {
      last += 1
      const entry = { id: last, ...given }
      entries.push(entry)
      chars += entry.curl.length
      while (entries.length > maxEntries || chars > maxChars) chars -= entries.shift()?.curl.length ?? 0
      for (const listener of listeners) listener(entry)
      return entry
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
