import type { ChangeFeed } from './change-feed.js'
import type { RequestCounts } from './request-counts.js'
import type { StateCounts } from './state-file.js'
import type { Store } from './store.js'

/** A database as it was opened. */
export type DatabaseDescription = {
  /** Whether opening it created it. */
  created: boolean
  /** The version of its schema. */
  version: number
  records: StateCounts
  /** What it takes on the disk. */
  bytes: number
}

/** How a missing database is treated. */
export type OpeningOptions = {
  /** Whether it is refused; it is created, if left out. */
  mustExist?: boolean
}

/** A store of production, with what only its operator needs. */
export type ProductionStore = Store & {
  /**
   * Checks that a write would succeed, by one that changes nothing.
   * @throws StoreUnavailableError where it would not, or where another program changed the database's version
   */
  probe(): Promise<void>
  /** The number of sessions that are neither revoked nor expired at a time (RFC 3339). */
  countOpenSessions(at: string): Promise<number>
  changes: ChangeFeed
  /** Missing where the processes that use the database are those of one machine: each counts for itself. */
  requestCounts?: RequestCounts
  /** The number of writes in the queue. */
  waitingWrites(): number
  describe(): Promise<DatabaseDescription>
}
