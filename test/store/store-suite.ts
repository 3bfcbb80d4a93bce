import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nameKey } from '../../src/contract/project-name.js'
import type { Project, User } from '../../src/contract/schemas.js'
import {
  emptyState,
  type SessionRecord,
  type State,
  StateError,
  zeroCounts,
} from '../../src/store/state-file.js'
import { EmptyFilterError, type Store } from '../../src/store/store.js'

const at = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`

const user = (id: string, email = `${id}@example.com`): User => ({
  id,
  email,
  givenName: 'Ada',
  familyName: 'Osei',
  picture: 'https://avatars.example/ada.png',
})

const project = (values: Partial<Project> & { id: string }): Project => ({
  name: values.id,
  description: null,
  status: 'active',
  teamId: 'acme',
  createdAt: at(0),
  ...values,
})

const session = (values: Partial<SessionRecord> & { id: string }): SessionRecord => ({
  userId: 'ada',
  permissions: [],
  ...values,
})

const state = (values: Partial<State>): State => ({ ...emptyState(), ...values })

const teams = [
  { id: 'acme', name: 'Acme', orgCode: 'org_acme' },
  { id: 'globex', name: 'Globex', orgCode: 'org_globex' },
]

/** Two of everything, with every optional field present once and absent once, and nothing in sorted order. */
export const fullState: State = {
  version: 1,
  teams: teams.toReversed(),
  users: [user('max'), { ...user('ada'), issuer: 'https://id.example', subject: 'sub|1' }],
  sessions: [
    session({ id: 'viewer' }),
    session({
      id: 'owner',
      orgCode: 'org_acme',
      permissions: ['create:projects', 'update:projects'],
      role: 'owner',
      note: 'Does everything.',
      createdAt: at(1),
      lastSeenAt: at(2),
      expiresAt: at(3),
      revokedAt: at(4),
    }),
  ],
  projects: [
    project({ id: 'p2', name: 'Straße "7"; 🚀', description: '', status: 'paused' }),
    project({ id: 'p9', name: ' spaced ', description: 'first\nsecond\u2028third', createdAt: at(9) }),
    project({ id: 'p1', teamId: 'globex', description: null }),
  ],
  waitlist: [
    { email: 'z@example.com', createdAt: at(1) },
    { email: 'a@example.com', createdAt: at(0) },
  ],
}

/**
 * What every store promises, see `Store`.
 * @param open gives an empty store; the suite closes it
 */
export function testStore(name: string, open: () => Promise<Store>): void {
  let store: Store
  const about = (topic: string, tests: () => void) =>
    describe(`${name} store: ${topic}`, () => {
      beforeEach(async () => {
        store = await open()
      })
      afterEach(() => store.close())
      tests()
    })

  const ids = (records: { id: string }[]) => records.map(({ id }) => id)
  const withTeams = (projects: Project[] = []) => store.load(state({ teams, projects }))

  about('teams', () => {
    test('resolves an organisation code to its team', async () => {
      await withTeams()
      expect(await store.teamOfOrganization('org_globex')).toEqual(teams[1])
    })

    test('knows no team for another code, nor for one in another case', async () => {
      await withTeams()
      for (const code of ['org_initech', 'ORG_ACME', '', 'acme']) {
        expect(await store.teamOfOrganization(code)).toBeUndefined()
      }
    })

    test('adds a team once for an organisation, however many ask at the same time', async () => {
      const initech = (id: string) => ({ id, name: 'Initech', orgCode: 'org_initech' })
      const added = await Promise.all(['a', 'b', 'c'].map((id) => store.addTeam(initech(id))))
      expect(added.filter(Boolean)).toHaveLength(1)
      const team = await store.teamOfOrganization('org_initech')
      expect(team).toEqual(initech(['a', 'b', 'c'][added.indexOf(true)] as string))
      expect(await store.addTeam(initech('d'))).toBe(false)
      expect((await store.export()).teams).toEqual([team])
    })

    test('lists every team in the order in which they were added, and gives one by its id', async () => {
      expect(await store.listTeams()).toEqual([])
      await store.load(state({ teams: teams.toReversed() }))
      await store.addTeam({ id: 'a', name: 'A', orgCode: 'org_a' })
      expect(ids(await store.listTeams())).toEqual(['globex', 'acme', 'a'])
      expect(await store.team('globex')).toStrictEqual(teams[1])
      expect(await store.team('org_globex')).toBeUndefined()
    })

    test('renames one team, and keeps its id and organisation', async () => {
      await withTeams()
      const renamed = { ...teams[0], name: 'Acme & Söhne' }
      expect(await store.renameTeam('acme', renamed.name)).toStrictEqual(renamed)
      expect(await store.renameTeam('none', 'None')).toBeUndefined()
      expect(await store.listTeams()).toStrictEqual([renamed, teams[1]])
      expect(await store.teamOfOrganization('org_acme')).toStrictEqual(renamed)
    })
  })

  about('projects', () => {
    test('lists every project of a team, newest first, equal times by id, descending', async () => {
      await withTeams([
        project({ id: 'b', createdAt: at(1) }),
        project({ id: 'oldest', createdAt: at(0) }),
        project({ id: 'c', createdAt: at(1) }),
        project({ id: 'newest', createdAt: at(2) }),
        project({ id: 'other', teamId: 'globex', createdAt: at(1) }),
      ])
      await store.addProject(project({ id: 'a', createdAt: at(1) }))
      expect(ids(await store.listProjects('acme'))).toEqual(['newest', 'c', 'b', 'a', 'oldest'])
      expect(ids(await store.listProjects('globex'))).toEqual(['other'])
      expect(await store.listProjects('initech')).toEqual([])
    })

    test('gives a project as it was added, with exactly its six fields', async () => {
      await withTeams()
      const bare = project({ id: 'bare' })
      const full = project({ id: 'full', description: 'x', status: 'archived', createdAt: at(5) })
      await store.addProject(bare)
      await store.addProject(full)
      expect(await store.project('acme', 'bare')).toStrictEqual(bare)
      expect(await store.project('acme', 'full')).toStrictEqual(full)
      expect(await store.listProjects('acme')).toStrictEqual([full, bare])
    })

    test.each([
      ['spaces around it', '  two  spaces\tand a tab '],
      ['emoji', '👩‍👩‍👧 🚀 🇩🇪'],
      ['quotes', `'"\`''""`],
      ['SQL', `x'); DROP TABLE projects; -- ? ?1 :a $b %_`],
      ['JSON', '{"a":[1,"\\u0041\\n"]}'],
      ['a number', '007.10'],
      ['controls', 'a\u0001b\u007f\r\n\u2028\ufeff\uffff'],
      ['decomposed letters', 'A\u0308pfel'],
      ['60 KB', 'Ä🚀'.repeat(10_000)],
    ])('keeps a name with %s as it was sent, added, loaded and updated', async (_, name) => {
      await withTeams([project({ id: 'loaded', name, description: name })])
      await store.addProject(project({ id: 'added', name, description: name }))
      await store.addProject(project({ id: 'updated' }))
      await store.updateProject('acme', 'updated', { name, description: name, status: name })
      for (const id of ['loaded', 'added', 'updated']) {
        expect(await store.project('acme', id)).toMatchObject({ name, description: name })
      }
      expect((await store.project('acme', 'updated'))?.status).toBe(name)
    })

    test.each([
      ['Apollo', 'aPOLLO'],
      ['ÄPFEL', 'äpfel'],
      ['STRASSE', 'straße'],
      ['ΟΔΟΣ', 'οδος'],
      ['\u00c4pfel', 'a\u0308PFEL'],
    ])('finds %s under the key of %s, and the other way round', async (name, other) => {
      await withTeams([project({ id: 'p', name })])
      expect((await store.projectNamed('acme', nameKey(other)))?.name).toBe(name)
      await store.updateProject('acme', 'p', { name: other })
      expect((await store.projectNamed('acme', nameKey(name)))?.name).toBe(other)
    })

    test('keeps names apart that differ in more than case', async () => {
      await withTeams([project({ id: 'p', name: 'Apollo' })])
      for (const other of ['Apollo ', 'Apoll', 'Apollo%', '']) {
        expect(await store.projectNamed('acme', nameKey(other))).toBeUndefined()
      }
    })

    test('takes a second project with the same name (4.1, rule 2), and finds one of them', async () => {
      await withTeams()
      await Promise.all([
        store.addProject(project({ id: 'a', name: 'Apollo' })),
        store.addProject(project({ id: 'b', name: 'APOLLO' })),
        store.addProject(project({ id: 'c', name: 'Apollo' })),
      ])
      expect(ids(await store.listProjects('acme'))).toEqual(['c', 'b', 'a'])
      expect(['a', 'b', 'c']).toContain((await store.projectNamed('acme', 'apollo'))?.id)
    })

    test('sets the fields that an update gives and no other', async () => {
      const before = project({ id: 'p', name: 'Apollo', description: 'x', status: 'paused' })
      await withTeams([before])
      const steps = [
        { name: 'Gemini' },
        { description: '' },
        { status: 'archived' },
        {},
        { name: 'Mercury', description: 'y', status: 'active' },
      ]
      let expected = before
      for (const changes of steps) {
        expected = { ...expected, ...changes }
        expect(await store.updateProject('acme', 'p', changes)).toStrictEqual(expected)
        expect(await store.project('acme', 'p')).toStrictEqual(expected)
      }
    })

    test('finds a renamed project under its new name and no longer under the old one', async () => {
      await withTeams([project({ id: 'p', name: 'Apollo' })])
      await store.updateProject('acme', 'p', { name: 'Gemini' })
      expect((await store.projectNamed('acme', 'gemini'))?.id).toBe('p')
      expect(await store.projectNamed('acme', 'apollo')).toBeUndefined()
    })

    test('answers with undefined for a project that is not there', async () => {
      await withTeams()
      expect(await store.project('acme', 'none')).toBeUndefined()
      expect(await store.updateProject('acme', 'none', { name: 'x' })).toBeUndefined()
    })

    test("no method reaches another team's project", async () => {
      const theirs = project({ id: 'theirs', name: 'Apollo', teamId: 'globex' })
      await withTeams([theirs])
      expect(await store.project('acme', 'theirs')).toBeUndefined()
      expect(await store.projectNamed('acme', 'apollo')).toBeUndefined()
      expect(await store.listProjects('acme')).toEqual([])
      expect(await store.updateProject('acme', 'theirs', { name: 'Mine', status: 'x' })).toBeUndefined()
      expect(await store.project('globex', 'theirs')).toStrictEqual(theirs)
    })

    test('refuses an id that is there, and keeps what it has', async () => {
      const first = project({ id: 'p', name: 'First' })
      await withTeams([first])
      await expect(store.addProject(project({ id: 'p', name: 'Second' }))).rejects.toThrow()
      await expect(store.addProject(project({ id: 'p', teamId: 'globex' }))).rejects.toThrow()
      expect(await store.listProjects('acme')).toStrictEqual([first])
      expect(await store.listProjects('globex')).toEqual([])
    })

    test.each(['', ' ', '\t\n', '\u00a0'])(
      'refuses the blank filter %j and changes nothing',
      async (blank) => {
        const only = project({ id: 'p', name: 'Apollo' })
        await withTeams([only])
        const calls = [
          () => store.listProjects(blank),
          () => store.project(blank, 'p'),
          () => store.project('acme', blank),
          () => store.projectNamed(blank, 'apollo'),
          () => store.updateProject(blank, 'p', { status: 'x' }),
          () => store.updateProject('acme', blank, { status: 'x' }),
          () => store.addProject(project({ id: blank })),
          () => store.addProject(project({ id: 'q', teamId: blank })),
        ]
        for (const call of calls) await expect(call()).rejects.toThrow(EmptyFilterError)
        expect((await store.export()).projects).toStrictEqual([only])
      },
    )
  })

  about('waitlist', () => {
    test('adds an address once; the second time nothing changes', async () => {
      expect(await store.addToWaitlist({ email: 'a@example.com', createdAt: at(1) })).toBe(true)
      expect(await store.addToWaitlist({ email: 'a@example.com', createdAt: at(2) })).toBe(false)
      expect(await store.listWaitlist()).toStrictEqual([{ email: 'a@example.com', createdAt: at(1) }])
    })

    test('adds an address once however many ask at the same time', async () => {
      const entry = { email: 'a@example.com', createdAt: at(1) }
      const answers = await Promise.all(Array.from({ length: 20 }, () => store.addToWaitlist(entry)))
      expect(answers.filter(Boolean)).toHaveLength(1)
    })

    test('lists newest first, equal times by address', async () => {
      for (const [email, minute] of [
        ['b@example.com', 1],
        ['new@example.com', 2],
        ['a@example.com', 1],
        ['old@example.com', 0],
      ] as const) {
        await store.addToWaitlist({ email, createdAt: at(minute) })
      }
      expect((await store.listWaitlist()).map(({ email }) => email)).toEqual([
        'new@example.com',
        'a@example.com',
        'b@example.com',
        'old@example.com',
      ])
    })

    describe('in parts', () => {
      const waitlist = ['c1', 'a1', 'b1', 'd0', 'e2', 'f3', 'g1'].map((name) => ({
        email: `${name}@example.com`,
        createdAt: at(Number(name[1])),
      }))
      const inOrder = ['f3', 'e2', 'a1', 'b1', 'c1', 'g1', 'd0']
      const names = (entries: { email: string }[]) => entries.map(({ email }) => email.slice(0, 2))

      test.each([1, 2, 3, 7, 100])('gives every entry once, in order, %i at a time', async (limit) => {
        await store.load(state({ waitlist }))
        const pages: string[][] = []
        for (let page = await store.waitlistAfter(undefined, limit); page.length > 0; ) {
          pages.push(names(page))
          page = await store.waitlistAfter(page.at(-1), limit)
        }
        expect(pages.flat()).toEqual(inOrder)
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
      })

      test('goes on where it was when the entry is gone, and new ones came', async () => {
        await store.load(state({ waitlist }))
        const [, , a1] = await store.waitlistAfter(undefined, 3)
        await store.removeFromWaitlist('a1@example.com')
        await store.addToWaitlist({ email: 'z9@example.com', createdAt: at(9) })
        expect(names(await store.waitlistAfter(a1, 2))).toEqual(['b1', 'c1'])
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
      ])('narrowed to %j', async (part, expected) => {
        await store.load(state({ waitlist }))
        expect(names(await store.waitlistAfter(undefined, 100, part))).toEqual(expected)
        expect(await store.countWaitlist(part)).toBe(expected.length)
        const [first, ...rest] = await store.waitlistAfter(undefined, 100, part)
        if (first) expect(await store.waitlistAfter(first, 100, part)).toEqual(rest)
      })
    })

    test('removes one address, and says whether it was there', async () => {
      await store.addToWaitlist({ email: 'a@example.com', createdAt: at(1) })
      await store.addToWaitlist({ email: 'b@example.com', createdAt: at(1) })
      expect(await store.removeFromWaitlist('a@example.com')).toBe(true)
      expect(await store.removeFromWaitlist('a@example.com')).toBe(false)
      expect((await store.listWaitlist()).map(({ email }) => email)).toEqual(['b@example.com'])
    })
  })

  about('users', () => {
    test('finds a user by id, and by address without regard to case', async () => {
      const jörg = user('joerg', 'Jörg@Example.com')
      await store.addUser(jörg)
      expect(await store.user('joerg')).toStrictEqual(jörg)
      expect(await store.userWithEmail('JÖRG@EXAMPLE.COM')).toStrictEqual(jörg)
      expect(await store.userWithEmail('jörg@example.com')).toStrictEqual(jörg)
    })

    test('gives the first one added where several have the address', async () => {
      await store.addUser(user('z', 'Ada@example.com'))
      await store.addUser(user('a', 'ada@example.com'))
      expect((await store.userWithEmail('ada@example.com'))?.id).toBe('z')
    })

    test('answers with undefined for a user that is not there', async () => {
      await store.addUser(user('ada'))
      expect(await store.user('max')).toBeUndefined()
      expect(await store.userWithEmail('max@example.com')).toBeUndefined()
      expect(await store.userWithEmail('')).toBeUndefined()
    })

    test('refuses an id that is there, and keeps what it has', async () => {
      await store.addUser(user('ada'))
      await expect(store.addUser(user('ada', 'other@example.com'))).rejects.toThrow()
      expect(await store.user('ada')).toStrictEqual(user('ada'))
    })

    const identity = { issuer: 'https://id.example', subject: 'sub|1' }

    test('keeps one user for an identity, and brings the profile up to date', async () => {
      expect(await store.upsertUser(identity, user('ada'))).toStrictEqual(user('ada'))
      const renamed = { ...user('ada', 'ADA@new.example'), givenName: 'Adá', familyName: '', picture: '' }
      expect(await store.upsertUser(identity, { ...renamed, id: 'later' })).toStrictEqual(renamed)
      expect(await store.user('ada')).toStrictEqual(renamed)
      expect(await store.userWithEmail('ada@NEW.example')).toStrictEqual(renamed)
      expect(await store.user('later')).toBeUndefined()
      expect((await store.export()).users).toStrictEqual([{ ...renamed, ...identity }])
    })

    test('keeps one user for an identity that signs in several times at once', async () => {
      const kept = await Promise.all(
        ['a', 'b', 'c'].map((id) => store.upsertUser(identity, user(id, 'x@y.z'))),
      )
      expect(new Set(ids(kept)).size).toBe(1)
      expect((await store.export()).users).toHaveLength(1)
    })

    test('keeps users apart by issuer and by subject, whatever their address', async () => {
      await store.addUser(user('before', 'same@example.com'))
      const others = [
        identity,
        { ...identity, subject: 'sub|2' },
        { ...identity, issuer: 'https://other.example' },
        { ...identity, subject: 'SUB|1' },
      ]
      for (const [i, other] of others.entries()) {
        expect((await store.upsertUser(other, user(`u${i}`, 'same@example.com'))).id).toBe(`u${i}`)
      }
      expect((await store.export()).users).toHaveLength(5)
      expect(await store.user('before')).toStrictEqual(user('before', 'same@example.com'))
    })

    test('finds all users with an address, in the order in which they were added', async () => {
      await store.addUser(user('z', 'Ada@example.com'))
      await store.upsertUser(identity, user('a', 'ada@EXAMPLE.com'))
      await store.addUser(user('b'))
      expect(await store.usersWithEmail('ada@example.com')).toStrictEqual([
        user('z', 'Ada@example.com'),
        { ...user('a', 'ada@EXAMPLE.com'), ...identity },
      ])
      expect(await store.usersWithEmail('nobody@example.com')).toEqual([])
    })

    test('gives users by id, a part at a time', async () => {
      for (const id of ['c', 'a', 'd', 'b']) await store.addUser(user(id))
      await store.upsertUser(identity, user('e'))
      expect(ids(await store.usersAfter(undefined, 2))).toEqual(['a', 'b'])
      expect(await store.usersAfter('c', 9)).toStrictEqual([user('d'), { ...user('e'), ...identity }])
      expect(await store.usersAfter('e', 9)).toEqual([])
    })

    test('shows a user without the identity', async () => {
      await store.load(fullState)
      expect(await store.user('ada')).toStrictEqual(user('ada'))
      expect(await store.userWithEmail('ada@example.com')).toStrictEqual(user('ada'))
    })
  })

  about('sessions', () => {
    beforeEach(() => store.addUser(user('ada')))
    const [bare, full] = fullState.sessions as [SessionRecord, SessionRecord]

    test('gives a session as it was added; a field that is not there is left out', async () => {
      await store.addSession(bare)
      await store.addSession(full)
      expect(await store.session(bare.id)).toStrictEqual(bare)
      expect(await store.session(full.id)).toStrictEqual(full)
      expect(await store.session('none')).toBeUndefined()
    })

    test('gives a session with its user, and with the team of its organisation', async () => {
      for (const team of teams) await store.addTeam(team)
      await store.addSession(session({ id: 'member', orgCode: 'org_acme' }))
      await store.addSession(session({ id: 'elsewhere', orgCode: 'org_none' }))
      await store.addSession(session({ id: 'alone', orgCode: undefined }))
      const caller = async (id: string, team?: (typeof teams)[number]) => ({
        session: await store.session(id),
        user: user('ada'),
        team,
      })
      const [member, elsewhere, alone, none] = await Promise.all(
        ['member', 'elsewhere', 'alone', 'none'].map((id) => store.caller(id)),
      )
      expect(member).toStrictEqual(await caller('member', teams[0]))
      expect(elsewhere).toStrictEqual(await caller('elsewhere'))
      expect(alone).toStrictEqual(await caller('alone'))
      expect(none).toBeUndefined()
    })

    test('lists every session in the order in which they were added', async () => {
      for (const id of ['c', 'a', 'b']) await store.addSession(session({ id }))
      await store.touchSession('c', at(1))
      expect(ids(await store.listSessions())).toEqual(['c', 'a', 'b'])
    })

    test('notes when one session was last used', async () => {
      await store.addSession(session({ id: 'a' }))
      await store.addSession(session({ id: 'b' }))
      await store.touchSession('a', at(1))
      await store.touchSession('a', at(2))
      await store.touchSession('none', at(3))
      expect(await store.listSessions()).toStrictEqual([
        session({ id: 'a', lastSeenAt: at(2) }),
        session({ id: 'b' }),
      ])
    })

    test('ends one session once, at the first time', async () => {
      await store.addSession(session({ id: 'a' }))
      await store.addSession(session({ id: 'b' }))
      expect(await store.revokeSession('a', at(1))).toBe(true)
      expect(await store.revokeSession('a', at(2))).toBe(false)
      expect(await store.revokeSession('none', at(2))).toBe(false)
      expect(await store.listSessions()).toStrictEqual([
        session({ id: 'a', revokedAt: at(1) }),
        session({ id: 'b' }),
      ])
    })

    test("ends every open session of a user, or of an organisation, and nobody else's", async () => {
      await store.addUser(user('max'))
      const orgCode = 'org_acme'
      for (const record of [
        session({ id: 'ada', expiresAt: at(9) }),
        session({ id: 'ada-acme', orgCode }),
        session({ id: 'expired', orgCode, expiresAt: at(1) }),
        session({ id: 'revoked', orgCode, revokedAt: at(0) }),
        session({ id: 'max-acme', userId: 'max', orgCode }),
        session({ id: 'max-globex', userId: 'max', orgCode: 'org_globex' }),
      ]) {
        await store.addSession(record)
      }
      const endedAt = async (time: string) =>
        ids((await store.listSessions()).filter(({ revokedAt }) => revokedAt === time))

      expect(await store.revokeSessionsOfUser('ada', at(1))).toBe(2)
      expect(await endedAt(at(1))).toEqual(['ada', 'ada-acme'])
      expect(await store.revokeSessionsOfUser('ada', at(2))).toBe(0)
      expect(await store.revokeSessionsOfOrganization(orgCode, at(3))).toBe(1)
      expect(await endedAt(at(3))).toEqual(['max-acme'])
      expect(await store.revokeSessionsOfOrganization('', at(4))).toBe(0)
      expect(await store.revokeSessionsOfUser('none', at(4))).toBe(0)
      expect((await store.session('max-globex'))?.revokedAt).toBeUndefined()
    })

    test('removes the sessions that expired, and no other', async () => {
      await store.addSession(session({ id: 'past', expiresAt: at(1) }))
      await store.addSession(session({ id: 'now', expiresAt: at(2), revokedAt: at(1) }))
      await store.addSession(session({ id: 'later', expiresAt: at(3), revokedAt: at(1) }))
      await store.addSession(session({ id: 'never' }))
      expect(await store.removeExpiredSessions(at(2))).toBe(2)
      expect(ids(await store.listSessions())).toEqual(['later', 'never'])
      expect(await store.removeExpiredSessions(at(2))).toBe(0)
    })

    test('refuses an id that is there, and keeps what it has', async () => {
      await store.addSession(bare)
      await expect(store.addSession({ ...full, id: bare.id })).rejects.toThrow()
      expect(await store.listSessions()).toStrictEqual([bare])
    })
  })

  about('load and export', () => {
    test('is empty at first', async () => {
      expect(await store.export()).toStrictEqual(emptyState())
    })

    test('exports what was loaded, in its order', async () => {
      await store.load(fullState)
      expect(await store.export()).toStrictEqual(fullState)
    })

    test('counts what it created and what was there; a second load changes nothing', async () => {
      const all = { teams: 2, users: 2, sessions: 2, projects: 3, waitlist: 2 }
      expect(await store.load(fullState)).toEqual({ created: all, existing: zeroCounts() })
      expect(await store.load(fullState)).toEqual({ created: zeroCounts(), existing: all })
      expect(await store.export()).toStrictEqual(fullState)
    })

    test('adds what is missing, and leaves as it is what is there', async () => {
      await store.load(fullState)
      await store.updateProject('acme', 'p2', { name: 'Renamed' })
      await store.revokeSession('viewer', at(7))
      await store.removeFromWaitlist('z@example.com')
      const report = await store.load({
        ...fullState,
        users: [user('ada', 'changed@example.com'), user('new')],
        projects: [...fullState.projects, project({ id: 'p3' })],
      })
      expect(report.created).toEqual({ ...zeroCounts(), users: 1, projects: 1, waitlist: 1 })
      expect(report.existing).toEqual({ teams: 2, users: 1, sessions: 2, projects: 3, waitlist: 1 })
      expect((await store.project('acme', 'p2'))?.name).toBe('Renamed')
      expect((await store.session('viewer'))?.revokedAt).toBe(at(7))
      expect((await store.user('ada'))?.email).toBe('ada@example.com')
    })

    test('refuses an organisation code of another team, and then loads nothing', async () => {
      await store.load(fullState)
      const refused = store.load(
        state({
          teams: [
            { id: 'fresh', name: 'Fresh', orgCode: 'org_fresh' },
            { id: 'thief', name: 'Thief', orgCode: 'org_acme' },
          ],
          users: [user('fresh')],
          projects: [project({ id: 'fresh', teamId: 'fresh' })],
          waitlist: [{ email: 'fresh@example.com', createdAt: at(1) }],
        }),
      )
      await expect(refused).rejects.toThrow(
        new StateError([{ path: 'teams[1].orgCode', reason: '"org_acme" belongs to team "acme" already' }]),
      )
      expect(await store.export()).toStrictEqual(fullState)
    })

    test('refuses an identity of another user, and then loads nothing', async () => {
      await store.load(fullState)
      const thief = { ...user('thief'), issuer: 'https://id.example', subject: 'sub|1' }
      await expect(store.load(state({ users: [user('fresh'), thief] }))).rejects.toThrow(
        new StateError([{ path: 'users[1].subject', reason: '"sub|1" belongs to user "ada" already' }]),
      )
      expect(await store.export()).toStrictEqual(fullState)
    })

    test('a team that is there keeps its organisation code', async () => {
      await withTeams()
      await store.load(state({ teams: [{ id: 'acme', name: 'New', orgCode: 'org_new' }] }))
      expect(await store.teamOfOrganization('org_new')).toBeUndefined()
      expect(await store.teamOfOrganization('org_acme')).toEqual(teams[0])
    })

    test('finds loaded projects and users as it finds added ones', async () => {
      await store.load(fullState)
      expect((await store.projectNamed('acme', nameKey('STRASSE "7"; 🚀')))?.id).toBe('p2')
      expect((await store.userWithEmail('MAX@example.com'))?.id).toBe('max')
    })

    test('loads more than a few thousand records, in their order', async () => {
      const many = Array.from({ length: 2_345 }, (_, i) => ({
        email: `someone-${i}@example.com`,
        createdAt: at(i % 60),
      }))
      const report = await store.load(state({ waitlist: many }))
      expect(report.created.waitlist).toBe(many.length)
      expect((await store.export()).waitlist).toStrictEqual(many)
    })
  })

  about('copies', () => {
    const scribble = (value: object | undefined) => {
      for (const [key, inner] of Object.entries(value as object)) {
        if (Array.isArray(inner)) inner.push('scribbled')
        else Object.assign(value as object, { [key]: 'scribbled' })
      }
    }

    test('what comes out is a copy', async () => {
      await store.load(fullState)
      const takes: (() => Promise<object | object[] | undefined>)[] = [
        () => store.teamOfOrganization('org_acme'),
        () => store.project('acme', 'p2'),
        () => store.projectNamed('acme', nameKey(' spaced ')),
        () => store.updateProject('acme', 'p2', {}),
        () => store.user('ada'),
        () => store.userWithEmail('ada@example.com'),
        () => store.session('owner'),
        () => store.team('acme'),
        () => store.listTeams(),
        () => store.listProjects('acme'),
        () => store.listSessions(),
        () => store.listWaitlist(),
        () => store.waitlistAfter(undefined, 9),
        () => store.usersWithEmail('ada@example.com'),
        () => store.usersAfter(undefined, 9),
        async () => {
          const { version: _, ...kinds } = await store.export()
          return Object.values(kinds).flat()
        },
      ]
      for (const take of takes) {
        for (const value of [await take()].flat()) scribble(value)
      }
      expect(await store.export()).toStrictEqual(fullState)
    })

    test('what goes in is copied', async () => {
      const given = structuredClone(fullState)
      await store.load(given)
      const added = session({ id: 'added', permissions: ['create:projects'] })
      await store.addSession(added)
      for (const records of Object.values(given)) if (Array.isArray(records)) records.forEach(scribble)
      scribble(added)
      expect((await store.session('added'))?.permissions).toEqual(['create:projects'])
      expect((await store.export()).sessions.slice(0, 2)).toStrictEqual(fullState.sessions)
    })
  })
}
