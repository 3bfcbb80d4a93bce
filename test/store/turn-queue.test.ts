import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createTurnQueue } from '../../src/store/turn-queue.js'

describe('createTurnQueue', () => {
  test('starts a task at the end of the turn', async () => {
    const enqueue = createTurnQueue()
    let hasStarted = false
    const task = enqueue(async () => {
      hasStarted = true
    })
    for (let i = 0; i < 10; i += 1) await Promise.resolve()
    expect(hasStarted).toBe(false)
    await task
    expect(hasStarted).toBe(true)
  })

  test('runs one task at a time, and starts the next one before the callers of the last one go on', async () => {
    const enqueue = createTurnQueue()
    const events: string[] = []
    const call = (name: string) =>
      enqueue(async () => {
        events.push(`${name} starts`)
        await setImmediate()
        events.push(`${name} ends`)
      }).then(() => events.push(`the caller of ${name} goes on`))
    await Promise.all([call('a'), call('b')])
    expect(events).toEqual([
      'a starts',
      'a ends',
      'b starts',
      'the caller of a goes on',
      'b ends',
      'the caller of b goes on',
    ])
  })

  test('what arrives while a task ends is in time for the next one', async () => {
    const enqueue = createTurnQueue()
    const arrived: string[] = []
    const seen: string[][] = []
    const see = async () => void seen.push([...arrived])
    const first = enqueue(async () => {
      // In the turn in which this task ends, after its end.
      process.nextTick(() => Promise.resolve().then(() => arrived.push('late')))
    })
    await Promise.all([first, enqueue(see)])
    expect(seen).toEqual([['late']])
  })

  test('continues after a task that failed', async () => {
    const enqueue = createTurnQueue()
    const failed = enqueue(async () => {
      throw new Error('failed')
    })
    const next = enqueue(async () => 'next')
    await expect(failed).rejects.toThrow('failed')
    expect(await next).toBe('next')
    expect(await enqueue(async () => 'last')).toBe('last')
  })
})
