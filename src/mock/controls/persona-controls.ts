import type { SessionRecord } from '../../store/state-file.js'
import type { MockParts } from '../engine/mock-parts.js'
import type { SentCookies } from '../engine/sent-request.js'
import { callerNamed } from '../state/limit-words.js'
import { listPersonas, type Persona } from '../state/listed-personas.js'
import type { NewPersona } from '../state/new-records.js'
import { type LoadedState, personaNamed } from '../state/personas.js'
import type { Recorder } from './recorder.js'

/** The personas, and the current ones. */
export type SessionList = {
  /** The persona that `session=active` stands for. */
  active?: string
  /** The persona of requests without a session cookie. Absent if they are signed out. */
  withoutCookie?: string
  /** The persona of the caller, by the cookies of this call. Absent if the caller is signed out. */
  you?: string
  sessions: Persona[]
}

async function listSessions(parts: MockParts, caller?: SentCookies): Promise<SessionList> {
  const { personas, jar } = parts
  const idOf = ({ cookies, marker }: SentCookies) => personas.findCaller(cookies, marker).persona
  const own = { cookies: [jar.get() ?? []].flat() }
  return {
    active: personas.current()?.id,
    withoutCookie: idOf(own),
    you: idOf(caller ?? own),
    sessions: await listPersonas(parts),
  }
}

export function createPersonaControls({ parts, use, set, edit, editOne }: Recorder) {
  const { personas, clock } = parts
  const list = (caller?: SentCookies) => listSessions(parts, caller)
  return {
    /** @param caller the cookies of the caller; by default those of requests without cookies */
    list,
    /** From the next request on, `session=active` means this persona; with null, or `signed out`, it is signed out. */
    async use(given: string | null): Promise<SessionList> {
      const id = callerNamed(given)
      set(
        'useSession',
        { id },
        () => use(id),
        () => {},
      )
      return list()
    },
    /**
     * Adds a persona with its user, and with its team if the organisation has none, in one step of the history.
     * @throws StateError with the path of each fault
     */
    async add(persona: NewPersona): Promise<SessionList> {
      const { recordsOf } = await import('../state/new-records.js')
      await editOne('addSession', persona, (records) => records.add(recordsOf(persona, records)))
      return list()
    },
    /**
     * Ends the session of a persona now, by the clock of the mock, in one step of the history.
     * @throws UnknownPersonaError
     */
    async expire(id: string): Promise<SessionList> {
      personaNamed(id, await personas.list())
      const expiresAt = clock.now().toISOString()
      await edit('expireSession', { id }, (records) => records.set('sessions', id, { expiresAt }) ?? {})
      return list()
    },
    /**
     * Removes a persona, and its user if no other persona has that user. @returns a warning if `session=active` meant it
     * @throws UnknownPersonaError
     */
    async remove(id: string): Promise<SessionList & LoadedState> {
      const { userId } = personaNamed(id, await personas.list())
      const { warning } = await edit('removeSession', { id }, (records) => {
        const isOnly = (records.all('sessions') as SessionRecord[]).every(
          (session) => session.id === id || session.userId !== userId,
        )
        return records.remove(isOnly ? { users: [userId] } : { sessions: [id] })
      })
      return { ...(await list()), warning }
    },
  }
}
