import { LRUCache } from 'lru-cache'
import { cookieValues, onlyValid } from '../../contract/cookie.js'
import type { Session } from '../../handlers/handler.js'
import { oncePerObject } from '../../handlers/once-per-object.js'
import type { Origin } from '../../store/audit-log.js'
import type { FoundCaller, Store } from '../../store/store.js'
import type { Settings } from '../settings/settings.js'
import type { SessionClaims, SessionCookies } from './session-cookie.js'

export type Sessions = ReturnType<typeof createSessions>

/** The part of a request that is read. */
type Sender = { headers: { cookie?: string } }

/** The claims of a cookie, with their end in milliseconds. */
type Claims = Pick<SessionClaims, 'sessionId' | 'orgCode'> & { endsAt: number }

export type SessionOptions = Pick<Settings, 'sessionCookie' | 'sessionIdle'> & {
  store: Store
  cookies: SessionCookies
  now(): Date
  /** Called when the time of use could not be saved. The request continues. */
  onError(error: unknown): void
}

/** The sessions of production, section 5: a signed cookie that names a row of the store. */
export function createSessions({
  store,
  cookies,
  sessionCookie: cookieName,
  sessionIdle: idleMs,
  now,
  onError,
}: SessionOptions) {
  // Not every read writes: the idle time counts from the last saved use.
  const touchEveryMs = Math.min(60_000, idleMs / 10)

  // Concurrent requests save a use once.
  const touching = new Set<string>()
  const touch = async (id: string, time: Date): Promise<void> => {
    if (touching.has(id)) return
    touching.add(id)
    await store.touchSession(id, time.toISOString()).catch(onError)
    touching.delete(id)
  }

  /** The claims of Cookie headers, by their text: reading and verifying one takes 10 µs. */
  const verified = new LRUCache<string, Claims>({
    maxSize: maxVerified,
    sizeCalculation: (_claims, header) => header.length,
  })

  /** The claims of a request's session cookie. If there are several, the only signed one counts. */
  const claimsOf = ({ headers: { cookie: header = '' } }: Sender): Claims | undefined => {
    const known = verified.get(header)
    if (known) return known
    const isSigned = (value: string) => cookies.verify(value) !== undefined
    const cookie = onlyValid(cookieValues(header, cookieName), isSigned)
    const found = cookie === undefined ? undefined : cookies.verify(cookie)
    if (!found) return undefined
    const claims = { ...found, endsAt: Date.parse(found.expiresAt) }
    verified.set(header, claims)
    return claims
  }

  /** The session of a caller, unless it has ended. */
  const accept = (caller: FoundCaller | undefined, claims: Claims): Session | undefined => {
    if (!caller) return undefined
    const { session, usedAt, endsAt } = timed(caller)
    // The clock of the database, if it has one, decides whether a session has expired.
    const time = caller.now === undefined ? now().getTime() : Date.parse(caller.now)
    const unusedMs = time - usedAt
    // A row of a state file may lack a time. It is NaN then, every comparison false, and the session refused.
    if (caller.session.revokedAt || !(time < endsAt) || !(time < claims.endsAt)) return undefined
    if (session.orgCode !== claims.orgCode || !(unusedMs <= idleMs)) return undefined

    // Not awaited: reads continue while the database accepts no writes.
    if (unusedMs >= touchEveryMs) void touch(session.id, new Date(time))
    return session
  }

  return {
    /** The id of the session that a signed cookie names. The session may have ended. */
    claimedId: (request: Sender): string | undefined => claimsOf(request)?.sessionId,

    /** The session of a request; undefined without a valid cookie. */
    async sessionOf(request: Sender): Promise<Session | undefined> {
      const claims = claimsOf(request)
      return claims && accept(await store.caller(claims.sessionId), claims)
    },

    /**
     * Ends the session that a request claims. Returns false if there is none, or it was revoked before.
     * @param by the origin of the change
     */
    async revoke(request: Sender, by?: Origin): Promise<boolean> {
      const claims = claimsOf(request)
      return claims !== undefined && store.revokeSession(claims.sessionId, now().toISOString(), by)
    },
  }
}

/** How long all remembered headers may be, in characters. */
const maxVerified = 4 * 1024 * 1024

/** A caller as requests need it, with times in milliseconds. SQLite's store returns the same object until the next commit. */
const timed = oncePerObject(({ session: row, user, team, version: teamVersion }: FoundCaller) => {
  const { id, orgCode, permissions } = row
  const session: Session = { id, user, orgCode, team, teamVersion, permissions }
  const usedAt = Date.parse(row.lastSeenAt ?? row.createdAt ?? '')
  return { session, usedAt, endsAt: Date.parse(row.expiresAt ?? '') }
})
