import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.js'
import { at, state } from './records.js'

export function testWaitlist(store: () => Store): void {
  test('adds an address once; a second call changes nothing', async () => {
    expect(await store().addToWaitlist({ email: 'a@example.com', createdAt: at(1) })).toBe(true)
    expect(await store().addToWaitlist({ email: 'a@example.com', createdAt: at(2) })).toBe(false)
    expect(await store().waitlistAfter(undefined, 10_000)).toStrictEqual([
      { email: 'a@example.com', createdAt: at(1) },
    ])
  })

  test('adds an address once, also with concurrent calls', async () => {
    const entry = { email: 'a@example.com', createdAt: at(1) }
    const results = await Promise.all(Array.from({ length: 20 }, () => store().addToWaitlist(entry)))
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('lists newest first, then by address', async () => {
    for (const [email, minute] of [
      ['b@example.com', 1],
      ['new@example.com', 2],
      ['a@example.com', 1],
      ['old@example.com', 0],
    ] as const) {
      await store().addToWaitlist({ email, createdAt: at(minute) })
    }
    expect((await store().waitlistAfter(undefined, 10_000)).map(({ email }) => email)).toEqual([
      'new@example.com',
      'a@example.com',
      'b@example.com',
      'old@example.com',
    ])
  })

  describe('pages', () => {
    const waitlist = ['c1', 'a1', 'b1', 'd0', 'e2', 'f3', 'g1'].map((name) => ({
      email: `${name}@example.com`,
      createdAt: at(Number(name[1])),
    }))
    const inOrder = ['f3', 'e2', 'a1', 'b1', 'c1', 'g1', 'd0']
    const names = (entries: { email: string }[]) => entries.map(({ email }) => email.slice(0, 2))

    test.each([1, 2, 3, 7, 100])('of %i entries have every entry once, in order', async (limit) => {
      await store().load(state({ waitlist }))
      const pages: string[][] = []
      for (let page = await store().waitlistAfter(undefined, limit); page.length > 0; ) {
        pages.push(names(page))
        page = await store().waitlistAfter(page.at(-1), limit)
      }
      expect(pages.flat()).toEqual(inOrder)
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
    })

    test('continue after an entry that was removed meanwhile, and without new entries', async () => {
      await store().load(state({ waitlist }))
      const [, , a1] = await store().waitlistAfter(undefined, 3)
      await store().remove({ waitlist: ['a1@example.com'] })
      await store().addToWaitlist({ email: 'z9@example.com', createdAt: at(9) })
      expect(names(await store().waitlistAfter(a1, 2))).toEqual(['b1', 'c1'])
    })

    test.each([
      [{ search: 'c1' }, ['c1']],
      [{ search: '1@exam' }, ['a1', 'b1', 'c1', 'g1']],
      [{ search: '%' }, []],
      [{ search: '' }, inOrder],
      [{ since: at(2) }, ['f3', 'e2']],
      [{ until: at(1) }, ['d0']],
      [{ since: at(1), until: at(2) }, ['a1', 'b1', 'c1', 'g1']],
      [{ since: at(1), until: at(3), search: 'e' }, ['e2', 'a1', 'b1', 'c1', 'g1']],
      [{ since: at(2), until: at(2) }, []],
    ])('are filtered by %j', async (filter, expected) => {
      await store().load(state({ waitlist }))
      expect(names(await store().waitlistAfter(undefined, 100, filter))).toEqual(expected)
      expect(await store().countWaitlist(filter)).toBe(expected.length)
      const [first, ...rest] = await store().waitlistAfter(undefined, 100, filter)
      if (first) expect(await store().waitlistAfter(first, 100, filter)).toEqual(rest)
    })
  })

  test('removes an address, once', async () => {
    await store().addToWaitlist({ email: 'a@example.com', createdAt: at(1) })
    await store().addToWaitlist({ email: 'b@example.com', createdAt: at(1) })
    const remove = () => store().remove({ waitlist: ['a@example.com'] })
    expect([(await remove()).waitlist, (await remove()).waitlist]).toEqual([1, 0])
    expect((await store().waitlistAfter(undefined, 10_000)).map(({ email }) => email)).toEqual([
      'b@example.com',
    ])
  })
}
