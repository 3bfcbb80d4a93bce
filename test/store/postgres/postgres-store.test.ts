import { describe } from 'vitest'
import { testDatabase } from '../database-suite.js'
import { testStore } from '../store-suite.js'
import { databaseForEachTest, noPostgres } from './postgres-database.js'

describe.skipIf(noPostgres)('over PostgreSQL', () => {
  const database = databaseForEachTest()
  testStore('postgres', () => database.openStore())
  testDatabase('postgres', { ...database, attacks: ['TRUNCATE audit_log'] })
})
