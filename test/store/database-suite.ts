import { describe } from 'vitest'
import type { ProductionStore } from '../../src/store/production-store.js'
import type { SqlStoreOptions } from '../../src/store/sql/sql-store.js'
import { testAuditLog } from './database-suite/audit-log.js'
import { testContents } from './database-suite/contents.js'
import { testOldRecords } from './database-suite/old-records.js'
import { testVersions } from './database-suite/versions.js'

/** The database of a test, which is empty at its start. */
export type TestDatabase = {
  /** Opens a new store, which is closed at the end of the test. */
  openStore(options?: SqlStoreOptions): Promise<ProductionStore>
  /** Runs a statement, as another program would. */
  run<Row extends object>(sql: string): Promise<Row[]>
  /** Other statements than UPDATE and DELETE that would change the audit log, in the SQL of the database. */
  attacks: string[]
}

/** Tests the promises of production stores that `testStore` does not cover. */
export function testDatabase(name: string, database: TestDatabase): void {
  describe(`${name}: the versions of teams`, () => testVersions(database))
  describe(`${name}: old records`, () => testOldRecords(database))
  describe(`${name}: the audit log`, () => testAuditLog(database))
  describe(`${name}: the contents`, () => testContents(database))
}
