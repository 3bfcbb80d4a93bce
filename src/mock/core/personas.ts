import type { Session } from '../../handlers/handler.js'
import type { SessionRecord } from '../../store/state-file.js'
import type { Caller as CallerRecord, Store } from '../../store/store.js'
import { ControlError } from './control-error.js'
import { unknownCookie } from './explain.js'

/** A persona that the mock does not have; the message names those it has. */
export class UnknownPersonaError extends ControlError {
  override name = 'UnknownPersonaError'
  override readonly status = 404
}

/** @throws UnknownPersonaError where there is no such persona */
export function personaNamed(id: string, personas: readonly SessionRecord[]): SessionRecord {
  const persona = personas.find((candidate) => candidate.id === id)
  if (persona) return persona
  throw new UnknownPersonaError(
    `There is no persona "${id}".`,
    personas.map((known) => known.id),
  )
}

/** Who is calling. */
export type Caller = {
  /** Undefined where there is none, or it has run out. */
  session?: Session
  /** The cookie's value as it may be told: whatever is not the mock's is replaced. */
  loggedCookie?: string
}

/** The callers one can be in the mock: the sessions of its state, signed in by their names. */
export type Personas = {
  list(): Promise<SessionRecord[]>
  /** The persona that the cookie `session=active` stands for. */
  current(): Promise<SessionRecord | undefined>
  /** From the next request on, `session=active` stands for this one. @throws UnknownPersonaError */
  use(id: string): Promise<SessionRecord>
  /** Back to the persona of the beginning. */
  reset(): void
  /** Whom a cookie's value stands for: a persona's name, or `active`. */
  resolveCaller(cookie: string | undefined): Promise<Caller>
}

/**
 * @param store gives the mock's store of the moment
 * @param first the persona to begin with; the first of the state where it is left out
 */
export function createPersonas(store: () => Store, now: () => Date, first?: string): Personas {
  let active = first

  const activeId = async () => active ?? (await store().listSessions())[0]?.id
  const hasRunOut = ({ revokedAt, expiresAt }: SessionRecord): boolean =>
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
      active = first
    },
    async resolveCaller(cookie) {
      if (cookie === undefined) return {}
      const id = cookie === 'active' ? await activeId() : cookie
      const found = id === undefined ? undefined : await store().caller(id)
      const loggedCookie = found || cookie === 'active' ? cookie : unknownCookie
      return { loggedCookie, session: found && !hasRunOut(found.session) ? toSession(found) : undefined }
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
