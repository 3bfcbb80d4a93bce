import { expect, test } from 'vitest'
import * as z from 'zod'
import { createNewIds } from '../../src/store/new-ids.js'

test('ids are UUIDs of version 7 with the time, each greater than those before it, of every process its own', () => {
  let time = Date.parse('2026-03-01T12:00:00.000Z')
  const clock = () => time
  const [newId, otherId] = [createNewIds(clock), createNewIds(clock)]
  const ids: string[] = []
  // More than share their random bytes; the clock stands still, goes on, and back.
  for (const step of [0, 1, 0, -5]) {
    time += step
    for (let i = 0; i < 300; i += 1) ids.push(newId())
  }
  for (const id of ids) expect(z.uuidv7().safeParse(id).success).toBe(true)
  expect(ids).toEqual([...ids].sort())
  expect(new Set([...ids, ...Array.from({ length: 300 }, () => otherId())]).size).toBe(ids.length + 300)
  expect(ids[0]?.slice(0, 13)).toBe(ids[299]?.slice(0, 13))
  expect(Number.parseInt(ids[0]?.replace('-', '').slice(0, 12) ?? '', 16)).toBe(
    Date.parse('2026-03-01T12:00:00.000Z'),
  )
  const random = (id = '') => id.slice(24)
  expect(new Set(ids.map(random)).size).toBe(ids.length)
})
