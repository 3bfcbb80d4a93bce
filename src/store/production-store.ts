import type { AuditEntry, AuditReader } from './audit-log.js'
import type { StateCounts } from './state-file.js'
import type { Store, StoreReader } from './store.js'

/** What was found by looking at a database, which may not exist, without changing it. */
export type Inspection = {
  /** The schema version; undefined where the database, or its tables, would be created. */
  version: number | undefined
  /** What is probably a mistake, each in a sentence. */
  warnings?: string[]
}

/** Versions before and after a migration; the same where none was needed. `copy` is the path of the copy made before. */
export type Migration = { from: number; to: number; copy?: string }

/** The result of one check; `found` says in words what was found. */
export type Check = {
  check: 'file' | 'server' | 'version' | 'integrity' | 'schema' | 'references' | 'sizes'
  ok: boolean
  found: string
}

/** The checks of a database, and how many records it has. The first failed check ends the list. */
export type CheckReport = { ok: boolean; checks: Check[]; records?: StateCounts }

/** A database as it was opened. */
export type DatabaseDescription = {
  /** Whether opening it created it. */
  created: boolean
  /** The version of its schema. */
  version: number
  /** The newest version that this program knows. */
  known: number
  /** The migration that opening it ran. */
  migrated: Migration | undefined
  records: StateCounts
  /** What it takes on the disk. */
  bytes: number
}

/** How a missing database, and one of an older version, are treated. */
export type OpeningOptions = {
  /** Whether it is refused; it is created, if left out. */
  mustExist?: boolean
  /** Whether an older version is migrated; it is refused, if left out. */
  migrate?: boolean
  /** Whether every index of a SQLite file is compared with its table, and every reference. Takes longer. */
  checkFully?: boolean
}

/** The requests of a client within a window of time, and how long the window lasts, in milliseconds. */
export type RequestCount = { requests: number; leftMs: number }

/** Counts the requests of clients over all processes that share a database. */
export type RequestCounts = {
  /**
   * Counts one request. A window begins with the first request after the last window of the key ended.
   * @param windowMs the length of a window, in milliseconds
   * @throws StoreUnavailableError
   */
  add(key: string, windowMs: number): Promise<RequestCount>
  /** Removes counts of windows that have ended, two thousand at most. Returns their number. */
  removePast(): Promise<number>
}

/** A store of production that is only read; the database may be of a newer version that this program works with. */
export type ProductionReader = StoreReader &
  AuditReader & {
    close(): Promise<void>
  }

/** How many old records were removed. */
export type OldRecords = { sessions: number; auditEntries: number }

/** A store of production, with what only its operator needs. */
export type ProductionStore = Store &
  AuditReader & {
    /** Appends an entry about what changed no record. Changes of records append theirs by themselves. */
    appendToAudit(entry: AuditEntry): Promise<void>
    /**
     * Removes expired sessions and entries of the audit log of more than an age, two thousand of each at most, by the
     * clock of the database. Returns their numbers.
     * @throws ClockError, and nothing is removed, where that clock and this process's differ by more than a minute, or
     *   may be wrong
     */
    removeOld(options: { auditMs: number }): Promise<OldRecords>
    /**
     * Checks that a write would succeed, by one that changes nothing.
     * @throws StoreUnavailableError where it would not, or where another program changed the database's version
     */
    probe(): Promise<void>
    /** The present, by the clock of the database. */
    databaseTime(): Promise<Date>
    /** The number of sessions that are neither revoked nor expired at a time (RFC 3339). */
    countOpenSessions(at: string): Promise<number>
    /** Missing where the processes that use the database are those of one machine: each counts for itself. */
    requestCounts?: RequestCounts
    /** The number of writes in the queue. */
    waitingWrites(): number
    describe(): Promise<DatabaseDescription>
  }
