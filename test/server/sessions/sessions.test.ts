import { describe, expect, it } from 'vitest'
import { issueSession } from '../../../src/server/sessions/issue-session.js'
import { createSessionCookies, type SessionClaims } from '../../../src/server/sessions/session-cookie.js'
import { createSessions } from '../../../src/server/sessions/sessions.js'
import { SessionRecord } from '../../../src/store/state-file.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { createClock, createTestApp, demo, hour, minute, secret } from '../server-harness.js'

const claims: SessionClaims = {
  sessionId: 'ses_1',
  orgCode: 'org_acme',
  issuedAt: '2026-03-01T12:00:00.000Z',
  expiresAt: '2026-03-02T00:00:00.000Z',
}

/** The read part of a request with this cookie. */
const sender = (cookie: string) => ({ headers: { cookie: `session=${encodeURIComponent(cookie)}` } })

async function open({ idleMs = 30 * minute, ttlMs = 12 * hour, orgCode = 'org_acme' } = {}) {
  const clock = createClock()
  const store = createMemoryStore(demo())
  const cookies = createSessionCookies([secret])
  const errors: unknown[] = []
  const sessions = createSessions({
    store,
    cookies,
    sessionCookie: 'session',
    sessionIdle: idleMs,
    now: clock.now,
    onError: (error) => void errors.push(error),
  })
  const user = await store.user('user-ada')
  if (!user) throw new Error('the fixture has no user-ada')
  const { session, cookie } = await issueSession(
    { store, cookies, now: clock.now },
    { user, ...(orgCode && { orgCode }), permissions: ['create:projects'], ttlMs },
  )
  const resolve = (value: string) => sessions.sessionOf(sender(value))
  return { clock, store, cookies, sessions, resolve, errors, user, session, cookie }
}

describe('a session of production', () => {
  it('has its user, organisation and permissions, and is never a mock session', async () => {
    const { resolve, store, session, user, cookie } = await open()
    expect(await resolve(cookie)).toEqual({
      id: session.id,
      user,
      orgCode: 'org_acme',
      team: await store.teamOfOrganization('org_acme'),
      permissions: ['create:projects'],
    })
  })

  it('expires by the clock of the database, if it has its own', async () => {
    const { resolve, store, session, cookie } = await open()
    const { caller } = store
    const resolveAt = async (now: string) => {
      store.caller = async (id) => {
        const found = await caller(id)
        return found && { ...found, now }
      }
      return (await resolve(cookie))?.id
    }
    const created = Date.parse(session.createdAt ?? '')
    expect(await resolveAt(new Date(created + minute).toISOString())).toBe(session.id)
    expect(await resolveAt(new Date(created + 40 * minute).toISOString())).toBeUndefined()
  })

  it('has a random id that is valid in a state file and on a command line', async () => {
    const { store, cookies, clock, user, session } = await open()
    const ids = new Set([session.id])
    for (let i = 0; i < 50; i++) {
      const grant = { user, permissions: [], ttlMs: 1000 }
      const issued = await issueSession({ store, cookies, now: clock.now }, grant)
      expect(issued.session.id).toMatch(/^ses_[\w-]{32}$/)
      expect(SessionRecord.parse(issued.session)).toEqual(issued.session)
      ids.add(issued.session.id)
    }
    expect(ids.size).toBe(51)
  })

  it('needs its cookie; of several, the only signed one counts', async () => {
    const { store, clock, cookie } = await open()
    const { app } = createTestApp({ store, now: clock.now })
    const statusOf = async (header?: string) =>
      (await app.inject({ url: '/v1/projects', headers: header === undefined ? {} : { cookie: header } }))
        .statusCode
    const header = `session=${cookie}`
    const accepted = [header, `theme=dark; ${header}`, `${header}; Session=${cookie}`]
    for (const other of ['session=', 'session=x', 'session=%E0%A4%A', `session=${cookie}x`]) {
      accepted.push(`${header}; ${other}`, `${other}; ${header}`, `${other}; ${header}; ${other}`)
    }
    for (const each of accepted) expect(await statusOf(each), each).toBe(200)
    for (const refused of [
      undefined,
      '',
      'session=',
      'session=acme-owner',
      `${header}; ${header}`,
      `${header}; session=x; ${header}`,
      'session=x; session=y',
      `Session=${cookie}`,
      // Large cookies, and many.
      `session=session.${'A'.repeat(12_000)}.${'B'.repeat(43)}`,
      `session=${'.'.repeat(15_000)}`,
      `session=${'%41'.repeat(5_000)}`,
      `${'a=b; '.repeat(3_000)}${header}x`,
      `${header}; `.repeat(40),
      `session=session.${Buffer.from(`{"a":${'['.repeat(9_000)}`).toString('base64url')}.x`,
    ]) {
      expect(await statusOf(refused)).toBe(401)
    }
  })

  it('expires with the cookie or the row, whichever is earlier', async () => {
    const { resolve, cookies, clock, session } = await open({ ttlMs: 2 * minute })
    const until = (expiresAt: string) =>
      resolve(cookies.sign({ ...claims, sessionId: session.id, expiresAt }))
    const [earlier, later] = ['2026-03-01T12:01:00.000Z', '2026-03-09T00:00:00.000Z']
    expect([await until(earlier), await until(later)]).not.toContain(undefined)
    clock.advance(minute)
    expect(await until(earlier)).toBeUndefined()
    expect(await until(later)).toBeDefined()
    clock.advance(minute)
    expect(await until(later)).toBeUndefined()
  })

  it('ends after the idle time without use', async () => {
    const { resolve, clock, cookie } = await open({ idleMs: 30 * minute })
    for (let i = 0; i < 5; i++) {
      clock.advance(30 * minute)
      expect(await resolve(cookie)).toBeDefined()
    }
    clock.advance(30 * minute + 1)
    expect(await resolve(cookie)).toBeUndefined()
    expect(await resolve(cookie)).toBeUndefined()
  })

  it.each([
    [30 * minute, minute],
    [100_000, 10_000],
  ])(
    'with an idle time of %i ms saves its use at most every %i ms, a minute at most',
    async (idleMs, everyMs) => {
      const { resolve, store, clock, session, cookie } = await open({ idleMs })
      const useAfter = async (ms: number) => {
        clock.advance(ms)
        expect(await resolve(cookie)).toBeDefined()
        return (await store.session(session.id))?.lastSeenAt
      }
      expect(await useAfter(everyMs - 1)).toBeUndefined()
      const saved = clock.now().getTime() + 1
      expect(await useAfter(1)).toBe(new Date(saved).toISOString())
      expect(await useAfter(everyMs - 1)).toBe(new Date(saved).toISOString())
      // So the session stays valid for at least nine tenths of the idle time after any use.
      expect(await useAfter(idleMs - everyMs + 1)).not.toBe(new Date(saved).toISOString())
    },
  )

  it('saves its use once for concurrent requests', async () => {
    const { resolve, store, clock, cookie } = await open()
    let noted = 0
    const { touchSession } = store
    store.touchSession = async (...use) => {
      noted += 1
      await touchSession(...use)
    }
    clock.advance(minute)
    const resolved = await Promise.all(Array.from({ length: 10 }, () => resolve(cookie)))
    expect(resolved).not.toContain(undefined)
    expect(noted).toBe(1)
    clock.advance(minute)
    await resolve(cookie)
    expect(noted).toBe(2)
  })

  it('stays valid if its use cannot be saved', async () => {
    const { resolve, store, errors, clock, cookie } = await open()
    store.touchSession = async () => {
      throw new StoreUnavailableError('the disk is full')
    }
    clock.advance(minute)
    expect(await resolve(cookie)).toBeDefined()
    expect(errors).toEqual([new StoreUnavailableError('the disk is full')])
  })

  it('is unavailable, not absent, while the store is unavailable', async () => {
    const { resolve, store, cookie } = await open()
    store.caller = async () => {
      throw new StoreUnavailableError('locked')
    }
    await expect(resolve(cookie)).rejects.toThrow(StoreUnavailableError)
  })

  it('is revoked only by its cookie, even when it is idle', async () => {
    const { sessions, store, clock, session, cookie } = await open()
    const revokedAt = async () => (await store.session(session.id))?.revokedAt
    for (const wrong of ['', 'x', session.id, `${cookie}x`]) {
      await sessions.revoke(sender(wrong))
      expect(await revokedAt()).toBeUndefined()
    }
    clock.advance(2 * hour)
    await sessions.revoke(sender(cookie))
    expect(await revokedAt()).toBe('2026-03-01T14:00:00.000Z')
    await sessions.revoke(sender(cookie))
    expect(await revokedAt()).toBe('2026-03-01T14:00:00.000Z')
  })

  it('is refused if the organisation of the cookie differs from that of the row', async () => {
    const { resolve, cookies, session } = await open()
    const cookie = (orgCode?: string) => {
      const { orgCode: _, ...rest } = { ...claims, sessionId: session.id }
      return cookies.sign({ ...rest, ...(orgCode && { orgCode }) })
    }
    expect(await resolve(cookie('org_acme'))).toBeDefined()
    expect(await resolve(cookie('org_globex'))).toBeUndefined()
    expect(await resolve(cookie())).toBeUndefined()
  })

  it('is refused if the store has no such session, or one without times', async () => {
    const { resolve, cookies } = await open()
    const cookie = (sessionId: string) => cookies.sign({ ...claims, sessionId })
    expect(await resolve(cookie('ses_unknown'))).toBeUndefined()
    // A persona of the fixture has neither createdAt nor expiresAt.
    expect(await resolve(cookie('acme-owner'))).toBeUndefined()
  })

  it('cannot be issued for an empty organisation code', async () => {
    const { store, cookies, clock, user } = await open()
    const grant = { user, orgCode: '', permissions: [], ttlMs: 1000 }
    const before = await store.listSessions()
    await expect(issueSession({ store, cookies, now: clock.now }, grant)).rejects.toThrow('orgCode')
    expect(await store.listSessions()).toEqual(before)
  })
})
