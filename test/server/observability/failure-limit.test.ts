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
  expect(recordedOf(limit, '2001:db8:0:1::1', 6)).toBe(0)
  expect(recordedOf(limit, '2001:db8:1:1::1', 6)).toBe(6)
})

it('records thirty failures of all clients a minute, and counts the others for each client', () => {
  const limit = create()
  const clients = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']
  for (const client of clients) recordedOf(limit, client, 8)
  expect(recordedOf(limit, '192.0.2.5', 3)).toBe(0)
  vi.advanceTimersByTime(minute)
  expect(counted).toEqual([
    { failures: 2, source: '192.0.2.4' },
    { failures: 3, source: '192.0.2.5' },
  ])
})

it('counts an IPv6 /48 as one client, and clients beyond 200 together', () => {
  const limit = create()
  recordedOf(limit, '192.0.2.1', 10)
  for (const each of ['192.0.2.2', '192.0.2.3']) recordedOf(limit, each, 10)
  for (let i = 0; i < 300; i += 1) limit.isRecorded(`2001:db8:5:${i.toString(16)}::1`)
  for (let i = 0; i < 300; i += 1) limit.isRecorded(`198.51.${i >> 8}.${i & 255}`)
  vi.advanceTimersByTime(minute)
  expect(counted[0]).toEqual({ failures: 300, source: '2001:db8:5::/48' })
  expect(counted.slice(1, 197).every(({ failures }) => failures === 1)).toBe(true)
  expect(counted.slice(197)).toEqual([{ failures: 104 }])
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
