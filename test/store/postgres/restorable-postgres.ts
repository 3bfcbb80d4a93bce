import { openPostgresStore } from '../open-stores.js'
import type { RestorableDatabase } from '../sqlite/restorable-sqlite.js'
import { addressOf, createDatabase } from './postgres-database.js'

/** Creates an empty PostgreSQL database. */
export async function restorablePostgres(): Promise<RestorableDatabase> {
  const database = await createDatabase()
  const store = await openPostgresStore(addressOf(database.url))
  return {
    store,
    async restore(state) {
      await database.empty()
      await store.load(state)
    },
    async close() {
      await store.close()
      await database.drop()
    },
  }
}
