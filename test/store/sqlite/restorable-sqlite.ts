import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProductionStore } from '../../../src/store/production-store.js'
import { openConnection } from '../../../src/store/sqlite/connection.js'
import type { State } from '../../../src/store/state-file.js'
import { openSqliteStore } from '../open-stores.js'

/** A database whose records can be replaced under a running server. */
export type RestorableDatabase = {
  store: ProductionStore
  /** Replaces all records with those of a state, as another program would. */
  restore(state: State): Promise<void>
  close(): Promise<void>
}

/** Opens an empty SQLite database in a temporary folder. */
export async function restorableSqlite(): Promise<RestorableDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-api-'))
  const file = join(folder, 'dashboard.db')
  const store = await openSqliteStore(file)
  const other = await openConnection(file, 'write', 5000)
  return {
    store,
    async restore(state) {
      await other.exec(
        `BEGIN IMMEDIATE; DELETE FROM projects; DELETE FROM sessions; DELETE FROM users; DELETE FROM teams;
         DELETE FROM waitlist; COMMIT`,
      )
      await store.load(state)
    },
    async close() {
      await other.close()
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}
