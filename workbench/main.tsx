// The page of the mock.

import { render } from 'preact'
import { CommandBox, openBox } from './command.js'
import { connection, isDocked, isInPage } from './connection.js'
import { Data } from './data.js'
import { DialogPane } from './dialog.js'
import { Handlers } from './handlers.js'
import { goTo, showKeys } from './keys.js'
import { unusual } from './next.js'
import { redo, redoTitle, undo, undoTitle } from './perform.js'
import { WhoButton } from './personas.js'
import { PickerPane } from './picker.js'
import { Suggestions } from './record-forms.js'
import { acceptFiles, SpaceButton } from './state-menu.js'
import { isConnected, readAddress, refusal, show, start, type View, view, wordsOfAddress } from './store.js'
import { Timeline } from './timeline.js'
import { copyText, Toasts } from './toasts.js'

const titles: Record<View, string> = { timeline: 'Timeline', data: 'Data', handlers: 'Handlers' }

const Tabs = () => (
  <nav id="views" aria-label="Views">
    {(Object.keys(titles) as View[]).map((name, i) => (
      <a
        key={name}
        href={`#${name}`}
        aria-current={view.value === name ? 'page' : undefined}
        title={`${titles[name]} (${i + 1})`}
        onClick={(event) => {
          event.preventDefault()
          goTo(name)
        }}
      >
        {titles[name]}
        {name === 'handlers' && unusual.value.length > 0 && (
          <span class="count" role="img" aria-label={`${unusual.value.length} in force`}>
            {unusual.value.length}
          </span>
        )}
      </a>
    ))}
  </nav>
)

/** Shown in place of every view: why the mock refuses this page, and the option that lets it in. */
function Refused() {
  const option = /--[\w-]+ [\w.:/-]*\w/.exec(refusal.value)?.[0]
  return (
    <section class="view empty refused" aria-label="Refused">
      <p>
        <strong>The mock refuses this page.</strong>
      </p>
      <p>{refusal.value}</p>
      {option && (
        <p class="option">
          <code>{option}</code>
          <button type="button" onClick={() => copyText(option, 'the option')}>
            Copy
          </button>
        </p>
      )}
    </section>
  )
}

/** The mark, the name of the mock, and whether it answers. */
function Where() {
  const isUp = isConnected.value
  const space = connection.space?.get()
  const text = refusal.value
    ? 'Refused'
    : isUp === undefined
      ? 'Connecting…'
      : isUp
        ? `Connected to ${connection.name}${space ? `, space ${space}` : ''}`
        : 'The mock does not answer'
  return (
    <h1 id="where" title={text}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <rect width="16" height="16" rx="4" />
        <path d="M5 3v10M9 5h4M9 11h3" />
      </svg>
      <span>
        dashboard-api
        <small id="connection" role="status" class={isUp ? 'good' : isUp === undefined ? 'quiet' : 'bad'}>
          <span class="unseen">{text}</span>
          <span aria-hidden="true">{connection.name}</span>
        </small>
      </span>
    </h1>
  )
}

const startCommand = () => {
  const { port = '' } = connection.address ? new URL(connection.address) : {}
  return `npx dashboard-api dev${port === '4010' ? '' : ` --port ${port}`}`
}

/** While the mock is stopped: the views show the last known state. */
function Stopped() {
  if (isConnected.value !== false || refusal.value) return null
  return (
    <p class="banner" role="alert">
      <b>The mock does not answer.</b>{' '}
      {isInPage ? (
        'Its page has ended the connection: it was left, or has removed the launcher.'
      ) : location.pathname === '/' ? (
        <>
          If it has ended, start it again: <code>{startCommand()}</code>{' '}
          <button type="button" onClick={() => copyText(startCommand(), 'the command')}>
            Copy
          </button>
        </>
      ) : (
        'Look at the server of this page.'
      )}{' '}
      <span class="quiet">What you see is from before. This page reconnects by itself.</span>
    </p>
  )
}

function StepButtons() {
  const [last, next] = [undoTitle(), redoTitle()]
  return (
    <div class="joined">
      <button
        type="button"
        class="icon"
        aria-label="Undo"
        disabled={last === undefined}
        title={last === undefined ? 'There is nothing to undo' : `Undo: ${last} (u)`}
        onClick={() => undo()}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M6 3 2.5 6.5 6 10M3 6.5h6.5a3.75 3.75 0 0 1 0 7.5H7" />
        </svg>
      </button>
      <button
        type="button"
        class="icon"
        aria-label="Redo"
        disabled={next === undefined}
        title={next === undefined ? 'There is nothing to redo' : `Redo: ${next} (y)`}
        onClick={() => redo()}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m10 3 3.5 3.5L10 10m3-3.5H6.5a3.75 3.75 0 0 0 0 7.5H9" />
        </svg>
      </button>
    </div>
  )
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234a4fd0'/%3E%3Cpath d='M5 3v10' stroke='%23fff' stroke-width='1.5'/%3E%3Ccircle cx='5' cy='5' r='1.8' fill='%23fff'/%3E%3Ccircle cx='5' cy='11' r='1.8' fill='%23fff'/%3E%3Cpath d='M9 5h4M9 11h3' stroke='%23fff' stroke-width='1.5' stroke-linecap='round'/%3E%3C/svg%3E"

const App = () => (
  <>
    <header id="top">
      <Where />
      <Tabs />
      <CommandBox />
      <SpaceButton />
      <div class="end">
        <StepButtons />
        <WhoButton />
        <button
          type="button"
          class="icon ghost keys-button"
          aria-label="Keys"
          title="Keys (?)"
          onClick={showKeys}
        >
          ?
        </button>
      </div>
    </header>
    <Stopped />
    <main>
      {refusal.value ? (
        <Refused />
      ) : view.value === 'timeline' ? (
        <Timeline />
      ) : view.value === 'data' ? (
        <Data />
      ) : (
        <Handlers />
      )}
    </main>
    <Suggestions />
    <Toasts />
    <PickerPane />
    <DialogPane />
  </>
)

document.body.classList.toggle('docked', isDocked)
// The policy of a page that it is docked to may not allow it.
if (!isDocked)
  document.head.append(Object.assign(document.createElement('link'), { rel: 'icon', href: icon }))
document.title = isInPage ? 'Mock in the page · dashboard-api' : `Mock ${location.host} · dashboard-api`
readAddress()
acceptFiles()
addEventListener('popstate', () => readAddress())
const words = wordsOfAddress()
render(<App />, document.body)
if (!location.hash || words !== undefined) show(view.value)
void start().then(() => words !== undefined && openBox(words, true))
