import { describe, expect, test } from 'vitest'
import { coalesce } from '../../src/store/coalesce.js'

describe('coalesce', () => {
  test('gives each caller the result of a run that started after its call', async () => {
    const finishers: ((value: number) => void)[] = []
    const run = coalesce(() => new Promise<number>((resolve) => finishers.push(resolve)))
    const first = run()
    await expect.poll(() => finishers).toHaveLength(1)
    const others = [run(), run()]
    finishers[0]?.(1)
    expect(await first).toBe(1)
    await expect.poll(() => finishers).toHaveLength(2)
    const last = run()
    finishers[1]?.(2)
    expect(await Promise.all(others)).toEqual([2, 2])
    await expect.poll(() => finishers).toHaveLength(3)
    finishers[2]?.(3)
    expect(await last).toBe(3)
  })

  test('shares a run among all calls of an event-loop turn', async () => {
    let runs = 0
    const run = coalesce(async () => (runs += 1))
    const first = run()
    for (let i = 0; i < 10; i += 1) await Promise.resolve()
    expect(await Promise.all([first, run()])).toEqual([1, 1])
  })

  test('runs again after a failed run', async () => {
    let tries = 0
    const run = coalesce(async () => {
      tries += 1
      if (tries === 1) throw new Error('failed')
      return tries
    })
    const [first] = await Promise.allSettled([run()])
    const [second] = await Promise.allSettled([run()])
    expect(first).toMatchObject({ reason: new Error('failed') })
    expect(second).toMatchObject({ value: 2 })
  })
})
