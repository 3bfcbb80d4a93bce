import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { newId } from '../../src/store/new-id.js'

test('ids are UUIDs of version 7 with the time, each greater than those before it, whatever the clock does', () => {
  const started = Date.parse('2126-03-01T12:00:00.000Z')
  const now = vi.spyOn(Date, 'now')
  onTestFinished(() => now.mockRestore())
  const ids: string[] = []
  // The clock stands still, advances, and goes back.
  for (const time of [0, 1, 1, -4]) {
    now.mockReturnValue(started + time)
    for (let i = 0; i < 1_500; i += 1) ids.push(newId())
  }
  for (const id of ids) expect(z.uuidv7().safeParse(id).success).toBe(true)
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]?.slice(0, 13)).toBe(ids[1_499]?.slice(0, 13))
  expect(Number.parseInt(ids[0]?.replace('-', '').slice(0, 12) ?? '', 16)).toBe(started)
  const random = (id = '') => id.slice(24)
  expect(new Set(ids.map(random)).size).toBe(ids.length)
})
