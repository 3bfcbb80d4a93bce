import { describe, expect, test, vi } from 'vitest'
import { coalesce } from '../../src/store/coalesce.js'

describe('sharing a look-up', () => {
  test('gives each caller one that began after its call', async () => {
    const finishers: ((value: number) => void)[] = []
    const look = coalesce(() => new Promise<number>((resolve) => finishers.push(resolve)))
    const first = look()
    await vi.waitFor(() => expect(finishers).toHaveLength(1))
    const others = [look(), look()]
    finishers[0]?.(1)
    expect(await first).toBe(1)
    await vi.waitFor(() => expect(finishers).toHaveLength(2))
    const last = look()
    finishers[1]?.(2)
    expect(await Promise.all(others)).toEqual([2, 2])
    await vi.waitFor(() => expect(finishers).toHaveLength(3))
    finishers[2]?.(3)
    expect(await last).toBe(3)
  })

  test('goes on after one that failed', async () => {
    let tries = 0
    const look = coalesce(async () => {
      tries += 1
      if (tries === 1) throw new Error('failed')
      return tries
    })
    const [first] = await Promise.allSettled([look()])
    const [second] = await Promise.allSettled([look()])
    expect(first).toMatchObject({ reason: new Error('failed') })
    expect(second).toMatchObject({ value: 2 })
  })
})
