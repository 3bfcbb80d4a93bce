// The page of the mock.

import { signal } from '@preact/signals'
import { render } from 'preact'
import { CommandBox, openBox } from './command.js'
import { connection, hasDocs, isDocked, isInPage } from './connection.js'
import { Data } from './data.js'
import { DialogPane } from './dialog.js'
import { Handlers, inForce } from './handlers.js'
import { goTo, showKeys } from './keys.js'
import { WhoButton } from './personas.js'
import { openPicker, PickerPane } from './picker.js'
import { Suggestions } from './record-forms.js'
import { isConnected, readAddress, refusal, show, start, type View, view, wordsOfAddress } from './store.js'
import { Timeline } from './timeline.js'
import { copyText, Toasts } from './toasts.js'
import { redo, steps, undo } from './undo.js'

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
        {name === 'handlers' && inForce.value.length > 0 && (
          <span class="count" role="img" aria-label={`${inForce.value.length} in force`}>
            {inForce.value.length}
          </span>
        )}
      </a>
    ))}
  </nav>
)

/** So many chips are shown; the others are in a list. Their place is as wide in the styles. */
const maxChips = signal(3)
const phone = matchMedia('(max-width: 44rem)')
const narrow = matchMedia('(max-width: 76rem)')
const setMaxChips = () => {
  maxChips.value = phone.matches ? 0 : narrow.matches ? 1 : 3
}
addEventListener('resize', setMaxChips)
setMaxChips()

function Chips() {
  const all = inForce.value
  const shown = all.slice(0, maxChips.value)
  const more = all.length - shown.length
  return (
    <section id="in-force" aria-label="In force">
      <ul>
        {shown.map(({ text, short, name, end }) => (
          <li key={text} class="chip" title={text}>
            <span aria-hidden="true" class="text">
              {short || text}
            </span>
            <span class="unseen">{text}</span>
            <button type="button" aria-label={`End ${name || text}`} title="End this" onClick={end}>
              ×
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <button
          type="button"
          class="chip more"
          aria-label={`${more} more in force`}
          onClick={({ currentTarget }) =>
            openPicker({
              label: 'In force',
              anchor: currentTarget,
              choices: () =>
                inForce.value.map(({ text, end }) => ({
                  text,
                  hint: 'end this',
                  run: end,
                })),
            })
          }
        >
          +{more}
        </button>
      )}
    </section>
  )
}

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
          <button type="button" onClick={() => copyText(option)}>
            Copy
          </button>
        </p>
      )}
    </section>
  )
}

function ConnectionState() {
  const isUp = isConnected.value
  const text = refusal.value
    ? 'Refused'
    : isUp === undefined
      ? 'Connecting…'
      : isUp
        ? `Connected to ${connection.name}`
        : 'The mock does not answer. Reconnecting…'
  return (
    <p
      id="connection"
      role="status"
      class={isUp ? 'good' : isUp === undefined ? 'quiet' : 'bad'}
      title={text}
    >
      {text}
    </p>
  )
}

function StepButtons() {
  const { undo: last, redo: next } = steps.value
  return (
    <div class="joined">
      <button
        type="button"
        class="icon"
        aria-label="Undo"
        disabled={last === undefined}
        title={last === undefined ? 'There is nothing to undo' : `Undo: ${last} (u)`}
        onClick={undo}
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
        onClick={redo}
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
      <h1>
        dashboard-api <span class="quiet">mock</span>
      </h1>
      <Tabs />
      <CommandBox />
      <Chips />
      <ConnectionState />
      <StepButtons />
      <WhoButton />
      {hasDocs && (
        <a class="docs" href="/docs" target="_blank" rel="noreferrer">
          Docs
        </a>
      )}
      <button
        type="button"
        class="icon ghost keys-button"
        aria-label="Keys"
        title="Keys (?)"
        onClick={showKeys}
      >
        ?
      </button>
    </header>
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
addEventListener('hashchange', () => readAddress())
const words = wordsOfAddress()
render(<App />, document.body)
if (!location.hash || words !== undefined) show(view.value)
void start().then(() => words !== undefined && openBox(words, true))
