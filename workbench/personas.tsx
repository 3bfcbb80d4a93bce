// Who one is, and the personas that one can be.

import { Avatar, nameOfCaller } from './avatar.js'
import { connection, isInPage } from './connection.js'
import { perform } from './perform.js'
import { openPicker } from './picker.js'
import { openPersona } from './record-forms.js'
import { personas, refreshSessions, sessions } from './store.js'
import { toast } from './toasts.js'

/** Signs in, or with null out. */
async function become(id: string | null): Promise<void> {
  const isRefused = (await perform('useSession', { id })) && connection.followActive?.() === false
  await refreshSessions()
  if (isRefused) return toast('The browser has not taken the session cookie of the mock.')
  // A session that has ended signs in no one.
  if (id !== null && sessions.value?.you !== id)
    toast(`The session of ${id} has ended: ${isInPage ? 'the page' : 'this browser'} is signed out.`)
}

export const bePersona = (id: string): Promise<void> => become(id)
export const signOut = (): Promise<void> => become(null)

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
          <dd>{you ?? 'signed out'}</dd>
          <dt>Clients without a cookie</dt>
          <dd>{withoutCookie ?? 'signed out'}</dd>
          <dt>
            Clients with <code>session=active</code>
          </dt>
          <dd>{active ?? 'signed out'}</dd>
        </dl>
      )
    },
    choices: () => [
      ...personas.value.slice(0, 1000).map(({ id, email, role, note }) => ({
        text: id,
        hint: [id === sessions.value?.you && 'you', email, role, note].filter(Boolean).join(' · '),
        isChosen: id === sessions.value?.you,
        run: () => bePersona(id),
      })),
      ...(sessions.value?.you === undefined ? [] : [{ text: 'Sign out', run: signOut }]),
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
