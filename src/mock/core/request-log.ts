import type { OperationName } from '../../contract/operations.js'

/** An entry of the log: a request, its caller and its outcome. */
export type LogEntry = {
  id: number
  /** When the reply was ready, RFC 3339. */
  time: string
  /** The space, if it is not the common one. */
  space?: string
  method: string
  path: string
  operation?: OperationName
  /** The id of the persona that was signed in. */
  session?: string
  /** 0 if there was no response. */
  status: number
  /** The error code of the reply. */
  code?: string
  /** The check, handler or scenario that decided the outcome. */
  why: string
  /** The duration in milliseconds, delay included. */
  ms: number
  /** A curl command that repeats the request. */
  curl: string
}

export type Log = {
  /** Returns the stored entries, oldest first. */
  read(): LogEntry[]
  clear(): void
  add(entry: Omit<LogEntry, 'id'>): LogEntry
  /** Calls the listener with each new entry. Returns a function that unsubscribes. */
  subscribe(listener: (entry: LogEntry) => void): () => void
}

/** Limits of the stored entries: their number, and the characters of their curl commands. */
const maxEntries = 1000
const maxChars = 4 * 1024 * 1024

export function createLog(): Log {
  const listeners = new Set<(entry: LogEntry) => void>()
  let entries: LogEntry[] = []
  let chars = 0
  let lastId = 0

  return {
    read: () => [...entries],
    clear() {
      entries = []
      chars = 0
    },
    add(fields) {
      lastId += 1
      const entry = { id: lastId, ...fields }
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
