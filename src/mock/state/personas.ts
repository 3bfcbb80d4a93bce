import { onlyValid } from '../../contract/cookie.js'
import { shown } from '../../contract/shown.js'
import type { Session } from '../../handlers/handler.js'
import type { SessionRecord } from '../../store/state-file.js'
import type { OperationStore } from '../../store/store.js'
import { ControlError } from './control-error.js'
import type { LoadedState, Part } from './history.js'
import { signedOut } from './limit-words.js'
import { signInMarker } from './sign-in-cookies.js'

/** Logged in place of an unknown session cookie, which may be secret. */
export const unknownCookie = '(unknown)'

/** The mock does not have this persona. The message lists its personas. */
export class UnknownPersonaError extends ControlError {
  override name = 'UnknownPersonaError'
  override readonly status = 404
}

/** @param others names that are possible, too. @throws UnknownPersonaError */
export function personaNamed(
  id: string,
  personas: readonly SessionRecord[],
  others: readonly string[] = [],
): SessionRecord {
  const persona = personas.find((candidate) => candidate.id === id)
  if (persona) return persona
  throw new UnknownPersonaError(`There is no persona ${shown(id)}.`, [
    ...personas.map((known) => known.id),
    ...others,
  ])
}

export type MockCaller = {
  /** The id of the persona. Undefined if the caller is signed out or the session has expired. */
  persona?: string
  /** The cookie's value for the log. An unknown value is replaced, because it may be secret. */
  loggedCookie?: string
  /** Why a caller with a session cookie or a sign-out has no persona. */
  absence?:
    | typeof signedOut
    | 'expired'
    | 'unknown cookie'
    | 'several cookies, of which not exactly one names a persona'
}

/** The sessions of the mock's state. A session cookie has the id of one. */
export type Personas = ReturnType<typeof createPersonas>

export type { LoadedState }

type PersonaOptions = {
  /** The personas of the initial state. */
  personas: readonly SessionRecord[]
  store(): Promise<OperationStore>
  now(): Date
  /** The initial persona. Default: the first of the state. */
  initial?: string
  /** Whether clients keep their own cookies. */
  isServer: boolean
  /** The session cookie of clients that do not. */
  jar: { get(): string | undefined; set(value: string | undefined): void }
}

/** What decides who a caller is. */
type Identity = { active: string | null | undefined; usedAt: number; jar: string | undefined }

export function createPersonas({ store, now, initial, isServer, jar, ...options }: PersonaOptions) {
  // Clients without a known cookie are signed in as the active persona, until they sign out.
  const signsIn = isServer && initial !== undefined
  let personas = byId(options.personas)
  /** Null: `session=active` is signed out. */
  let active: string | null | undefined = initial
  let lastTime = 0
  let usedAt = 0

  /** The current time, later than that of any earlier call. */
  const nextTime = () => {
    lastTime = Math.max(Date.now(), lastTime + 1)
    return lastTime
  }
  const activeId = () =>
    active === null
      ? undefined
      : ([active, initial].find((id = '') => personas.has(id)) ?? personas.keys().next().value)
  /** Whether the sign-in page set this cookie, and whether before or after the last `use`. */
  const markedAs = (cookie = '', marker = ''): 'no' | 'before' | 'since' => {
    const [id, time] = marker.split('~')
    if (time === undefined || id !== cookie) return 'no'
    return Number(time) < usedAt ? 'before' : 'since'
  }
  const isExpired = ({ revokedAt, expiresAt }: SessionRecord): boolean =>
    revokedAt !== undefined || (expiresAt !== undefined && expiresAt <= now().toISOString())

  /** Whether the value of a session cookie names a persona. */
  const isKnown = (cookie = '') => cookie === 'active' || personas.has(cookie)
  /**
   * Finds the caller by the values of the session cookie, a persona's id or `active`, and the marker cookie. Of several
   * values, the only known one counts.
   */
  const findCaller = (cookies: string[], marker?: string): MockCaller => {
    const cookie = onlyValid(cookies, isKnown)
    const marked = markedAs(cookie, marker)
    if (marked === 'since' && cookie === undefined) return { absence: signedOut }
    const id = cookie === 'active' || (cookie && marked === 'before') ? activeId() : cookie
    const found = personas.get(id ?? '')
    if (!found && signsIn && cookie !== 'active') return findCaller(['active'])
    const loggedCookie = found || cookie === 'active' ? cookie : cookie && unknownCookie
    if (found)
      return isExpired(found) ? { loggedCookie, absence: 'expired' } : { loggedCookie, persona: found.id }
    if (cookie === undefined)
      return cookies.length > 1
        ? { absence: 'several cookies, of which not exactly one names a persona' }
        : {}
    return { loggedCookie, absence: isKnown(cookie) ? signedOut : 'unknown cookie' }
  }

  const part: Part<Identity> = {
    name: 'persona',
    get: () => ({ active, usedAt, jar: jar.get() }),
    set(earlier) {
      ;({ active, usedAt } = earlier)
      if (jar.get() !== earlier.jar) jar.set(earlier.jar)
      return undefined
    },
    isSame: (a, b) => a.active === b.active && a.jar === b.jar,
  }

  return {
    list: async (): Promise<SessionRecord[]> => [...personas.values()],
    /** The persona that the cookie `session=active` stands for. */
    current(): SessionRecord | undefined {
      return personas.get(activeId() ?? '')
    },
    part,
    /** Sets the persona of `session=active`; null signs it out. @throws UnknownPersonaError */
    use(id: string | null) {
      if (id !== null) personaNamed(id, [...personas.values()], [signedOut])
      active = id
      usedAt = nextTime()
    },
    /**
     * The marker cookie of a browser that signs in as a persona, or out. With it, the session cookie of the
     * browser holds until the next `use`.
     * @returns undefined if no marker is needed
     */
    marker: (id: string | undefined) =>
      isServer && (id !== undefined || signsIn) ? signInMarker(id, nextTime()) : undefined,
    /** Restores the initial persona after the state was replaced. With `initial`, this is a `use`. */
    reset() {
      active = initial
      if (signsIn) usedAt = nextTime()
    },
    /**
     * Replaces the personas by those of another state. The active one stays if it is among them.
     * @param isStep whether the state is one of the history, which has the active persona as a part of its own
     */
    replace(next: readonly SessionRecord[], isStep = false): LoadedState {
      const earlier = activeId()
      personas = byId(next)
      if (!isStep && active !== null && activeId() !== earlier)
        active = personas.has(earlier ?? '') ? earlier : undefined
      const now = activeId()
      if (now === earlier || earlier === undefined) return { active: now }
      return {
        active: now,
        warning: `The state has no persona "${earlier}": session=active stands for ${now ? `"${now}"` : 'no persona'} now.`,
      }
    },
    isKnown,
    findCaller,
    async sessionOf({ persona }: MockCaller): Promise<Session | undefined> {
      const found = persona === undefined ? undefined : await (await store()).caller(persona)
      if (!found) return undefined
      const { session, user, team } = found
      const { id, orgCode, permissions, role = 'member' } = session
      return { id, user, orgCode, team, permissions, mock: { role } }
    },
  }
}

const byId = (personas: readonly SessionRecord[]) => new Map(personas.map((persona) => [persona.id, persona]))
