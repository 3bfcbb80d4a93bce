import type { Session } from '../../handlers/handler.js'
import type { SessionRecord } from '../../store/state-file.js'
import type { Caller as CallerRecord, Store } from '../../store/store.js'
import { ControlError } from './control-error.js'
import { signedOut, unknownCookie } from './explain.js'

/** The mock does not have this persona. The message lists those it has. */
export class UnknownPersonaError extends ControlError {
  override name = 'UnknownPersonaError'
  override readonly status = 404
}

/** @throws UnknownPersonaError */
export function personaNamed(id: string, personas: readonly SessionRecord[]): SessionRecord {
  const persona = personas.find((candidate) => candidate.id === id)
  if (persona) return persona
  throw new UnknownPersonaError(
    `There is no persona "${id}".`,
    personas.map((known) => known.id),
  )
}

/** The caller of a request. */
export type Caller = {
  /** Undefined if there is none or it has expired. */
  session?: Session
  /** The cookie's value for the log. An unknown one is replaced, because it may be a secret. */
  loggedCookie?: string
}

/** The sessions of the mock's state, each signed in by using its id as the cookie. */
export type Personas = {
  list(): Promise<SessionRecord[]>
  /** The persona that the cookie `session=active` stands for. */
  current(): Promise<SessionRecord | undefined>
  /** Makes `session=active` stand for this persona. @throws UnknownPersonaError */
  use(id: string): Promise<SessionRecord>
  /** The cookie of a browser that signs in as a persona: it stands for that persona until the next `use`. */
  signInCookie(id: string): string
  /** The cookie of a browser that signs out; undefined to delete it. */
  signOutCookie: string | undefined
  /** Restores the initial persona, for a state that was replaced. */
  reset(): void
  /** Replaces the personas, as another state is loaded. The active one stays if it is among them. */
  replace(personas: readonly SessionRecord[]): Loaded
  /** Whether a cookie's value stands for somebody, or for a client that signed out. */
  isKnown(cookie: string | undefined): boolean
  /** Resolves a cookie's value: a persona's id, `active`, or the cookie of a sign-in or a sign-out. */
  resolveCaller(cookie: string | undefined): Promise<Caller>
}

/** The persona of `session=active` after a state was loaded, and a warning if the state lacks the earlier one. */
export type Loaded = { active?: string; warning?: string }

type PersonaOptions = {
  /** The personas of the initial state. */
  personas: readonly SessionRecord[]
  /** Returns the mock's current store. */
  store(): Store
  now(): Date
  /** The initial persona; defaults to the first of the state. */
  initial?: string
  /** Whether the clients keep their own cookies, as those of a server do. */
  isServer: boolean
}

export function createPersonas({ store, now, initial, isServer, ...options }: PersonaOptions): Personas {
  // Clients without a known cookie are signed in as the active persona, until they sign out.
  const signsIn = isServer && initial !== undefined
  let { personas } = options
  let active = initial
  let lastTime = 0
  let usedAt = 0

  /** The current time, later than that of any earlier call. */
  const nextTime = () => {
    lastTime = Math.max(Date.now(), lastTime + 1)
    return lastTime
  }
  const activeId = () => active ?? personas[0]?.id
  const personaOf = (cookie: string): string | undefined => {
    const [id, signedInAt] = cookie.split('~')
    return id === 'active' || Number(signedInAt) < usedAt ? activeId() : id
  }
  const isExpired = ({ revokedAt, expiresAt }: SessionRecord): boolean =>
    revokedAt !== undefined || (expiresAt !== undefined && expiresAt <= now().toISOString())

  return {
    list: async () => [...personas],
    async current() {
      const id = activeId()
      return personas.find((persona) => persona.id === id)
    },
    async use(id) {
      const persona = personaNamed(id, personas)
      active = id
      usedAt = nextTime()
      return persona
    },
    signInCookie: (id) => (isServer && id !== 'active' ? `${id}~${nextTime()}` : id),
    signOutCookie: signsIn ? signedOut : undefined,
    reset() {
      active = initial
    },
    replace(next) {
      const has = (id: string | undefined) => next.some((persona) => persona.id === id)
      const earlier = activeId()
      personas = next
      active = [earlier, initial].find(has)
      const now = activeId()
      if (now === earlier || earlier === undefined) return { active: now }
      return { active: now, warning: `The loaded state has no persona "${earlier}": ${standsFor(now)}` }
    },
    isKnown: (cookie) =>
      cookie === 'active' ||
      cookie === signedOut ||
      personas.some((persona) => persona.id === cookie?.split('~')[0]),
    async resolveCaller(cookie) {
      if (cookie === signedOut) return { loggedCookie: cookie }
      const id = cookie === undefined ? undefined : personaOf(cookie)
      const found = id === undefined ? undefined : await store().caller(id)
      if (!found && signsIn && cookie !== 'active') return this.resolveCaller('active')
      const loggedCookie = found || cookie === 'active' ? cookie?.replace(/~.*/, '') : cookie && unknownCookie
      return { loggedCookie, session: found && !isExpired(found.session) ? toSession(found) : undefined }
    },
  }
}

const standsFor = (id: string | undefined): string =>
  `session=active stands for ${id ? `"${id}"` : 'nobody'} now.`

const toSession = ({ session: { id, orgCode, permissions, role }, user, team }: CallerRecord): Session => ({
  id,
  user,
  orgCode,
  team,
  permissions,
  mock: { role: role ?? 'member' },
})
