import { describe } from 'vitest'
import { noPostgres } from '../store/postgres/postgres-database.js'
import { testSameAnswers } from './same-answers.js'
import { startPostgresProduction } from './start-postgres-production.js'

describe.skipIf(noPostgres)('over PostgreSQL', () => testSameAnswers(startPostgresProduction))
