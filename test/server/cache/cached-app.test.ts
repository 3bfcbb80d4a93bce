import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { createKeeping } from '../../../src/server/cache/response-cache.js'
import type { Answer } from '../../../src/server/http/http-response.js'

describe('what is kept', () => {
  const text = 'x'.repeat(1000)
  const answer = { status: 200, headers: {}, text }
  const made = { value: answer, until: Number.POSITIVE_INFINITY, team: 'acme' }

  /** Answers kept over a store of which a test says what is committed. */
  function keep(maxBytes?: number) {
    const commits: (string[] | undefined)[] = []
    const since = vi.fn(async (cursor?: string) => {
      const teams = commits.slice(Number(cursor))
      return {
        cursor: String(commits.length),
        teams:
          cursor === undefined || teams.includes(undefined) ? undefined : teams.flatMap((some) => some ?? []),
      }
    })
    const changes = { version: vi.fn(() => String(commits.length)), since }
    const reads = createKeeping({ changes, now: () => new Date(), maxBytes }).ofKind<Answer>(
      ({ text = '' }) => 3 * text.length,
    )
    const find = (key: string) => new Promise<Answer | undefined>((tell) => reads.find(key, tell))
    const areKept = async (...keys: string[]) =>
      (await Promise.all(keys.map(find))).map((found) => found !== undefined)
    /** Whether an answer for a team is made, or found. */
    const ask = async (key: string, team?: string) => {
      const make = vi.fn(async () => ({ ...made, team }))
      await reads.get(key, make)
      return make.mock.calls.length === 1 ? 'made' : 'found'
    }
    return { get: reads.get, find, areKept, changes, commits, since, ask }
  }

  test('is bounded in bytes', async () => {
    const { get, areKept } = keep(10_000)
    for (const key of ['a', 'b', 'a', 'b', 'a', 'b']) await get(key, async () => made)
    expect(await areKept('a', 'b', 'c')).toEqual([true, true, false])
    for (const key of ['c', 'd', 'e']) await get(key, async () => made)
    expect(await areKept('a', 'd', 'e')).toEqual([false, false, true])
  })

  test('is of its whole key', async () => {
    const { get, areKept } = keep()
    const end = 'the same end of more than thirty-two characters'
    await get(`a ${end}`, async () => made)
    expect(await areKept(`a ${end}`, `b ${end}`, end)).toEqual([true, false, false])
    await get(`b ${end}`, async () => made)
    expect(await areKept(`a ${end}`, `b ${end}`)).toEqual([false, true])
    // Other cookies may come after that of the session, the same for everybody.
    for (const key of [`a; ${end}`, `b; ${end}`]) await get(key, async () => made)
    expect(await areKept(`a; ${end}`, `b; ${end}`)).toEqual([true, true])
  })

  test('lets go of the key whose place another takes', async () => {
    const { get } = keep()
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const heapUsed = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = heapUsed()
    for (let i = 0; i < 1_000; i++) {
      for (const length of [20_000, 40]) await get(String(i).padStart(length, '0'), async () => made)
    }
    expect(heapUsed() - before).toBeLessThan(5_000_000)
  })

  test('lasts while other teams change, and for no team while any session or team does not', async () => {
    const { commits, ask, areKept } = keep()
    await ask('acme', 'acme')
    await ask('globex', 'globex')
    await ask('alone')
    commits.push(['globex'], [])
    expect(await areKept('acme')).toEqual([false])
    expect(await ask('acme', 'acme')).toBe('found')
    expect(await areKept('acme', 'globex', 'alone')).toEqual([true, false, true])
    expect(await ask('globex', 'globex')).toBe('made')
    commits.push(undefined)
    expect(await ask('acme', 'acme')).toBe('made')
    expect(await areKept('acme', 'globex', 'alone')).toEqual([true, false, false])
  })

  test('is looked at once by all who ask after a commit', async () => {
    const { commits, since, ask } = keep()
    await ask('a', 'acme')
    commits.push(['acme'])
    const asked = await Promise.all(['a', 'b', 'c', 'a'].map((key) => ask(key, 'acme')))
    expect(asked).toEqual(['made', 'made', 'made', 'found'])
    expect(since).toHaveBeenCalledTimes(2)
  })

  test('is looked at once by all who ask in one turn, and after the last of them', async () => {
    const { get, find, changes, commits } = keep()
    await get('a', async () => made)
    changes.version.mockClear()
    const asked = [find('a'), find('a'), find('b')]
    expect(changes.version).not.toHaveBeenCalled()
    expect(await Promise.all(asked)).toEqual([answer, answer, undefined])
    expect(changes.version).toHaveBeenCalledTimes(1)
    const before = find('a')
    commits.push(['acme'])
    expect(await before).toBe(undefined)
  })

  test('is not what was still being made when its team changed', async () => {
    const { commits, get, ask, areKept, find } = keep()
    await ask('b', 'acme')
    let finish: ((value: typeof made) => void) | undefined
    const slow = get('a', () => new Promise<typeof made>((resolve) => (finish = resolve)))
    await vi.waitFor(() => expect(finish).not.toBe(undefined))
    commits.push(['acme'])
    const fresh = { ...made, value: { ...answer, text: 'fresh' } }
    expect((await get('a', async () => fresh)).text).toBe('fresh')
    finish?.(made)
    expect((await slow).text).toBe(text)
    expect((await find('a'))?.text).toBe('fresh')
    expect(await areKept('b')).toEqual([false])
  })

  test('does not hold on to what could not be made', async () => {
    const { get, ask } = keep()
    await expect(get('a', async () => Promise.reject(new Error('locked')))).rejects.toThrow('locked')
    expect(await ask('a', 'acme')).toBe('made')
  })
})
