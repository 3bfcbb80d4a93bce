import { describe, expect, test } from 'vitest'
import { noPostgres, serverUrl } from '../store/postgres/postgres-database.js'
import { runDrill } from './run-drill.js'

describe.skipIf(noPostgres)('three nodes over PostgreSQL', () => {
  test('lose and double nothing of 64 writers, without a deadlock', { timeout: 180_000 }, async () => {
    const result = await runDrill('writers', '--rounds', '3', '--server', serverUrl)
    expect(result).toMatchObject({ unexpected: [], differences: [], deadlocks: 0, requests: 64 * 3 * 10 })
    // Each damage that is done to the database is found.
    expect(result.found).toBe(result.damages)
  })
})
