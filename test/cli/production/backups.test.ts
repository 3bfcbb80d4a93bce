import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backupsToKeep, parseRetention, type Retention } from '../../../src/cli/production/backups.js'

const at = (text: string) => Date.parse(`${text}Z`)
const sorted = (times: Iterable<number>) => [...times].sort((a, b) => a - b)

/** The hour, day and ISO week of a time in UTC, as text. */
const periods = {
  h: (time: number) => new Date(time).toISOString().slice(0, 13),
  d: (time: number) => new Date(time).toISOString().slice(0, 10),
  w: (time: number) => {
    const date = new Date(time)
    date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
    return date.toISOString().slice(0, 10)
  },
}

/** The definition: the newest of its period is kept if fewer than `count` later periods have a backup. */
const isKept = (time: number, times: number[], retention: Retention) =>
  (Object.keys(retention) as (keyof Retention)[]).some((unit) => {
    const later = times.filter((other) => other > time).map(periods[unit])
    return !later.includes(periods[unit](time)) && new Set(later).size < (retention[unit] ?? 0)
  })

const hour = 3_600_000
const anyRetention = fc
  .record(
    {
      h: fc.integer({ min: 1, max: 30 }),
      d: fc.integer({ min: 1, max: 9 }),
      w: fc.integer({ min: 1, max: 5 }),
    },
    { requiredKeys: [] },
  )
  .filter((retention) => Object.keys(retention).length > 0)
/** Ascending times of runs: several in an hour, or years apart, across changes of summer time. */
const anyTimes = fc
  .array(fc.oneof(fc.integer({ min: 1, max: hour }), fc.integer({ min: 1, max: 40 * 24 * hour })), {
    maxLength: 80,
  })
  .map((steps) => {
    let time = at('2026-03-28T22:10:00')
    return steps.map((step) => (time += step))
  })

describe('the retention of backups', () => {
  test('keeps the newest of each of the last hours, days and weeks that have one', () => {
    fc.assert(
      fc.property(anyTimes, anyRetention, (times, retention) => {
        const expected = times.filter((time) => isKept(time, times, retention))
        expect(sorted(backupsToKeep(times, times.at(-1) ?? 0, retention))).toEqual(expected)
      }),
    )
  })

  test('is the same whether old backups are removed after each run or once', () => {
    fc.assert(
      fc.property(anyTimes, anyRetention, (times, retention) => {
        let folder: number[] = []
        for (const time of times) {
          folder = sorted(backupsToKeep([...folder, time], time, retention))
          expect(folder.at(-1)).toBe(time)
        }
        expect(folder).toEqual(sorted(backupsToKeep(times, times.at(-1) ?? 0, retention)))
      }),
    )
  })

  test('keeps the same backups with concurrent runs, in whatever order they add, list and remove', async () => {
    const anyStarts = fc.uniqueArray(fc.integer({ min: 1, max: 3 * hour }), { minLength: 2, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        anyTimes,
        anyRetention,
        anyStarts,
        fc.scheduler(),
        async (before, retention, starts, scheduler) => {
          const folder = new Set(before)
          const runs = starts.map((start) => (before.at(-1) ?? 0) + start)
          const next = () => scheduler.schedule(Promise.resolve())
          const run = async (time: number) => {
            await next()
            folder.add(time)
            await next()
            const listed = [...folder]
            const kept = backupsToKeep(listed, time, retention)
            for (const surplus of listed.filter((other) => !kept.has(other))) {
              await next()
              folder.delete(surplus)
            }
          }
          await scheduler.waitFor(Promise.all(runs.map(run)))
          const kept = backupsToKeep([...before, ...runs], Math.max(...runs), retention)
          expect([...kept].filter((time) => !folder.has(time))).toEqual([])
        },
      ),
    )
  })

  test('never counts or removes a backup of a later time, so that a wrong clock harms no backups', () => {
    fc.assert(
      fc.property(anyTimes, anyRetention, fc.integer({ min: 0, max: 80 }), (times, retention, position) => {
        const now = times[Math.min(position, times.length - 1)] ?? 0
        const past = times.filter((time) => time <= now)
        const expected = [...backupsToKeep(past, now, retention), ...times.filter((time) => time > now)]
        expect(sorted(backupsToKeep(times, now, retention))).toEqual(sorted(expected))
      }),
    )
  })

  test('uses hours, days and weeks in UTC; a week begins on Monday', () => {
    const sunday = at('2026-11-22T23:59:59.999')
    const monday = sunday + 1
    expect(sorted(backupsToKeep([sunday, monday], monday, { w: 2 }))).toEqual([sunday, monday])
    expect(sorted(backupsToKeep([sunday, monday], monday, { w: 1 }))).toEqual([monday])
    const late = at('2026-11-23T09:00:00.000')
    expect(sorted(backupsToKeep([monday, late], late, { d: 7, w: 4 }))).toEqual([late])
    expect(sorted(backupsToKeep([late - 1, late], late, { h: 24 }))).toEqual([late - 1, late])
  })

  test('removes nothing only because time has passed without backups', () => {
    const last = at('2026-01-01T12:00:00')
    const muchLater = at('2027-06-01T12:00:00')
    expect(sorted(backupsToKeep([last, muchLater], muchLater, { h: 24 }))).toEqual([last, muchLater])
  })

  test.each<[string, Retention | undefined]>([
    ['24h,7d,4w', { h: 24, d: 7, w: 4 }],
    ['1w', { w: 1 }],
    ['9999d,1h', { d: 9999, h: 1 }],
    ['', undefined],
    ['24h,', undefined],
    ['24h, 7d', undefined],
    ['0h', undefined],
    ['-1h', undefined],
    ['1.5d', undefined],
    ['12m', undefined],
    ['24', undefined],
    ['1h,2h', undefined],
    ['10000h', undefined],
    ['1constructor', undefined],
  ])('is parsed from %j', (text, retention) => {
    expect(parseRetention(text)).toEqual(retention)
  })
})
