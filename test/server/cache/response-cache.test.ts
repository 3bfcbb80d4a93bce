import { describe, expect, test, vi } from 'vitest'
import { createChangeTracker } from '../../../src/server/cache/change-tracker.js'
import { createCache } from '../../../src/server/cache/response-cache.js'

/** A cache over a change feed whose commits a test sets: the changed teams, or undefined for any other change. */
function open(maxBytes = 1_000_000) {
  const commits: (string[] | undefined)[] = []
  const since = vi.fn(async (cursor?: string) => {
    const changes = commits.slice(Number(cursor))
    const isKnown = cursor !== undefined && !changes.includes(undefined)
    return {
      cursor: String(commits.length),
      teams: isKnown ? changes.flatMap((teams) => teams ?? []) : undefined,
    }
  })
  const changes = { version: vi.fn(() => String(commits.length)), since }
  const tracker = createChangeTracker(changes)
  let time = 0
  const sizeOf = (text: string) => text.length
  const cache = createCache<string>({ tracker, now: () => new Date(time), maxBytes, sizeOf })

  /** Reads a key as a request does. Returns its value, and whether it was loaded for this call. */
  const read = async (key: string, team?: string, value = 'x'.repeat(1000), until?: number) => {
    const load = vi.fn(async () => ({ value, team, until: until ?? Number.POSITIVE_INFINITY }))
    const found = await cache.get(await tracker.generation(), key, load)
    return { value: found, isLoaded: load.mock.calls.length === 1 }
  }
  const isLoaded = async (key: string, team?: string) => (await read(key, team)).isLoaded
  const setTime = (ms: number) => {
    time = ms
  }
  return { cache, tracker, changes, commits, read, isLoaded, setTime }
}

describe('a cached value', () => {
  test('is removed when it is the least recently used, and the size exceeds the limit', async () => {
    // A value takes 1,502 bytes here: 1,000 of its own, and an overhead for the key and the entry.
    const { isLoaded } = open(5_000)
    for (const key of ['a', 'b', 'c']) expect(await isLoaded(key)).toBe(true)
    for (const key of ['b', 'c', 'a']) expect(await isLoaded(key)).toBe(false)
    expect(await isLoaded('d')).toBe(true)
    for (const key of ['c', 'a', 'd']) expect(await isLoaded(key)).toBe(false)
    expect(await isLoaded('b')).toBe(true)
  })

  test('does not displace others when it is larger than the limit', async () => {
    const { read, isLoaded } = open(5_000)
    await isLoaded('a')
    for (let i = 0; i < 2; i += 1)
      expect(await read('b', undefined, 'x'.repeat(5_000))).toMatchObject({ isLoaded: true })
    expect(await isLoaded('a')).toBe(false)
  })

  test('stays valid while other teams change, and is invalidated by every change that is not of a team', async () => {
    const { commits, isLoaded } = open()
    await isLoaded('acme', 'acme')
    await isLoaded('globex', 'globex')
    await isLoaded('no team')
    commits.push(['globex'], [])
    expect(await isLoaded('acme', 'acme')).toBe(false)
    expect(await isLoaded('globex', 'globex')).toBe(true)
    expect(await isLoaded('no team')).toBe(false)
    commits.push(undefined)
    for (const key of ['acme', 'globex', 'no team']) expect(await isLoaded(key)).toBe(true)
  })

  test('stays valid until its time', async () => {
    const { read, setTime } = open()
    await read('a', 'acme', 'value', 1_000)
    setTime(999)
    expect((await read('a')).isLoaded).toBe(false)
    setTime(1_000)
    expect((await read('a')).isLoaded).toBe(true)
  })

  test('is removed when it is no longer valid, and others are added', async () => {
    const { read, isLoaded, setTime } = open()
    for (const key of ['a', 'b', 'c', 'd']) await read(key, 'acme', 'value', 1_000)
    await isLoaded('lasting')
    setTime(1_000)
    await read('e')
    await read('f')
    // At this time it would be valid, were it still there.
    setTime(999)
    for (const key of ['lasting', 'e', 'f']) expect((await read(key)).isLoaded).toBe(false)
    for (const key of ['a', 'b', 'c', 'd']) expect((await read(key)).isLoaded).toBe(true)
  })

  test('is not stored without a time until which it is valid', async () => {
    const { cache, tracker } = open()
    const load = vi.fn(async () => ({ value: 'refused' }))
    for (let i = 0; i < 2; i += 1) await cache.get(await tracker.generation(), 'a', load)
    expect(load).toHaveBeenCalledTimes(2)
  })

  test('is not the result of a load that began before its team changed', async () => {
    const { cache, tracker, commits, read, isLoaded } = open()
    await isLoaded('b', 'acme')
    let finish = (_loaded: { value: string; team: string; until: number }) => {}
    const slow = new Promise<Parameters<typeof finish>[0]>((resolve) => {
      finish = resolve
    })
    const before = cache.get(await tracker.generation(), 'a', () => slow)
    commits.push(['acme'])
    expect(await read('a', 'acme', 'new')).toEqual({ value: 'new', isLoaded: true })
    finish({ value: 'old', team: 'acme', until: Number.POSITIVE_INFINITY })
    expect(await before).toBe('old')
    expect(await read('a', 'acme', 'newer')).toEqual({ value: 'new', isLoaded: false })
    expect(await isLoaded('b', 'acme')).toBe(true)
  })

  test('is loaded once for concurrent calls', async () => {
    const { read } = open()
    const loaded = await Promise.all(['a', 'b', 'a', 'a'].map((key) => read(key)))
    expect(loaded.map(({ isLoaded }) => isLoaded)).toEqual([true, true, false, false])
  })

  describe('while loads of it run', () => {
    /** Reads a key of team acme by a load that ends when `finish` is called. */
    const startRead = async ({ cache, tracker }: ReturnType<typeof open>) => {
      let finish = (_value: string) => {}
      const value = new Promise<string>((resolve) => {
        finish = resolve
      })
      const load = vi.fn(async () => ({
        value: await value,
        team: 'acme',
        until: Number.POSITIVE_INFINITY,
      }))
      const result = cache.get(await tracker.generation(), 'a', load, 'acme')
      return { result, finish, load }
    }

    test('is the result of the newest one if its team has not changed since', async () => {
      const opened = open()
      const first = await startRead(opened)
      opened.commits.push(['globex'])
      const second = await startRead(opened)
      first.finish('first')
      expect(await Promise.all([first.result, second.result])).toEqual(['first', 'first'])
      expect(second.load).not.toHaveBeenCalled()
    })

    test('is loaded at most twice at once, however often its team changes', async () => {
      const opened = open()
      const reads: Awaited<ReturnType<typeof startRead>>[] = []
      for (let i = 0; i < 4; i += 1) {
        reads.push(await startRead(opened))
        opened.commits.push(['acme'])
      }
      const started = () => reads.map(({ load }) => load.mock.calls.length)
      expect(started()).toEqual([1, 1, 0, 0])
      reads[0]?.finish('0')
      expect(await reads[0]?.result).toBe('0')
      const next = await startRead(opened)
      expect(next.load).toHaveBeenCalledTimes(1)
      for (const [i, { finish }] of [...reads, next].entries()) finish(String(i))
      // The later ones were asked for after a change that no load of then shows: one more serves both.
      const results = await Promise.all([...reads, next].map(({ result }) => result))
      expect(results.slice(0, 2)).toEqual(['0', '1'])
      for (const result of results.slice(2)) expect(['2', '3', '4']).toContain(result)
    })
  })

  test('is loaded again after a failure', async () => {
    const { cache, tracker, isLoaded } = open()
    const failed = cache.get(await tracker.generation(), 'a', async () => Promise.reject(new Error('locked')))
    await expect(failed).rejects.toThrow('locked')
    expect(await isLoaded('a')).toBe(true)
  })
})

describe('the change tracker', () => {
  test('reads the version once for all calls of one event-loop turn, after the last of them', async () => {
    const { tracker, changes, commits } = open()
    const before = await tracker.generation()
    changes.version.mockClear()
    const calls = [tracker.generation(), tracker.generation()]
    expect(changes.version).not.toHaveBeenCalled()
    expect(await Promise.all(calls)).toEqual([before, before])
    expect(changes.version).toHaveBeenCalledTimes(1)
    const next = tracker.generation()
    commits.push(['acme'])
    expect(await next).toBeGreaterThan(before ?? 0)
  })

  test('reads the changes of a commit once', async () => {
    const { tracker, changes, commits } = open()
    await tracker.generation()
    commits.push(['acme'])
    await Promise.all([tracker.generation(), tracker.generation()])
    await tracker.generation()
    expect(changes.since).toHaveBeenCalledTimes(2)
  })

  test('has the same generation after commits that change no team', async () => {
    const { tracker, commits } = open()
    const before = await tracker.generation()
    commits.push([])
    expect(await tracker.generation()).toBe(before)
  })

  test('reads the changes each time from a feed without a version', async () => {
    const { changes, commits } = open()
    const tracker = createChangeTracker({ since: changes.since })
    const before = (await tracker.generation()) ?? 0
    commits.push(['acme'])
    expect(await tracker.generation()).toBe(before + 1)
  })

  test('has no generation while the change feed fails: values are then loaded and not stored', async () => {
    const { changes, tracker, isLoaded } = open()
    await isLoaded('a')
    changes.version.mockImplementation(() => {
      throw new Error('closed')
    })
    expect(await tracker.generation()).toBeUndefined()
    expect([await isLoaded('a'), await isLoaded('a')]).toEqual([true, true])
    changes.version.mockImplementation(() => '0')
    expect(await isLoaded('a')).toBe(false)
  })

  test('stays correct for more teams than it stores', async () => {
    const { tracker, commits } = open()
    const since = (await tracker.generation()) ?? 0
    expect(tracker.isValid({ since, team: 'unchanged' })).toBe(true)
    for (let i = 0; i < 5; i += 1) {
      commits.push(Array.from({ length: 3_000 }, (_, team) => `${i}-${team}`))
      await tracker.generation()
    }
    for (const team of ['0-0', '4-2999']) expect(tracker.isValid({ since, team })).toBe(false)
    expect(tracker.isValid({ since: since + 5, team: '0-0' })).toBe(true)
    // A team that is not stored may have changed with the last team that was removed; teamless values have not.
    expect(tracker.isValid({ since, team: 'unchanged' })).toBe(false)
    expect(tracker.isValid({ since })).toBe(true)
  })
})
