import { cookieSentOnce } from '../../contract/cookie.js'
import type { Session } from '../../handlers/handler.js'
import type { SessionRecord } from '../../store/state-file.js'
import type { Store } from '../../store/store.js'
import type { SessionClaims, SessionCookies } from './session-cookie.js'

/** A session, and until when (ms) it stays as it is if the store does. */
export type ResolvedSession = { session: Session; until: number }

export type Sessions = {
  /** The same as `resolve`, and for how long. */
  admit(cookieHeader: string | undefined): Promise<ResolvedSession | undefined>
  /** Who a Cookie header speaks for. Whatever is wrong with it, the answer is the same: nobody. */
  resolve(cookieHeader: string | undefined): Promise<Session | undefined>
  /** Ends the session that a Cookie header leads to, if there is one. */
  revoke(cookieHeader: string | undefined): Promise<void>
}

export type SessionRules = {
  store: Store
  cookies: SessionCookies
  /** The name of the cookie; the interface's own, if left out. */
  cookieName?: string
  now(): Date
  /** How long a session lasts without being used, in milliseconds. */
  idleMs: number
  /** Told when the time of use could not be noted; the request goes on. */
  onError(error: unknown): void
}

/** The sessions of production, section 5: a signed cookie that leads to a row of the store. */
export function createSessions({ store, cookies, cookieName, now, idleMs, onError }: SessionRules): Sessions {
  // Noting each use would write at every read; the idle time counts from the last use that was noted.
  const touchEveryMs = Math.min(60_000, idleMs / 10)

  // Of requests at the same time one notes it for all.
  const noting = new Set<string>()
  const noteUse = async ({ id }: SessionRecord, time: Date): Promise<void> => {
    if (noting.has(id)) return
    noting.add(id)
    await store.touchSession(id, time.toISOString()).catch(onError)
    noting.delete(id)
  }

  const claimsOf = (cookieHeader: string | undefined): SessionClaims | undefined => {
    const value = cookieSentOnce(cookieHeader, cookieName)
    return value ? cookies.verify(value) : undefined
  }

  const admit: Sessions['admit'] = async (cookieHeader) => {
    const claims = claimsOf(cookieHeader)
    const time = now()
    if (!claims || !isBefore(time, claims.expiresAt)) return undefined

    const caller = await store.caller(claims.sessionId)
    if (!caller) return undefined
    const { session: row, user, team } = caller
    if (row.revokedAt || !isBefore(time, row.expiresAt)) return undefined
    if (row.orgCode !== claims.orgCode || !(unusedFor(row, time) <= idleMs)) return undefined

    // Not waited for: while the database takes no writes, whoever only reads would wait for that too.
    const unused = unusedFor(row, time)
    if (unused >= touchEveryMs) void noteUse(row, time)
    const { id, orgCode, permissions } = row
    return {
      session: { id, user, orgCode, team, permissions },
      // By then the use has to be noted again; before it, the session cannot grow idle.
      until: Math.min(
        time.getTime() - unused + touchEveryMs,
        Date.parse(claims.expiresAt),
        Date.parse(row.expiresAt ?? ''),
      ),
    }
  }

  return {
    admit,
    async resolve(cookieHeader) {
      return (await admit(cookieHeader))?.session
    },

    async revoke(cookieHeader) {
      const claims = claimsOf(cookieHeader)
      if (claims) await store.revokeSession(claims.sessionId, now().toISOString())
    },
  }
}

// A row without the time that is asked for, which only a loaded state file can make, is compared with NaN:
// both comparisons are then false, and there is no session.
const isBefore = (time: Date, limit: string | undefined): boolean => time.getTime() < Date.parse(limit ?? '')
const unusedFor = (row: SessionRecord, time: Date): number =>
  time.getTime() - Date.parse(row.lastSeenAt ?? row.createdAt ?? '')
