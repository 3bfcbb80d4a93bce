import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { noPostgres, serverUrl } from '../store/postgres/postgres-database.js'

/** Runs a command of `bench/drills` with the PostgreSQL of the tests. Gives what it reports. */
async function drill(name: string, ...args: string[]) {
  const script = fileURLToPath(new URL(`../../bench/drills/${name}.js`, import.meta.url))
  const all = [script, '--print', '--server', serverUrl, ...args]
  const { stdout } = await promisify(execFile)(process.execPath, all).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`)
  })
  return JSON.parse(stdout)
}

describe.skipIf(noPostgres)('three nodes over PostgreSQL', () => {
  test('show what any of them acknowledged; nodes that are late by 50 ms are found', {
    timeout: 180_000,
  }, async () => {
    const { nodes, control } = await drill('stale', '--reads', '4000')
    expect(nodes).toMatchObject({ reads: 4_000, stale: 0, accepted: 0, unexpected: 0 })
    expect(nodes.commits).toBeGreaterThan(10)
    expect(nodes.revoked).toBeGreaterThan(2)
    expect(control.stale).toBeGreaterThan(0)
    expect(control.accepted).toBeGreaterThan(0)
  })

  test('lose and double nothing of 64 writers, without a deadlock', { timeout: 180_000 }, async () => {
    const result = await drill('writers', '--rounds', '2')
    expect(result).toMatchObject({ unexpected: [], differences: [], deadlocks: 0, requests: 64 * 2 * 10 })
    // Each damage that is done to the database is found.
    expect(result.found).toBe(result.damages)
  })
})
