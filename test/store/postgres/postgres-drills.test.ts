import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startDrill } from '../../../bench/drills/drill-process.js'
import { judge } from '../../../bench/drills/judge.js'
import { createLedger } from '../../../bench/drills/ledger.js'
import { reportOf } from '../../../bench/drills/report.js'

// The drills themselves are made by `npm run drills -- --quick`, which CI runs.

const script = fileURLToPath(new URL('../../../bench/drills/run.js', import.meta.url))

test('a drill that does not exist is refused', async () => {
  const run = promisify(execFile)(process.execPath, [script, 'no-such-drill'])
  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('postgres-killed') })
})

test('a drill that throws, or takes too long, has failed', async () => {
  const options = { rounds: 1, seed: 1, isQuick: true, makesControl: false }
  const make = (name: string, timeLimitMs: number) => startDrill({ name }, { ...options, timeLimitMs }).result
  const [thrown, slow] = await Promise.all([make('no-such-drill', 60_000), make('postgres-killed', 1)])
  expect(thrown.faults).toEqual([expect.stringContaining('it ended: TypeError')])
  expect(slow.faults).toEqual(['it did not end within 0.001 s'])
})

test('the report has the rows of the drills that were made, and keeps the others', () => {
  const result = {
    promise: 'p',
    fault: 'f | g',
    target: 't',
    rounds: 1,
    command: 'c',
    faults: [],
    figure: 'first',
    control: 'found',
  }
  const both = ['postgres-killed', 'drain'].map((name) => ({ ...result, name }))
  const report = reportOf(both, '')
  const again = reportOf([{ ...result, name: 'drain', figure: 'second', faults: ['lost: 1'] }], report)
  const rowsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('| `'))
  const [killed, drain] = rowsIn(report)
  expect(killed).toMatch(/^\| `postgres-killed` \| p \| f \\\| g \| t \| first \| found \| `c` \|/)
  expect(rowsIn(again)).toEqual([killed, drain?.replace('first', '**Not as promised**: lost: 1')])
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
