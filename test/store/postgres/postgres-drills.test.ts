import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compare } from '../../../bench/drills/compare.js'
import { startDrill } from '../../../bench/drills/drill-process.js'
import { figureOf, isCaught, judge } from '../../../bench/drills/judge.js'
import { mayShow } from '../../../bench/drills/load.js'
import { reportOf } from '../../../bench/drills/report.js'

// `npm run drills -- --quick`, which CI runs, runs the drills themselves.

const script = fileURLToPath(new URL('../../../bench/drills/run.js', import.meta.url))

test('a drill that does not exist is refused', async () => {
  const run = promisify(execFile)(process.execPath, [script, 'no-such-drill'])
  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('postgres-killed') })
})

test('a drill that throws, or takes too long, has failed', async () => {
  const options = { rounds: 1, seed: 1, isQuick: true, runsControls: false }
  const run = (name: string, timeLimitMs: number) => startDrill({ name }, { ...options, timeLimitMs }).result
  const [thrown, slow] = await Promise.all([run('no-such-drill', 60_000), run('postgres-killed', 1)])
  expect(thrown.faults).toEqual([expect.stringContaining('it ended: TypeError')])
  expect(slow.faults).toEqual(['it did not end within 0.001 s'])
})

test('the report replaces the rows of the drills that were run, and keeps the others', () => {
  const result = {
    promise: 'p',
    fault: 'f | g',
    faults: [],
    figure: 'first',
  }
  const both = ['postgres-killed', 'drain'].map((name) => ({ ...result, name }))
  const report = reportOf(both, '')
  const again = reportOf([{ ...result, name: 'drain', figure: 'second', faults: ['lost: 1'] }], report)
  const rowsIn = (text: string) => text.split('\n').filter((line) => line.startsWith('| `'))
  const [killed, drain] = rowsIn(report)
  expect(killed).toMatch(/^\| `postgres-killed` \| f \\\| g \| p \| first \| /)
  expect(rowsIn(again)).toEqual([killed, drain?.replace('first', '**Not as promised**: lost: 1')])
})

test('a drill fails where a count is not 0, a time is missing or above its limit, or nothing was tried', () => {
  const drill = {
    mustBeZero: { lost: 'lost' },
    mustNotBeZero: { writes: 'writes' },
    limits: { successMs: 10 },
  }
  const counts = { lost: 0, writes: 1, successMs: 9, faults: [] }
  const judged = (more: object, isBusy = false) => judge(drill, { ...counts, ...more }, isBusy)
  expect(judged({})).toEqual([])
  expect(figureOf(drill, counts)).toBe('0 lost in 1 writes; success again: 0.01 s')
  expect(judged({ lost: 2, writes: 0 })).toEqual(['2 lost', '0 writes'])
  expect(judged({ lost: ['a', 'b'], faults: ['status 500', 'status 500'] })).toEqual(['status 500', '2 lost'])
  for (const counted of [{ lost: undefined }, { writes: undefined }, { successMs: undefined }])
    expect(judged(counted)).toHaveLength(1)
  expect([judged({ successMs: 11 }), judged({ successMs: 11 }, true)]).toEqual([
    ['success again: 0.01 s, expected at most 0.01 s'],
    [],
  ])
})

test('a control is caught if all of its counts show it', () => {
  const caught = ['stale', 'accepted']
  expect(isCaught({ caught }, { stale: 1, accepted: ['a'] })).toBe(true)
  expect(isCaught({ caught }, { stale: 1, accepted: 0 })).toBe(false)
})

test('an unacknowledged update may take effect later over a network, and reads may show it', () => {
  const update = (number: number, acknowledged: number) => ({ project: 'p', number, sent: 1, acknowledged })
  const history = [update(1, 2), update(2, Number.POSITIVE_INFINITY), update(3, 2)]
  const lost = (isLate: boolean) => compare(history, [{ id: 'p', name: 'p', status: '2' }], { isLate }).lost
  expect([lost(true), lost(false)]).toEqual([0, 1])
  const updates = { sent: 3, unknown: new Set([2]) }
  expect([1, 2, 3, 4].map((number) => mayShow(updates, number, 3))).toEqual([false, true, true, false])
})
