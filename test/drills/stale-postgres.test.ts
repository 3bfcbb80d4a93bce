import { describe, expect, test } from 'vitest'
import { noPostgres, serverUrl } from '../store/postgres/postgres-database.js'
import { runDrill } from './run-drill.js'

describe.skipIf(noPostgres)('three nodes over PostgreSQL', () => {
  test('show what any of them acknowledged; nodes that are late by 50 ms are found', {
    timeout: 180_000,
  }, async () => {
    const { nodes, control } = await runDrill('stale', '--reads', '8000', '--server', serverUrl)
    expect(nodes).toMatchObject({ stale: 0, accepted: 0, unexpected: 0 })
    expect(nodes.reads).toBeGreaterThan(7_900)
    expect(nodes.commits).toBeGreaterThan(10)
    expect(nodes.revoked).toBeGreaterThan(2)
    expect(control.stale).toBeGreaterThan(0)
    expect(control.accepted).toBeGreaterThan(0)
  })
})
