// What a page without requests says: three ways to begin, and who one is.

import { useEffect, useState } from 'preact/hooks'
import { Avatar } from './avatar.js'
import { call, connection, hasDocs, isInPage } from './connection.js'
import { kinds } from './kinds.js'
import { force } from './outcome-forms.js'
import { bePersona, openPersonas, signOut } from './personas.js'
import { stateKinds } from './state-kinds.js'
import { dataVersion, personas, sessions, show } from './store.js'
import { copyText, toast } from './toasts.js'

const proxyLine = () => `server: { proxy: { '/v1': '${connection.address}' } }`

/** Sends a first request, as the persona of this browser or signed out. */
async function sendFirst(): Promise<void> {
  await fetch('/v1/projects').catch(() => toast('The mock does not answer.'))
}

export function FirstMinute() {
  const you = sessions.value?.you
  const [first] = personas.value
  return (
    <div class="first">
      <h2>This is your back end until you have one.</h2>
      <p class="quiet">
        It responds as the real dashboard API, shows every request here, and can go back to before any of
        them.
      </p>
      {you === undefined && first && (
        <p class="failure">
          You are signed out: requests of this browser get a 401.{' '}
          <button type="button" class="main" onClick={() => bePersona(first.id)}>
            Sign in as {first.id}
          </button>
        </p>
      )}
      <ol>
        <li>
          <div>
            <strong>Send a first request</strong>
            <p class="quiet">
              {isInPage
                ? 'Use the page: each of its requests appears here, under Now.'
                : `GET /v1/projects as ${you ?? 'a signed-out caller'}. It appears here, under Now.`}
            </p>
          </div>
          {!isInPage && (
            <button type="button" class={you === undefined ? '' : 'main'} onClick={sendFirst}>
              Send it
            </button>
          )}
        </li>
        {!isInPage && (
          <li>
            <div>
              <strong>Connect your front end</strong>
              <p class="quiet">One line in vite.config.ts; other set-ups are in the docs.</p>
              <p class="snippet">
                <code>{proxyLine()}</code>
                <button type="button" onClick={() => copyText(proxyLine(), 'the line')}>
                  Copy
                </button>
              </p>
            </div>
          </li>
        )}
        <li>
          <div>
            <strong>Break it on purpose</strong>
            <p class="quiet">Let the next “create project” fail with 409, and see it in your form.</p>
          </div>
          <button type="button" onClick={() => force('createProject', 'PROJECT_NAME_TAKEN', true)}>
            Force a 409
          </button>
        </li>
      </ol>
      {hasDocs && (
        <p class="quiet">
          <a href="/docs" target="_blank" rel="noreferrer">
            The docs
          </a>{' '}
          have every operation and error.
        </p>
      )}
    </div>
  )
}

/** In place of the details, before there is a request. */
export function WhoYouAre() {
  const { you } = sessions.value ?? {}
  const [totals, setTotals] = useState<string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the data is counted
  useEffect(() => {
    void Promise.all(
      stateKinds.map(async (kind) => {
        const { output } = await call('data', { kind, limit: 1 })
        return `${output?.total ?? 0} ${output?.total === 1 ? kinds[kind].one : kinds[kind].name}`
      }),
    ).then(setTotals)
  }, [dataVersion.value])
  return (
    <>
      <header>
        <h2>{you === undefined ? 'You are signed out' : `You are ${you}`}</h2>
        <p class="quiet">
          {isInPage ? 'The session of the page' : 'The session cookie of this browser'} decides whom the mock
          answers. Sign in as another persona at any time.
        </p>
      </header>
      <h3>Personas</h3>
      <ul class="people">
        {personas.value.slice(0, 12).map(({ id, note, role }) => (
          <li key={id}>
            <Avatar session={id} />
            <b>{id}</b> <span class="quiet">{note ?? role}</span>
            {id === you ? (
              <button type="button" class="ghost" onClick={signOut}>
                Sign out
              </button>
            ) : (
              <button
                type="button"
                class="ghost"
                aria-label={`Sign in as ${id}`}
                onClick={() => bePersona(id)}
              >
                Sign in
              </button>
            )}
          </li>
        ))}
        {personas.value.length > 12 && (
          <li>
            <button type="button" class="link" onClick={openPersonas}>
              All {personas.value.length}
            </button>
          </li>
        )}
      </ul>
      <h3>What is in it</h3>
      <p>
        {totals.join(' · ')}{' '}
        <button type="button" class="link" onClick={() => show('data')}>
          Open the data
        </button>
      </p>
    </>
  )
}
