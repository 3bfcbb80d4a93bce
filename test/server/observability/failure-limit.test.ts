import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type CountedFailures, createFailureLimit } from '../../../src/server/observability/failure-limit.js'

let counted: CountedFailures[]
const minute = 60_000

beforeEach(() => {
  counted = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const create = () => createFailureLimit({ onCounted: (failures) => counted.push(failures) })
/** How many of some failures of an address are recorded. */
const recordedOf = (limit: ReturnType<typeof create>, address: string, failures: number) =>
  Array.from({ length: failures }, () => limit.isRecorded(address)).filter(Boolean).length

it('records ten failures of a client a minute, and counts the others', () => {
  const limit = create()
  expect(recordedOf(limit, '192.0.2.1', 25)).toBe(10)
  vi.advanceTimersByTime(minute - 1)
  expect(counted).toEqual([])
  vi.advanceTimersByTime(1)
  expect(counted).toEqual([{ failures: 15, source: '192.0.2.1' }])
  expect(recordedOf(limit, '192.0.2.1', 11)).toBe(10)
})

it('takes the addresses of an IPv6 network for one client', () => {
  const limit = create()
  expect(recordedOf(limit, '2001:db8::1', 6) + recordedOf(limit, '2001:db8::2', 6)).toBe(10)
  expect(recordedOf(limit, '2001:db8:0:1::1', 6)).toBe(6)
})

it('records thirty failures of all clients a minute', () => {
  const limit = create()
  const recorded = Array.from({ length: 1000 }, (_, i) =>
    limit.isRecorded(`192.0.${i >> 8}.${i & 255}`),
  ).filter(Boolean)
  expect(recorded).toHaveLength(30)
  vi.advanceTimersByTime(minute)
  expect(counted).toEqual([{ failures: 970 }])
})

it('tells nothing where all failures were recorded', () => {
  const limit = create()
  recordedOf(limit, '192.0.2.1', 10)
  vi.advanceTimersByTime(2 * minute)
  limit.end()
  expect(counted).toEqual([])
})

it('tells at its end what it has counted, once', () => {
  const limit = create()
  recordedOf(limit, '192.0.2.1', 12)
  limit.end()
  vi.advanceTimersByTime(2 * minute)
  expect(counted).toEqual([{ failures: 2, source: '192.0.2.1' }])
})
