import { beforeEach, describe, expect, test } from 'vitest'
import type { SessionRecord } from '../../../src/store/state-file.js'
import type { ProviderLogout, Store } from '../../../src/store/store.js'
import { at, fullState, ids, session, teams, user } from './records.js'

export function testSessions(store: () => Store): void {
  beforeEach(() => store().addUser(user('ada')))
  const [bare, full] = fullState.sessions as [SessionRecord, SessionRecord]

  test('returns a session as it was added, without missing fields', async () => {
    await store().addSession(bare)
    await store().addSession(full)
    expect(await store().session(bare.id)).toStrictEqual(bare)
    expect(await store().session(full.id)).toStrictEqual(full)
    expect(await store().session('none')).toBeUndefined()
  })

  test('returns a session with its user and the team of its organisation', async () => {
    for (const team of teams) await store().addTeam(team)
    await store().addSession(session({ id: 'member', orgCode: 'org_acme' }))
    await store().addSession(session({ id: 'elsewhere', orgCode: 'org_none' }))
    await store().addSession(session({ id: 'alone', orgCode: undefined }))
    const caller = async (id: string, team?: (typeof teams)[number]) => ({
      session: await store().session(id),
      user: user('ada'),
      team,
    })
    const [member, elsewhere, alone, none] = await Promise.all(
      ['member', 'elsewhere', 'alone', 'none'].map((id) => store().caller(id)),
    )
    for (const found of [member, elsewhere, alone]) {
      // A production store adds these.
      delete found?.version
      delete found?.now
    }
    expect(member).toStrictEqual(await caller('member', teams[0]))
    expect(elsewhere).toStrictEqual(await caller('elsewhere'))
    expect(alone).toStrictEqual(await caller('alone'))
    expect(none).toBeUndefined()
  })

  test('lists every session in insertion order', async () => {
    for (const id of ['c', 'a', 'b']) await store().addSession(session({ id }))
    await store().touchSession('c', at(1))
    expect(ids(await store().listSessions())).toEqual(['c', 'a', 'b'])
  })

  test('lists every session in pages, the last added first, with the address of its user', async () => {
    for (const id of ['c', 'a', 'b', 'e', 'd']) await store().addSession(session({ id }))
    const listed: string[] = []
    let page = await store().recordsBefore('sessions', undefined, 2)
    while (page.length > 0) {
      listed.push(...page.map((each) => each.record.id))
      page = await store().recordsBefore('sessions', page.at(-1)?.place, 2)
    }
    expect(listed).toEqual(['d', 'e', 'b', 'a', 'c'])
    const record = {
      ...session({ id: 'd' }),
      email: (await store().user(session({ id: 'd' }).userId))?.email,
    }
    expect(await store().recordsBefore('sessions', undefined, 1)).toStrictEqual([
      { place: expect.any(String), record },
    ])
    expect(await store().countRecords('sessions')).toBe(5)
  })

  test('lists the sessions of a user and of an organisation', async () => {
    await store().addUser(user('eve'))
    for (const id of ['c', 'a']) await store().addSession(session({ id, userId: 'eve', orgCode: 'org_acme' }))
    await store().addSession(session({ id: 'b', userId: 'eve', orgCode: undefined }))
    await store().addSession(session({ id: 'd', orgCode: 'org_acme' }))
    expect(ids(await store().listSessions({ userId: 'eve' }))).toEqual(['c', 'a', 'b'])
    expect(ids(await store().listSessions({ orgCode: 'org_acme' }))).toEqual(['c', 'a', 'd'])
    expect(ids(await store().listSessions({ userId: 'eve', orgCode: 'org_acme' }))).toEqual(['c', 'a'])
    expect(await store().listSessions({ userId: 'none' })).toEqual([])
  })

  test('records when a session was last used', async () => {
    await store().addSession(session({ id: 'a' }))
    await store().addSession(session({ id: 'b' }))
    await store().touchSession('a', at(1))
    await store().touchSession('a', at(2))
    await store().touchSession('none', at(3))
    expect(await store().listSessions()).toStrictEqual([
      session({ id: 'a', lastSeenAt: at(2) }),
      session({ id: 'b' }),
    ])
  })

  test('revokes a session once, and keeps the first time', async () => {
    await store().addSession(session({ id: 'a' }))
    await store().addSession(session({ id: 'b' }))
    expect(await store().revokeSession('a', at(1))).toBe(true)
    expect(await store().revokeSession('a', at(2))).toBe(false)
    expect(await store().revokeSession('none', at(2))).toBe(false)
    expect(await store().listSessions()).toStrictEqual([
      session({ id: 'a', revokedAt: at(1) }),
      session({ id: 'b' }),
    ])
  })

  test('revokes every session of a user or of an organisation, and no others', async () => {
    await store().addUser(user('max'))
    const orgCode = 'org_acme'
    for (const record of [
      session({ id: 'ada', expiresAt: at(9) }),
      session({ id: 'ada-acme', orgCode }),
      // Expired by the clock of the caller, which may be fast, so it is revoked too.
      session({ id: 'expired', orgCode, expiresAt: at(0) }),
      session({ id: 'revoked', orgCode, revokedAt: at(0) }),
      session({ id: 'max-acme', userId: 'max', orgCode }),
      session({ id: 'max-globex', userId: 'max', orgCode: 'org_globex' }),
    ]) {
      await store().addSession(record)
    }
    const revokedIdsAt = async (time: string) =>
      ids((await store().listSessions()).filter(({ revokedAt }) => revokedAt === time))

    expect(await store().revokeSessionsOfUser('ada', at(1))).toBe(3)
    expect(await revokedIdsAt(at(1))).toEqual(['ada', 'ada-acme', 'expired'])
    expect(await store().revokeSessionsOfUser('ada', at(2))).toBe(0)
    expect(await store().revokeSessionsOfOrganization(orgCode, at(3))).toBe(1)
    expect(await revokedIdsAt(at(3))).toEqual(['max-acme'])
    expect(await store().revokeSessionsOfOrganization('', at(4))).toBe(0)
    expect(await store().revokeSessionsOfUser('none', at(4))).toBe(0)
    expect((await store().session('max-globex'))?.revokedAt).toBeUndefined()
  })

  test('keeps the session id of the provider, which is not part of a caller', async () => {
    const record = session({ id: 'a', sid: 'sid-1' })
    await store().addSession(record)
    expect(await store().session('a')).toStrictEqual(record)
    expect(await store().listSessions()).toStrictEqual([record])
    expect((await store().export()).sessions).toStrictEqual([record])
    expect((await store().caller('a'))?.session).toStrictEqual(session({ id: 'a' }))
  })

  describe('revokes the sessions that ended at their provider', () => {
    const issuer = 'https://id.example'
    const revokedAt = async (time: string) =>
      ids((await store().listSessions()).filter((each) => each.revokedAt === time))
    /** Each message has a new key, unless one is given. */
    const revoke = (
      logout: Partial<ProviderLogout>,
      time = at(1),
      key = JSON.stringify([logout, time]),
    ): Promise<number | undefined> =>
      store().revokeSessionsOfProvider({ issuer, key, expiresAt: at(20), ...logout }, time)

    beforeEach(async () => {
      for (const [id, of] of [
        ['p-ada', { issuer, subject: 'ada' }],
        ['p-max', { issuer, subject: 'max' }],
        ['other-ada', { issuer: 'https://other.example', subject: 'ada' }],
      ] as const) {
        await store().upsertUser(of, { ...user('ada'), id })
      }
      for (const record of [
        session({ id: 'ada-1', userId: 'p-ada', sid: 'sid-1' }),
        session({ id: 'ada-1-again', userId: 'p-ada', sid: 'sid-1', expiresAt: at(9) }),
        session({ id: 'ada-2', userId: 'p-ada', sid: 'sid-2' }),
        session({ id: 'ada-none', userId: 'p-ada' }),
        session({ id: 'ada-expired', userId: 'p-ada', sid: 'sid-1', expiresAt: at(1) }),
        session({ id: 'ada-revoked', userId: 'p-ada', sid: 'sid-1', revokedAt: at(0) }),
        session({ id: 'max-3', userId: 'p-max', sid: 'sid-3' }),
        session({ id: 'other-1', userId: 'other-ada', sid: 'sid-1' }),
        session({ id: 'issued', userId: 'ada' }),
      ]) {
        await store().addSession(record)
      }
    })

    test('and remembers them, so that a sign-in that began before adds no session', async () => {
      const ended = (keys: string[], until: string) => ({ sid: 'none', ended: { keys, until } })
      await revoke(ended(['a', 'b'], at(10)))
      const add = (id: string, keys: string[], until: string) =>
        store().addSession(session({ id, userId: 'p-ada' }), undefined, { keys, until })
      expect(await add('x', ['c', 'b'], at(10))).toBe(false)
      expect(await add('x', ['a'], at(9))).toBe(false)
      expect(await store().session('x')).toBeUndefined()
      expect(await add('x', ['c', 'd'], at(9))).toBe(true)
      expect(await add('y', ['a', 'b'], at(11))).toBe(true)
      // The same session ends again.
      await revoke(ended(['b'], at(12)), at(2))
      expect(await add('z', ['a', 'b'], at(11))).toBe(false)
    })

    test.each<[string, Partial<ProviderLogout>, string[]]>([
      ['with a sid', { sid: 'sid-1' }, ['ada-1', 'ada-1-again', 'ada-expired']],
      ['of a subject', { subject: 'ada' }, ['ada-1', 'ada-1-again', 'ada-2', 'ada-none', 'ada-expired']],
      [
        'of a subject with a sid, or with none',
        { subject: 'ada', sid: 'sid-1' },
        ['ada-1', 'ada-1-again', 'ada-none', 'ada-expired'],
      ],
      ['of a subject, not with the sid of another', { subject: 'max', sid: 'sid-1' }, []],
      ['of another issuer', { issuer: 'https://other.example', subject: 'ada' }, ['other-1']],
      ['of nobody', { issuer: 'https://none.example', subject: 'ada', sid: 'sid-1' }, []],
      ['with an unknown sid', { sid: 'sid-9' }, []],
    ])('%s', async (_, logout, revoked) => {
      expect(await revoke(logout)).toBe(revoked.length)
      expect(await revokedAt(at(1))).toEqual(revoked)
    })

    test('once for each message', async () => {
      expect(await revoke({ subject: 'max' }, at(1), 'message')).toBe(1)
      await store().addSession(session({ id: 'max-4', userId: 'p-max' }))
      expect(await revoke({ subject: 'max' }, at(2), 'message')).toBeUndefined()
      expect(await revokedAt(at(2))).toEqual([])
      expect(await revoke({ subject: 'max' }, at(3), 'next message')).toBe(1)
    })

    test('once for a message that is received twice concurrently', async () => {
      const twice = ['a', 'b'].map(() => revoke({ subject: 'max' }, at(1), 'message'))
      expect((await Promise.all(twice)).sort()).toEqual([1, undefined])
    })

    test('and forgets messages that are no longer valid', async () => {
      await revoke({ subject: 'max' }, at(1), 'message')
      expect(await revoke({ subject: 'ada' }, at(20), 'other')).toBe(5)
      expect(await revoke({ subject: 'max' }, at(20), 'message')).toBe(0)
    })
  })

  test('refuses an existing id, and changes nothing', async () => {
    await store().addSession(bare)
    await expect(store().addSession({ ...full, id: bare.id })).rejects.toThrow()
    expect(await store().listSessions()).toStrictEqual([bare])
  })
}
