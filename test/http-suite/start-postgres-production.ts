import { openPostgresStore } from '../../src/store/postgres/postgres-store.js'
import { rawRequest } from '../../src/verify/runner/raw-request.js'
import type { Target } from '../../src/verify/runner/target.js'
import { addressOf, createDatabase } from '../store/postgres/postgres-database.js'
import { demoData } from './demo-data.js'
import type { Stored } from './start-dev-server.js'
import { appOver, seed } from './start-production.js'

/** Production over loopback, on a PostgreSQL database, with a session for each persona. A reset replaces the records, under a server that goes on. */
export async function startPostgresProduction(): Promise<Target & Stored> {
  const database = await createDatabase()
  const store = await openPostgresStore(addressOf(database.url))
  const cookieOf = await seed(store)
  const seeded = await store.export()
  const app = appOver(store)
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    mode: 'production',
    baseUrl,
    fetch,
    data: demoData,
    cookieOf: (persona) => cookieOf.get(persona) ?? '',
    raw: rawRequest,
    stored: store.export,
    ownsOrigin: true,
    async reset() {
      await database.empty()
      await store.load(seeded)
    },
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await store.close()
      await database.drop()
    },
  }
}
