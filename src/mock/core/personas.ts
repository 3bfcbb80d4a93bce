import type { Session } from '../../handlers/handler.js'
import type { SessionRecord } from '../../store/state-file.js'
import type { Caller as CallerRecord, Store } from '../../store/store.js'
import { ControlError } from './control-error.js'
import { unknownCookie } from './explain.js'

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
  /** Restores the initial persona. */
  reset(): void
  /** Resolves a cookie's value: a persona's id, or `active`. */
  resolveCaller(cookie: string | undefined): Promise<Caller>
}

/**
 * @param store returns the mock's current store
 * @param initial the initial persona; defaults to the first of the state
 */
export function createPersonas(store: () => Store, now: () => Date, initial?: string): Personas {
  let active = initial

  const activeId = async () => active ?? (await store().listSessions())[0]?.id
  const isExpired = ({ revokedAt, expiresAt }: SessionRecord): boolean =>
    revokedAt !== undefined || (expiresAt !== undefined && expiresAt <= now().toISOString())

  return {
    list: () => store().listSessions(),
    async current() {
      const id = await activeId()
      return id === undefined ? undefined : store().session(id)
    },
    async use(id) {
      const persona = personaNamed(id, await store().listSessions())
      active = id
      return persona
    },
    reset() {
      active = initial
    },
    async resolveCaller(cookie) {
      if (cookie === undefined) return {}
      const id = cookie === 'active' ? await activeId() : cookie
      const found = id === undefined ? undefined : await store().caller(id)
      const loggedCookie = found || cookie === 'active' ? cookie : unknownCookie
      return { loggedCookie, session: found && !isExpired(found.session) ? toSession(found) : undefined }
    },
  }
}

const toSession = ({ session: { id, orgCode, permissions, role }, user, team }: CallerRecord): Session => ({
  id,
  user,
  orgCode,
  team,
  permissions,
  mock: { role: role ?? 'member' },
})
