// The one box: it understands the words of the command line, finds everything, and says what Enter does before it does it.

import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { suggest } from '../src/mock/surfaces/box/command-box.js'
import { type FoundRecord, foundRecord } from '../src/mock/surfaces/box/found-record.js'
import { recordWord } from '../src/mock/surfaces/box/sentence.js'
import type { BoxContext, Suggestion } from '../src/mock/surfaces/box/suggestion.js'
import { shellQuote } from '../src/pages/shell-quote.js'
import { call, connection, isInPage } from './connection.js'
import { showRecord } from './data.js'
import { showHandler } from './handlers.js'
import { showRequest } from './items.js'
import { perform } from './perform.js'
import { bePersona, signOut } from './personas.js'
import { stateKinds } from './state-kinds.js'
import { goToSpace } from './state-menu.js'
import {
  debounce,
  entries,
  history,
  named,
  personas,
  pinned,
  refresh,
  scenarios,
  search,
  select,
  selected,
  sessions,
  show,
  snapshots,
  targets,
  view,
} from './store.js'
import { copyText, download, showError } from './toasts.js'

const text = signal('')
const isOpen = signal(false)
/** The selected suggestion. While nothing is typed, none is, so that Enter does nothing. */
const at = signal(0)
const first = () => (text.value.trim() === '' ? -1 : 0)
/** Records that match what is typed, which the mock has found. */
const records = signal<FoundRecord[]>([])
/** Whether the mock still looks for records: until then, nothing is said to be impossible. */
const isSearching = signal(false)
/** Whether Enter was pressed meanwhile. */
let isChosen = false

const suggestions = computed<Suggestion[]>(() => {
  if (!isOpen.value) return []
  const context: BoxContext = {
    targets: targets.value,
    personas: personas.value,
    you: sessions.value?.you,
    entries: entries.value ?? [],
    scenarios: scenarios.value,
    named: named.value,
    snapshots: snapshots.value,
    records: records.value,
    history: history.value,
    space: connection.space?.get(),
    isInPage,
    selected: view.value === 'timeline' ? selected.value : undefined,
  }
  const all = suggest(text.value, context).slice(0, 14)
  return isSearching.value && all.every(({ action }) => !action) ? [] : all
})

/** The records of all kinds with a word of what is typed. */
const findRecords = debounce(async () => {
  const word = recordWord(text.value)
  if (word === undefined) return showFound([])
  const found = await Promise.all(
    stateKinds.map(async (kind) => {
      const { output } = await call('data', { kind, search: word, limit: kind === 'projects' ? 50 : 10 })
      return (output?.records ?? []).map((record) => foundRecord(kind, record))
    }),
  )
  if (recordWord(text.value) === word) showFound(found.flat())
}, 80)

function showFound(found: FoundRecord[]): void {
  records.value = found
  isSearching.value = false
  if (isChosen) choose(suggestions.value[0])
  isChosen = false
}

async function run(suggestion: Suggestion): Promise<void> {
  const { action, text: done } = suggestion
  if (!action) return
  if ('show' in action) {
    if (action.show === 'request') showRequest(action.id)
    else if (action.show === 'handler') showHandler(action.target)
    else await showRecord(action.record, action.field)
    return
  }
  if ('page' in action) {
    if (action.page === 'copy')
      return copyText(commandOf(suggestion) ?? `npx dashboard-api ${done}`, 'the command')
    if (action.page === 'space') return goToSpace(action.name)
    const { output, error } = await call(action.from)
    if (error !== undefined) return showError(error)
    return download(
      action.name,
      action.from === 'exportHandlers' ? (output as { text: string }).text : JSON.stringify(output, null, 2),
    )
  }
  const { control, input } = action
  if (control === 'useSession') return input.id === null ? signOut() : bePersona(String(input.id))
  if (control !== 'sendAgain') return void perform(control, input as never)
  const { output, error } = await call('sendAgain', input as never)
  if (error !== undefined) return showError(error)
  await refresh()
  pinned.value = new Set([...pinned.value, output.id])
  show('timeline')
  select(output.id)
}

/** Whether another page has filled in the words. */
const isFilled = signal(false)

/** @param isFromLink whether the words are those of the address */
export function openBox(initial = '', isFromLink = false): void {
  const input = document.getElementById('command')
  if (!(input instanceof HTMLInputElement)) return
  text.value = initial
  isFilled.value = isFromLink
  input.focus()
  input.select()
}

function close(): void {
  isOpen.value = false
  text.value = ''
  records.value = []
  isSearching.value = false
  isChosen = false
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && activeElement.id === 'command') {
    activeElement.blur()
    document.querySelector<HTMLElement>('#log, #data, #handlers')?.focus()
  }
}

function choose(suggestion: Suggestion | undefined): void {
  // One that is not possible stays, with its words.
  if (!suggestion?.action) return
  close()
  void run(suggestion)
}

/** The command of the suggestion, as a shell of this machine runs it. */
function commandOf({ command }: Suggestion): string | undefined {
  const { address } = connection
  if (command === undefined || address === undefined) return undefined
  const isUsual = /^http:\/\/(127\.0\.0\.1|localhost):4010$/.test(address)
  const space = /^mock space /.test(command) ? undefined : connection.space?.get()
  return [
    `npx dashboard-api ${command}`,
    !isUsual && `--url ${shellQuote(address)}`,
    space && `--space ${shellQuote(space)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** A text with the words that were typed marked. */
function Marked({ value }: { value: string }) {
  const words = text.value.split(/\s+/).filter((word) => word.length > 1)
  if (words.length === 0) return <>{value}</>
  const pattern = new RegExp(
    `(${words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`,
    'gi',
  )
  return (
    <>
      {value.split(pattern).map((part, i) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
        i % 2 === 1 ? <mark key={i}>{part}</mark> : part,
      )}
    </>
  )
}

export function CommandBox() {
  const list = suggestions.value
  const current = Math.min(at.value, list.length - 1)
  const chosen = list[current]
  const command = chosen && commandOf(chosen)
  const pane = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is selected with each
  useEffect(() => {
    pane.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const { key, shiftKey, ctrlKey, metaKey } = event
    if (key === 'ArrowDown') at.value = (current + 1) % Math.max(1, list.length)
    else if (key === 'ArrowUp') at.value = current > 0 ? current - 1 : list.length - 1
    else if (key === 'Enter') {
      // The alternative comes right after.
      const next = shiftKey && list[current + 1]?.group === chosen?.group ? list[current + 1] : chosen
      if (next) choose(next)
      else isChosen = isSearching.value
    } else if (key === 'Escape') close()
    else if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') openBox(text.value, isFilled.value)
    else return
    event.preventDefault()
  }
  return (
    <div class={isOpen.value ? 'box open' : 'box'}>
      <input
        id="command"
        type="text"
        role="combobox"
        aria-label="Command"
        aria-expanded={isOpen.value && list.length > 0}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant={isOpen.value && chosen ? `suggestion-${current}` : undefined}
        placeholder="Search, force, switch persona, go back…"
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onFocus={() => {
          isOpen.value = true
          at.value = first()
        }}
        onBlur={() => {
          isOpen.value = false
        }}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
          isFilled.value = false
          isSearching.value = true
          isChosen = false
          isOpen.value = true
          at.value = first()
          findRecords()
        }}
        onKeyDown={onKeyDown}
      />
      <span class="key" aria-hidden="true">
        {/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}
      </span>
      {isOpen.value && (
        <div ref={pane} class="suggestions" onPointerDown={(event) => event.preventDefault()}>
          {isFilled.value && (
            <p class="filled" role="status">
              A page has filled in this command. <strong>Enter runs it</strong>, Escape does not.
            </p>
          )}
          <ul id="suggestions" role="listbox" aria-label="What it does">
            {list.map((suggestion, i) => [
              suggestion.group !== list[i - 1]?.group && (
                <li key={`before ${suggestion.text}`} role="presentation" class="group-title">
                  {suggestion.group}
                </li>
              ),
              <li
                key={JSON.stringify(suggestion.action ?? suggestion.text)}
                id={`suggestion-${i}`}
                role="option"
                aria-selected={i === current}
                aria-disabled={suggestion.action ? undefined : true}
                onClick={() => choose(suggestion)}
                onPointerMove={() => {
                  at.value = i
                }}
              >
                <span class="text">
                  <Marked value={suggestion.text} />
                </span>
                {suggestion.hint && <small class="quiet">{suggestion.hint}</small>}
                {i === current && suggestion.action && (
                  <span class="key" aria-hidden="true">
                    Enter
                  </span>
                )}
              </li>,
            ])}
          </ul>
          {list.length === 0 && !isSearching.value && (
            <p class="quiet empty">
              Nothing is called this. Try <code>409 create once</code>, <code>be viewer</code>,{' '}
              <code>before 17</code>, <code>delay 300 list</code> or <code>empty</code>.
            </p>
          )}
          {command && (
            <p class="as-command">
              <span class="quiet">$</span> <code>{command}</code>
              <button type="button" tabIndex={-1} onClick={() => copyText(command, 'the command')}>
                Copy
              </button>
            </p>
          )}
          <p class="quiet keys-hint">
            Arrows move · Enter does it · Shift+Enter the next one · Esc closes
            {text.value.trim() !== '' && view.value === 'timeline' && (
              <button
                type="button"
                class="link"
                tabIndex={-1}
                onClick={() => {
                  search.value = text.value
                  close()
                }}
              >
                filter the timeline
              </button>
            )}
          </p>
        </div>
      )}
    </div>
  )
}
