import { test } from 'vitest'
import { createDatabase, noPostgres } from '../store/postgres/postgres-database.js'
import { useExample } from './fastify-application.js'

test.skipIf(noPostgres)(
  'the Fastify application serves its own route and the dashboard API over PostgreSQL',
  async () => {
    const database = await createDatabase()
    await useExample(database.url).finally(database.drop)
  },
)
