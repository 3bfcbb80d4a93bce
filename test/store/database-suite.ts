import { describe } from 'vitest'
import type { ProductionStore } from '../../src/store/production-store.js'
import type { SqlStoreOptions } from '../../src/store/sql/sql-store.js'
import { testAuditLog } from './database-suite/audit-log.js'
import { testContents } from './database-suite/contents.js'
import { testOldRecords } from './database-suite/old-records.js'
import { testVersions } from './database-suite/versions.js'

/** A database that is empty at the start of each test. */
export type TestDatabase = {
  /** Opens a store on it, another one at each call; it is closed at the end of the test. */
  openStore(options?: SqlStoreOptions): Promise<ProductionStore>
  /** Runs a statement as another program. */
  run<Row extends object>(sql: string): Promise<Row[]>
  /** Statements of its language, beside UPDATE and DELETE, that would change the audit log. */
  attacks: string[]
}

/** Tests what holds for every store of production, beyond what `testStore` does. */
export function testDatabase(name: string, database: TestDatabase): void {
  describe(`${name}: the versions of teams`, () => testVersions(database))
  describe(`${name}: old records`, () => testOldRecords(database))
  describe(`${name}: the audit log`, () => testAuditLog(database))
  describe(`${name}: the contents`, () => testContents(database))
}
