import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { fastClock } from '../../bench/drills/fast-clock-time.js'
import { growth } from '../../bench/drills/growth.js'

test('growth compares the first third after the warm-up with the last', () => {
  const samples = Array.from({ length: 121 }, (_, at) => ({ at, level: at < 30 ? at : 30, leak: at }))
  expect(growth(samples, 'level')).toEqual({ first: 30, last: 30 })
  expect(growth(samples, 'leak')).toEqual({ first: 45, last: 105 })
})

test('the clock of a program runs faster, and what it does every few minutes comes sooner', () => {
  const preload = new URL('../../bench/drills/fast-clock.js', import.meta.url).href
  const start = Date.now()
  const program = `
    const began = Date.now()
    setInterval(() => {
      process.stdout.write(JSON.stringify([began, Date.now(), new Date().getTime(), new Date(5).getTime()]))
      process.exit()
    }, 600_000)`
  const output = execFileSync(process.execPath, ['--import', preload, '-e', program], {
    env: { ...process.env, FAST_CLOCK: '60000', FAST_CLOCK_START: String(start) },
  })
  const [began, now, constructed, given] = JSON.parse(output.toString())
  expect(now - began).toBeGreaterThanOrEqual(590_000)
  expect(constructed).toBeGreaterThanOrEqual(now)
  expect(given).toBe(5)
  expect(fastClock(10, start - 1_000)() - start).toBeGreaterThanOrEqual(9_000)
})
