import { beforeEach, expect, test } from 'vitest'
import type { SessionRecord } from '../../../src/store/state-file.js'
import type { Store } from '../../../src/store/store.js'
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

  test('revokes every open session of a user or of an organisation, and no others', async () => {
    await store().addUser(user('max'))
    const orgCode = 'org_acme'
    for (const record of [
      session({ id: 'ada', expiresAt: at(9) }),
      session({ id: 'ada-acme', orgCode }),
      session({ id: 'expired', orgCode, expiresAt: at(1) }),
      session({ id: 'revoked', orgCode, revokedAt: at(0) }),
      session({ id: 'max-acme', userId: 'max', orgCode }),
      session({ id: 'max-globex', userId: 'max', orgCode: 'org_globex' }),
    ]) {
      await store().addSession(record)
    }
    const revokedIdsAt = async (time: string) =>
      ids((await store().listSessions()).filter(({ revokedAt }) => revokedAt === time))

    expect(await store().revokeSessionsOfUser('ada', at(1))).toBe(2)
    expect(await revokedIdsAt(at(1))).toEqual(['ada', 'ada-acme'])
    expect(await store().revokeSessionsOfUser('ada', at(2))).toBe(0)
    expect(await store().revokeSessionsOfOrganization(orgCode, at(3))).toBe(1)
    expect(await revokedIdsAt(at(3))).toEqual(['max-acme'])
    expect(await store().revokeSessionsOfOrganization('', at(4))).toBe(0)
    expect(await store().revokeSessionsOfUser('none', at(4))).toBe(0)
    expect((await store().session('max-globex'))?.revokedAt).toBeUndefined()
  })

  test('removes the expired sessions and no others', async () => {
    await store().addSession(session({ id: 'past', expiresAt: at(1) }))
    await store().addSession(session({ id: 'now', expiresAt: at(2), revokedAt: at(1) }))
    await store().addSession(session({ id: 'later', expiresAt: at(3), revokedAt: at(1) }))
    await store().addSession(session({ id: 'never' }))
    expect(await store().removeExpiredSessions(at(2))).toBe(2)
    expect(ids(await store().listSessions())).toEqual(['later', 'never'])
    expect(await store().removeExpiredSessions(at(2))).toBe(0)
  })

  test('refuses an existing id, and changes nothing', async () => {
    await store().addSession(bare)
    await expect(store().addSession({ ...full, id: bare.id })).rejects.toThrow()
    expect(await store().listSessions()).toStrictEqual([bare])
  })
}
