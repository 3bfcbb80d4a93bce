import { onTestFinished } from 'vitest'
import { createDatabase, noPostgres } from '../../store/postgres/postgres-database.js'
import { emptyFolder } from '../cli-process.js'

/** The kinds of databases: the reason why one is unavailable, and a function that creates one, which is removed after the test. */
export const databases = {
  SQLite: { reason: undefined, make: async () => `${emptyFolder()}/production.db` },
  PostgreSQL: {
    reason: noPostgres,
    make: async () => {
      const database = await createDatabase()
      onTestFinished(() => database.drop())
      return database.url
    },
  },
}
