// Who one is, and the personas that one can be.

import { effect } from '@preact/signals'
import { signedOut } from '../src/mock/state/limit-words.js'
import type { Persona } from '../src/mock/state/listed-personas.js'
import { Avatar, nameOfCaller } from './avatar.js'
import { connection, isInPage } from './connection.js'
import { change, perform } from './perform.js'
import { openPicker } from './picker.js'
import { openPersona } from './record-forms.js'
import { clock, history, personas, refreshSessions, sessions } from './store.js'
import { showError, toast } from './toasts.js'

/** The session cookies that this browser had before steps that gave it `session=active`, by the ids of the steps. */
const earlierCookies = new Map<number, string | undefined>()

/**
 * Has this browser be the persona of `session=active`, from a step that has set it.
 * @returns whether the browser has taken the cookie
 */
export async function followActive(step?: { id: number }): Promise<boolean> {
  const { cookie } = connection
  const earlier = cookie?.get()
  // A browser that follows the mock keeps its cookie.
  if (!cookie || sessions.value?.you === sessions.value?.active) return true
  const isTaken = cookie.set('active')
  if (step) earlierCookies.set(step.id, earlier)
  await refreshSessions()
  if (!isTaken) toast('The browser has not taken the session cookie of the mock.')
  return isTaken
}

/** Signs in, or with null out. */
async function become(id: string | null): Promise<void> {
  const { error, step } = await change('useSession', { id })
  if (error !== undefined) return showError(error)
  if (!(await followActive(step))) return
  const { you, sessions: list = [] } = sessions.value ?? {}
  if (id === null || you === id) return
  const isOver = hasEnded(list.find((persona) => persona.id === id))
  toast(
    `${isOver ? `The session of ${id} has ended. ` : ''}${isInPage ? 'The page' : 'This browser'} is ${you ?? signedOut}, not ${id}.`,
    isOver ? { label: 'Renew it', run: () => renew(id) } : undefined,
  )
}

const hasEnded = ({ expiresAt, revokedAt }: Partial<Persona> = {}): boolean =>
  revokedAt !== undefined ||
  (expiresAt !== undefined && expiresAt <= (clock.value?.now ?? new Date().toISOString()))

/** Has the session of a persona last, in one step. */
const renew = (id: string) =>
  perform('setRecord', { kind: 'sessions', key: id, fields: { expiresAt: null, revokedAt: null } })

// A step that any interface takes back takes its cookie back, too.
effect(() => {
  const { undo, redo } = history.value
  const { cookie } = connection
  const step = [redo, undo].find((each) => each && earlierCookies.has(each.id))
  if (!cookie || !step) return
  const earlier = earlierCookies.get(step.id)
  const [from, to] = step === redo ? ['active', earlier] : [earlier, 'active']
  if (cookie.get() !== from) return
  cookie.set(to)
  void refreshSessions()
})

export const bePersona = (id: string): Promise<void> => become(id)
export const signOut = (): Promise<void> => become(null)

const ofYou = (you: string | undefined) =>
  you === undefined
    ? []
    : [
        { text: 'Sign out', run: signOut },
        {
          text: 'End the session',
          hint: `the next request of ${you} gets a 401`,
          run: () => perform('expireSession', { id: you }),
        },
      ]

/** Opens the list at the persona that one is. */
export function openPersonas(): void {
  const anchor = document.getElementById('who-button')
  if (!anchor) return
  openPicker({
    label: 'Personas',
    anchor,
    empty: 'No persona matches.',
    header: () => {
      const { you, active, withoutCookie } = sessions.value ?? {}
      return (
        <dl class="identities">
          <dt>{isInPage ? 'The page' : 'This browser'}</dt>
          <dd>{nameOfCaller(you)}</dd>
          <dt>Clients without a cookie</dt>
          <dd>{nameOfCaller(withoutCookie)}</dd>
          <dt>
            Clients with <code>session=active</code>
          </dt>
          <dd>{nameOfCaller(active)}</dd>
        </dl>
      )
    },
    choices: () => [
      ...personas.value.slice(0, 1000).map((persona) => {
        const { id, email, role, note } = persona
        const isYou = id === sessions.value?.you
        const facts = [isYou && 'you', hasEnded(persona) && 'its session has ended', email, role, note]
        return {
          text: id,
          hint: facts.filter(Boolean).join(' · '),
          isChosen: isYou,
          run: () => bePersona(id),
        }
      }),
      ...ofYou(sessions.value?.you),
      { text: 'New persona…', run: () => openPersona(bePersona) },
    ],
  })
}

export function WhoButton() {
  const list = sessions.value
  const { you, withoutCookie } = list ?? {}
  return (
    <button id="who-button" type="button" aria-haspopup="dialog" title="Personas (p)" onClick={openPersonas}>
      <span class="unseen">{withoutCookie === you ? 'You are' : 'This browser is'} </span>
      {list && <Avatar session={you} />}
      <strong id="who">{list ? nameOfCaller(you) : '…'}</strong>
      {withoutCookie !== you && <span class="unseen"> without a cookie: {nameOfCaller(withoutCookie)}</span>}
    </button>
  )
}
