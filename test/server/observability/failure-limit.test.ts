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

const create = () => createFailureLimit((failures) => counted.push(failures))
/** How many of some failures of an address are recorded. */
const recordedOf = (limit: ReturnType<typeof create>, address: string, failures: number) =>
  Array.from({ length: failures }, () => limit.isRecorded(address)).filter(Boolean).length

it('records three failures of a client a minute, and counts the others', () => {
  const limit = create()
  expect(recordedOf(limit, '192.0.2.1', 25)).toBe(3)
  vi.advanceTimersByTime(minute - 1)
  expect(counted).toEqual([])
  vi.advanceTimersByTime(1)
  expect(counted).toEqual([{ failures: 22, source: '192.0.2.1' }])
  expect(recordedOf(limit, '192.0.2.1', 11)).toBe(3)
})

it('takes the addresses of an IPv6 /48 for one client', () => {
  const limit = create()
  expect(recordedOf(limit, '2001:db8::1', 2) + recordedOf(limit, '2001:db8:0:1::2', 6)).toBe(3)
  expect(recordedOf(limit, '2001:db8:1:1::1', 6)).toBe(3)
  vi.advanceTimersByTime(minute)
  expect(counted).toEqual([
    { failures: 5, source: '2001:db8:0::/48' },
    { failures: 3, source: '2001:db8:1::/48' },
  ])
})

it('hides no client behind the failures of others, and counts clients beyond a hundred together', () => {
  const limit = create()
  for (let i = 0; i < 99; i += 1) recordedOf(limit, `198.51.100.${i}`, 40)
  expect(recordedOf(limit, '192.0.2.5', 2)).toBe(2)
  for (let i = 0; i < 300; i += 1) expect(limit.isRecorded(`203.0.${i >> 8}.${i & 255}`)).toBe(false)
  vi.advanceTimersByTime(minute)
  expect(counted.slice(0, 99).every(({ failures }) => failures === 37)).toBe(true)
  expect(counted.slice(99)).toEqual([{ failures: 300 }])
})

it('tells nothing where all failures were recorded', () => {
  const limit = create()
  recordedOf(limit, '192.0.2.1', 3)
  vi.advanceTimersByTime(2 * minute)
  limit.end()
  expect(counted).toEqual([])
})

it('tells at its end what it has counted, once', () => {
  const limit = create()
  recordedOf(limit, '192.0.2.1', 5)
  limit.end()
  vi.advanceTimersByTime(2 * minute)
  expect(counted).toEqual([{ failures: 2, source: '192.0.2.1' }])
})
