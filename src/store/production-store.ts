import type { AuditEntry, AuditReader } from './audit-log.js'
import type { StateCounts } from './state-file.js'
import type { Store, StoreReader } from './store.js'

/** The result of looking at a database, which may not exist, without changing it. */
export type Inspection = {
  /** The schema version; undefined if the database, or its tables, would be created. */
  version: number | undefined
  /** Probable mistakes, a sentence each. */
  warnings?: string[]
}

/** Versions before and after a migration; equal if none was needed. `copy` is the path of the copy made before. */
export type Migration = { from: number; to: number; copy?: string }

export type Check = {
  check: 'file' | 'server' | 'version' | 'integrity' | 'schema' | 'references' | 'sizes' | 'requests'
  ok: boolean
  found: string
  /** What to do about a failure, where it depends on what was found. */
  hint?: string
}

/** The checks of a database, and the number of its records. The first failed check ends the list. */
export type CheckReport = { ok: boolean; checks: Check[]; records?: StateCounts }

export type DatabaseDescription = {
  created: boolean
  version: number
  /** The newest version that this program knows. */
  known: number
  migrated: Migration | undefined
  records: StateCounts
  bytes: number
}

/** How to treat a missing database, and an older version. */
export type OpeningOptions = {
  /** Refuse a missing database. By default it is created. */
  mustExist?: boolean
  /** Migrate an older version. By default it is refused. */
  migrate?: boolean
  /** Compare every index of a SQLite file with its table, and check every reference. Takes longer. */
  checkFully?: boolean
}

/** The requests of a client within a window of time, and the remaining time of the window, in milliseconds. */
export type RequestCount = { requests: number; leftMs: number }

/** Counts requests over all processes that share a database. */
export type RequestCounts = {
  /**
   * Counts one request. A window begins with the first request after the key's last window ended.
   * @param windowMs the length of a window, in milliseconds
   * @throws StoreUnavailableError
   */
  add(key: string, windowMs: number): Promise<RequestCount>
  /** Removes counts of ended windows, at most two thousand. Returns their number. */
  removePast(): Promise<number>
}

/** A production store that is only read. The database may have a newer version that this program works with. */
export type ProductionReader = StoreReader &
  AuditReader & {
    close(): Promise<void>
  }

export type OldRecords = { sessions: number; auditEntries: number }

/** A production store, with the methods for its operator. */
export type ProductionStore = Store &
  AuditReader & {
    /** Appends an entry about an event that changed no record. Changes of records append their own entries. */
    appendToAudit(entry: AuditEntry): Promise<void>
    /**
     * Removes expired sessions, and entries of the audit log older than an age, by the clock of the database; at most two
     * thousand of each. Returns their numbers.
     * @throws ClockError, and removes nothing, if the clocks of database and process differ by more than a minute, or may be
     *   wrong
     */
    removeOld(options: { auditMs: number }): Promise<OldRecords>
    /**
     * Checks that requests would succeed, by their statements; changes no record.
     * @throws StoreUnavailableError if they would not, or another program changed the database's version
     */
    probe(): Promise<void>
    /** The current time of the database's clock. */
    databaseTime(): Promise<Date>
    /** The number of sessions that are neither revoked nor expired at a time (RFC 3339). */
    countOpenSessions(at: string): Promise<number>
    /** Absent if all processes of the database run on one machine: each counts for itself. */
    requestCounts?: RequestCounts
    waitingWrites(): number
    describe(): Promise<DatabaseDescription>
  }
