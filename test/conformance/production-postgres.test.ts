import { describe } from 'vitest'
import { noPostgres } from '../store/postgres/postgres-database.js'
import { testHttp } from './run.js'
import { startPostgresProduction } from './start-postgres-production.js'

describe.skipIf(noPostgres)('over PostgreSQL', () => {
  testHttp('the production server', 'production', startPostgresProduction)
})
