import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { ProductionStore } from '../../../src/store/production-store.js'
import type { StoreDatabase } from '../../../src/store/sql/sql-database.js'
import type { SqlStoreOptions } from '../../../src/store/sql/sql-store.js'
import { type Connection, type Mode, openConnection } from '../../../src/store/sqlite/connection.js'
import type { SqliteOptions } from '../../../src/store/sqlite/open-file.js'
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.js'
import type { Store } from '../../../src/store/store.js'
import { openSqliteStore } from '../open-stores.js'

/** Creates a folder for a database for each test. At the end of the test all stores and connections are closed. */
export function folderForEachTest() {
  let folder: string
  let closables: { close(): Promise<void> }[]
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sqlite-store-'))
    closables = []
  })
  afterEach(async () => {
    for (const closable of closables.reverse()) await closable.close()
    await rm(folder, { recursive: true })
  })

  const closeLater = <T extends { close(): Promise<void> }>(closable: T): T => {
    closables.push(closable)
    return closable
  }
  const path = (...names: string[]) => join(folder, ...names)
  const database = () => path('store.db')
  const open = async (mode: Mode = 'write', file = database()): Promise<Connection> =>
    closeLater(await openConnection(file, mode, 1000))

  return {
    path,
    database,
    openStore: async (
      file = database(),
      busyTimeoutMs = 5000,
      options: SqliteOptions & SqlStoreOptions = {},
    ): Promise<ProductionStore> => closeLater(await openSqliteStore(file, { busyTimeoutMs, ...options })),
    openDatabase: async (options: SqliteOptions = {}): Promise<StoreDatabase> =>
      closeLater(await openSqliteDatabase(database(), { busyTimeoutMs: 1000, ...options })),
    /** Opens another connection to the same file, like another program. */
    openConnection: open,
    /** Runs a statement on a new connection. */
    run: async <Row extends object>(sql: string): Promise<Row[]> => (await open()).all<Row>(sql),
  }
}

export const entry = (name: string) => ({
  email: `${name}@example.com`,
  createdAt: '2026-03-01T12:00:00.000Z',
})

/** The addresses on a store's waitlist, without their domain. */
export const names = async (store: Store): Promise<string[]> =>
  (await store.waitlistAfter(undefined, 10_000)).map(({ email }) => email.replace('@example.com', ''))

export const acmeProject = (id: string) => ({
  id,
  name: id,
  description: null,
  status: 'active',
  teamId: 'acme',
  createdAt: '2026-03-01T12:00:00.000Z',
})
