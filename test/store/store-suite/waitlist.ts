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
      [{ email: 'c1@example.com' }, ['c1']],
      [{ email: 'c1' }, []],
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
}
