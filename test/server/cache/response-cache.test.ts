import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Reply, SuccessReply } from '../../../src/handlers/reply.js'
import { createResponseCache } from '../../../src/server/cache/response-cache.js'

const reply = (version: string | undefined, body = 'x'.repeat(1_000)) => ({
  status: 200,
  headers: {},
  body,
  version,
})

/** The text in a body of JSON. */
const textOf = (loaded: Reply): unknown => loaded.code === undefined && JSON.parse(String(loaded.body))

/** Reads a key whose rows have a version. @returns the body, and whether it was loaded for this call */
function open(maxBytes = 1_000_000) {
  const cache = createResponseCache(maxBytes)
  const cached = (key: string, version: string, inputs: string, load: Parameters<typeof cache.load>[1]) =>
    cache.find({ key, version, inputs }) ?? cache.load({ key, version, inputs }, load)
  const read = async (
    key: string,
    version: string,
    {
      inputs = '',
      made = version,
      body = key,
    }: { inputs?: string; made?: string | null; body?: string } = {},
  ) => {
    const load = vi.fn(async () => reply(made ?? undefined, body))
    const found = await cached(key, version, inputs, load)
    return { body: textOf(found), isLoaded: load.mock.calls.length === 1 }
  }
  const isLoaded = async (key: string, version: string, inputs?: string) =>
    (await read(key, version, { inputs })).isLoaded
  return { cached, read, isLoaded }
}

/** The number of bodies in memory. */
function held(bodies: WeakRef<Buffer>[]): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return bodies.filter((body) => body.deref()).length
}

describe('a cached response', () => {
  test('is served while its rows have the version that it was made from, and only then', async () => {
    const { isLoaded } = open()
    expect(await isLoaded('a', 'v1')).toBe(true)
    expect(await isLoaded('a', 'v1')).toBe(false)
    expect(await isLoaded('a', 'v2')).toBe(true)
    expect(await isLoaded('a', 'v2')).toBe(false)
    // Versions have no order: an earlier version is another one.
    expect(await isLoaded('a', 'v1')).toBe(true)
  })

  test('is stored under the version that was read with it, not under the requested one', async () => {
    const { read } = open()
    // A lagging server returns the previous body.
    expect(await read('a', 'v2', { made: 'v1', body: 'old' })).toEqual({ body: 'old', isLoaded: true })
    expect(await read('a', 'v2', { body: 'new' })).toEqual({ body: 'new', isLoaded: true })
    expect(await read('a', 'v2')).toEqual({ body: 'new', isLoaded: false })
  })

  test('is not stored without a version', async () => {
    const { read } = open()
    for (let i = 0; i < 2; i += 1) expect((await read('b', 'v1', { made: null })).isLoaded).toBe(true)
  })

  test('is served only for the same inputs', async () => {
    const { isLoaded } = open()
    expect(await isLoaded('a', 'v1', 'may create')).toBe(true)
    expect(await isLoaded('a', 'v1', 'may not')).toBe(true)
    expect(await isLoaded('a', 'v1', 'may not')).toBe(false)
  })

  test('is shared only by concurrent calls with the same version and inputs', async () => {
    const { cached } = open()
    const loads = new Map<string, number>()
    const call = (version: string, inputs = '') =>
      cached('a', version, inputs, async () => {
        const id = version + inputs
        loads.set(id, (loads.get(id) ?? 0) + 1)
        return reply(version, id)
      })
    const replies = await Promise.all([call('v1'), call('v1'), call('v2'), call('v2', 'b'), call('v2')])
    expect(replies.map(textOf)).toEqual(['v1', 'v1', 'v2', 'v2b', 'v2'])
    expect([...loads.values()]).toEqual([1, 1, 1])
  })

  test('is removed when it is the least recently used, and the size exceeds the limit', async () => {
    // A response takes about 1,500 bytes here: 1,000 for the body, the rest for the key and the entry.
    const { read } = open(5_000)
    const isLoaded = async (key: string) => (await read(key, 'v1', { body: 'x'.repeat(1_000) })).isLoaded
    for (const key of ['a', 'b', 'c']) expect(await isLoaded(key)).toBe(true)
    for (const key of ['b', 'c', 'a']) expect(await isLoaded(key)).toBe(false)
    expect(await isLoaded('d')).toBe(true)
    for (const key of ['c', 'a', 'd']) expect(await isLoaded(key)).toBe(false)
    expect(await isLoaded('b')).toBe(true)
  })

  test('is removed when it is not requested: each addition removes two', async () => {
    const started = 1_000
    const now = vi.spyOn(performance, 'now').mockReturnValue(started)
    onTestFinished(() => now.mockRestore())
    const { cached } = open()
    const load = async (key: string) => {
      const loaded = await cached(key, 'v1', '', async () => reply('v1', key))
      return new WeakRef((loaded as SuccessReply<Buffer>).body)
    }
    const old = await Promise.all(Array.from({ length: 6 }, (_, i) => load(`old ${i}`)))
    // The cache reads the time again after a moment.
    await new Promise((resolve) => setTimeout(resolve, 150))
    now.mockReturnValue(started + 6 * 60_000)
    await load('new 1')
    await load('new 2')
    await expect.poll(() => held(old)).toBe(2)
    // An old response is still valid while its rows are unchanged.
    const loadAgain = vi.fn(async () => reply('v1'))
    await cached('old 5', 'v1', '', loadAgain)
    expect(loadAgain).not.toHaveBeenCalled()
  })

  test('is not removed if it is requested now and then', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000)
    onTestFinished(() => now.mockRestore())
    const { isLoaded } = open()
    for (const key of ['old', 'used']) await isLoaded(key, 'v1')
    for (const minutes of [4, 8]) {
      // The cache reads the time again after a moment.
      await new Promise((resolve) => setTimeout(resolve, 150))
      now.mockReturnValue(1_000 + minutes * 60_000)
      expect(await isLoaded('used', 'v1')).toBe(false)
    }
    await isLoaded('new', 'v1')
    expect([await isLoaded('used', 'v1'), await isLoaded('old', 'v1')]).toEqual([false, true])
  })

  test('counts with its inputs, two bytes for each character', async () => {
    const { isLoaded } = open(5_000)
    const inputs = 's'.repeat(1_500)
    expect(await isLoaded('a', 'v1', inputs)).toBe(true)
    expect(await isLoaded('b', 'v1', inputs)).toBe(true)
    expect(await isLoaded('a', 'v1', inputs)).toBe(true)
  })

  test('does not displace others when it is larger than the limit', async () => {
    const { read } = open(5_000)
    await read('a', 'v1')
    for (let i = 0; i < 2; i += 1) {
      expect(await read('b', 'v1', { body: 'x'.repeat(5_000) })).toMatchObject({ isLoaded: true })
    }
    expect(await read('a', 'v1')).toMatchObject({ isLoaded: false })
  })

  test('is loaded again after a failure, and an error is not stored', async () => {
    const { cached, isLoaded } = open()
    await expect(cached('a', 'v1', '', async () => Promise.reject(new Error('locked')))).rejects.toThrow(
      'locked',
    )
    const refused = { status: 404, headers: {}, code: 'PROJECT_NOT_FOUND', message: 'none' } as const
    expect(await cached('a', 'v1', '', async () => refused)).toBe(refused)
    expect(await isLoaded('a', 'v1')).toBe(true)
  })
})
