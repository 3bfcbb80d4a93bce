import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Project } from '../../../src/contract/schemas.js'
import { parseState } from '../../../src/store/state-file.js'
import type { Store } from '../../../src/store/store.js'
import { anyText } from '../../any-text.js'
import { addTeams, at, fullState, ids, isTaken, project, session, state, teams, user } from './records.js'

// Databases differ in the order of texts and times, and in the texts that they can store.

/** Valid ids, in the order of their bytes. */
const idsInOrder = ['-', '.', '1', ':', '@', 'A', 'B', 'Z', '_', 'a', 'a-b', 'a.b', 'aB', 'aa', 'ab', 'b']

/** Addresses in the order of their bytes in UTF-8. UTF-16 has the last two in the opposite order. */
const addressesInOrder = [
  '1@x',
  'a@x',
  'a\u0308@x',
  'b@x',
  'z@x',
  'ß@x',
  'ä@x',
  'ζ@x',
  '中@x',
  '\uff5e@x',
  '🚀@x',
]

const timesInOrder = [
  '0000-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '0099-12-31T23:59:59.999Z',
  '1582-10-10T12:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '1970-01-01T00:00:00.001Z',
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00.000Z',
  '2026-12-31T23:59:59.999Z',
  '2027-01-01T00:00:00.000Z',
  '2038-01-19T03:14:08.000Z',
  '9999-12-31T23:59:59.999Z',
]

const examples = [
  '  two  spaces\tand a tab ',
  '👩‍👩‍👧 🚀 🇩🇪',
  `'"\`''""`,
  `x'); DROP TABLE projects; -- ? ?1 :a $b %_`,
  '{"a":[1,"\\u0041\\n"]}',
  '007.10',
  'a\u0001b\u007f\r\n\u2028\ufeff\uffff',
  'A\u0308pfel',
]

/** Shuffles a list. */
const mixed = <T>(list: T[]): T[] =>
  list.toSorted((a, b) => ((list.indexOf(a) * 7) % 11) - ((list.indexOf(b) * 7) % 11))

export function testTexts(store: () => Store): void {
  test('orders ids by their bytes: projects of equal times, users, teams', async () => {
    const projects = mixed(idsInOrder).map((id) => project({ id }))
    await store().load(state({ teams, projects, users: mixed(idsInOrder).map((id) => user(id)) }))
    const newest = idsInOrder.toReversed()
    expect(ids((await store().listProjects('acme')).projects)).toEqual(newest)
    expect(ids((await store().listProjectNames('acme')).projects)).toEqual(newest)
    expect(ids(await store().usersAfter(undefined, 100))).toEqual(idsInOrder)
    expect(ids(await store().usersAfter('Z', 2))).toEqual(['_', 'a'])
  })

  test('distinguishes ids and organisation codes that differ in case only', async () => {
    for (const id of ['x', 'X']) {
      expect(await store().addTeam({ id, name: id, orgCode: `org_${id}` })).toBe(true)
      await store().addUser(user(id))
      await store().addSession(session({ id, userId: id, orgCode: `org_${id}` }))
      await store().addProject(project({ id, teamId: id }))
    }
    for (const id of ['x', 'X']) {
      expect(await store().caller(id)).toMatchObject({ session: { id }, user: { id }, team: { id } })
      expect(ids((await store().listProjects(id)).projects)).toEqual([id])
      expect(await store().project(id, id === 'x' ? 'X' : 'x')).toBeUndefined()
    }
    expect(await store().revokeSession('X', at(1))).toBe(true)
    expect((await store().session('x'))?.revokedAt).toBeUndefined()
  })

  test('orders addresses by their bytes, on one page and on several', async () => {
    const waitlist = mixed(addressesInOrder).map((email) => ({ email, createdAt: at(1) }))
    await store().load(state({ waitlist }))
    expect((await store().waitlistAfter(undefined, 10_000)).map(({ email }) => email)).toEqual(
      addressesInOrder,
    )
    const found: string[] = []
    for (let page = await store().waitlistAfter(undefined, 2); page.length > 0; ) {
      found.push(...page.map(({ email }) => email))
      page = await store().waitlistAfter(page.at(-1), 2)
    }
    expect(found).toEqual(addressesInOrder)
  })

  test('orders times, from the first year to the last, and returns them as they were given', async () => {
    const records = mixed(timesInOrder).map((createdAt) => project({ id: `p-${createdAt}`, createdAt }))
    const waitlist = mixed(timesInOrder).map((createdAt, i) => ({ email: `${i}@x`, createdAt }))
    await store().load(state({ teams, projects: records, waitlist }))
    const times = (list: { createdAt: string }[]) => list.map(({ createdAt }) => createdAt)
    expect(times((await store().listProjects('acme')).projects)).toEqual(timesInOrder.toReversed())
    expect(times(await store().waitlistAfter(undefined, 10_000))).toEqual(timesInOrder.toReversed())
    for (const [i, time] of timesInOrder.entries()) {
      expect(await store().countWaitlist({ since: time })).toBe(timesInOrder.length - i)
      expect(await store().countWaitlist({ until: time })).toBe(i)
    }
  })

  test('stores any text unchanged, whether added, loaded or updated', async () => {
    await store().load(fullState)
    const text = anyText({ minLength: 1, maxLength: 30 }).filter((value) => !value.includes('\0'))
    let added = 0
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        const found = { name, description: name, status: name }
        added += 1
        const records = ['a', 'l', 'u'].map((id) => project({ id: `${id}${added}`, ...found }))
        const [one, other, third] = records as [Project, Project, Project]
        await store().addProject(one)
        await store().load(state({ projects: [other] }))
        await store().addProject(project({ id: third.id }))
        await store().updateProject('acme', third.id, found)
        await store().renameTeam('acme', name)
        expect(await Promise.all(records.map(({ id }) => store().project('acme', id)))).toEqual(records)
        expect((await store().listProjects('acme')).projects).toEqual(expect.arrayContaining(records))
        expect((await store().team('acme'))?.name).toBe(name)
        const exported = await store().export()
        expect(exported.projects.slice(-3)).toEqual(records)
        expect(exported.teams[1]?.name).toBe(name)
      }),
      { numRuns: 20, examples: examples.map((example): [string] => [example]) },
    )
  })

  test('stores a million characters, and finds a name of them', async () => {
    const long = 'Ä🚀'.repeat(350_000)
    await addTeams(store(), [project({ id: 'p', name: long, description: `${long}.` })])
    expect(await store().project('acme', 'p')).toMatchObject({ name: long, description: `${long}.` })
    expect(await isTaken(store(), 'acme', long.toLowerCase())).toBe(true)
    expect(await isTaken(store(), 'acme', `${long.toLowerCase()}.`)).toBe(false)
  })

  test('stores the longest ids, organisation codes, identities and addresses', async () => {
    // Varied, since PostgreSQL compresses repetitions.
    const varied = (length: number, first: number, count: number) =>
      Array.from({ length }, (_, i) => String.fromCodePoint(first + ((i * i * 7919) % count))).join('')
    const id = varied(255, 0x41, 26)
    const orgCode = varied(255, 0x4e00, 20_000)
    const identity = { issuer: orgCode, subject: varied(255, 0x5000, 20_000) }
    const longest = parseState(
      state({
        teams: [{ id, name: id, orgCode }],
        users: [{ ...user(id), ...identity }],
        sessions: [session({ id, userId: id, orgCode })],
        projects: [project({ id, teamId: id })],
        waitlist: [{ email: `${varied(252, 0x20000, 40_000)}@x`, createdAt: at(1) }],
      }),
    )
    await store().load(longest)
    expect(await store().export()).toStrictEqual(longest)
    expect(await store().caller(id)).toMatchObject({ user: { id }, team: { id } })
    expect((await store().upsertUser(identity, user('other'))).id).toBe(id)
    expect(await store().addProject(project({ id: varied(255, 0x61, 26), teamId: id }))).toBeUndefined()
  })
}
