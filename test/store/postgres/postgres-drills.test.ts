import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { judge } from '../../../bench/drills/judge.js'
import { createLedger } from '../../../bench/drills/ledger.js'
import { noPostgres } from '../../../bench/drills/postgres-server.js'

const script = fileURLToPath(new URL('../../../bench/drills/run.js', import.meta.url))
const reason = noPostgres()
if (reason) console.warn(`Skipped: ${reason}`)

/** Runs a drill against the built service, and gives its result. */
async function drill(name: string, rounds: number) {
  const args = [script, name, '--rounds', String(rounds), '--json']
  const run = promisify(execFile)(process.execPath, args, { env: { ...process.env, DRILL_PAUSE_MS: '40' } })
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error)
  const [result] = JSON.parse(stdout || 'null') ?? [{ failures: [stderr] }]
  return result
}

describe.skipIf(reason)('serve keeps what it acknowledged, and goes on by itself,', () => {
  test.concurrent.each([
    ['PostgreSQL was killed and started again', 'postgres-killed', 2],
    ['its standby took over', 'postgres-failover', 1],
    ['all connections were ended again and again', 'connections-ended', 1],
    ['the network stalled', 'network-stalled', 1],
  ])('after %s', { timeout: 120_000 }, async (_, name, rounds) => {
    const result = await drill(name, rounds)
    // Other tests use the machine too, so that the times have wider limits here.
    const { failures, successMs, allServedMs, longestMs, ...counts } = result
    expect(failures.filter((failure: string) => !/^\w+Ms: \d/.test(failure))).toEqual([])
    expect(counts).toMatchObject({ lost: 0, doubled: 0, stale: 0, others: {} })
    expect(counts.unavailable).toBeGreaterThan(0)
    expect(Math.max(successMs, allServedMs)).toBeLessThan(10_000)
    expect(longestMs).toBeLessThan(15_000)
  })

  test.concurrent('or the drill exits with 1', async () => {
    const args = [script, 'postgres-killed', '--rounds', '1', '--json']
    // It cannot start a server.
    const run = promisify(execFile)(process.execPath, args, { env: { ...process.env, TMPDIR: '/dev/null' } })
    await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('it ended: ') })
  })
})

test('a drill that does not exist is refused', async () => {
  const run = promisify(execFile)(process.execPath, [script, 'no-such-drill'])
  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('postgres-killed') })
})

test('a drill fails where a figure is missing or above its limit, or where a response is not expected', () => {
  const figures = { lost: 0, doubled: 0, stale: 0, longestMs: 9, successMs: 9, acknowledged: 1 }
  const judged = (more: object) =>
    judge({ limits: { successMs: 10 } }, { faults: [], others: {}, ...figures, ...more })
  expect(judged({})).toEqual([])
  expect(judged({ successMs: undefined })).toEqual(['successMs: undefined, expected at most 10'])
  expect(judged({ successMs: 11, lost: 1 })).toEqual([
    'lost: 1, expected at most 0',
    'successMs: 11, expected at most 10',
  ])
  expect(judged({ others: { 'status 500': 2 } })).toEqual(['status 500: 2 requests'])
  expect(judged({ acknowledged: 0 })).toEqual(['no write was acknowledged'])
})

test('a drill finds writes that are lost or doubled, and reads that are stale', async () => {
  const ledger = createLedger(['p'])
  const stored = (names: Record<string, number>, status: number) => async (sql: string) =>
    sql.includes('status')
      ? [{ id: 'p', status: String(status) }]
      : Object.entries(names).map(([name, times]) => ({ name, times }))
  for (const name of ['Drill 1', 'Drill 2']) ledger.created(name)
  ledger.beginUpdate(0).end(true)
  const unknown = ledger.beginUpdate(0)
  unknown.end(false)
  ledger.beginUpdate(0).end(true)
  expect(await ledger.verify(stored({ 'Drill 1': 1, 'Drill 2': 1 }, 3))).toEqual({ lost: 0, doubled: 0 })
  // What was not acknowledged may have an effect, even later.
  expect(await ledger.verify(stored({ 'Drill 1': 1, 'Drill 2': 1 }, unknown.number))).toMatchObject({
    lost: 0,
  })
  expect(await ledger.verify(stored({ 'Drill 1': 2 }, 1))).toEqual({ lost: 2, doubled: 1 })
  const isStale = ledger.beginRead(0)
  expect([1, 2, 3].map(isStale)).toEqual([true, false, false])
})
