// Keys. One letter is a key of the view that is shown, never in a field and never in the table of the data.

import { openBox } from './command.js'
import { hasDocs } from './connection.js'
import {
  copyCurl,
  editRequest,
  rewindBefore,
  sendAgain,
  sendAs,
  showAllOutcomes,
  showOutcomes,
} from './details.js'
import { openDialog } from './dialog.js'
import { redo, undo } from './perform.js'
import { openPersonas } from './personas.js'
import { show, type View, view } from './store.js'
import { focusList, selectFailed, step } from './timeline.js'

export function goTo(name: View): void {
  const { activeElement } = document
  show(name)
  requestAnimationFrame(() => {
    // Who went on to a field meanwhile stays there.
    if (document.activeElement !== activeElement && document.activeElement !== document.body) return
    const id = { timeline: 'log', data: 'data', handlers: 'handlers' }[name]
    document.getElementById(id)?.focus()
  })
}

type Keys = Record<string, [text: string, run: () => unknown]>

const everywhere: Keys = {
  1: ['the timeline', () => goTo('timeline')],
  2: ['the data', () => goTo('data')],
  3: ['the handlers', () => goTo('handlers')],
  '/': ['the box: search, force, switch persona, go back', () => openBox()],
  p: ['the personas', openPersonas],
  u: ['undo the last change', () => undo()],
  y: ['redo what was undone', () => redo()],
  '?': ['these keys', () => showKeys()],
}

const ofTimeline: Keys = {
  j: [
    'the next request',
    () => {
      step('ArrowDown')
      focusList()
    },
  ],
  k: [
    'the previous request',
    () => {
      step('ArrowUp')
      focusList()
    },
  ],
  x: ['the newest request that failed', selectFailed],
  f: ['force an outcome of the selected request', showOutcomes],
  F: ['force an outcome of any operation', showAllOutcomes],
  a: ['send the selected request again', sendAgain],
  s: ['send it as another persona', sendAs],
  e: ['edit and send it', editRequest],
  c: ['copy it as curl', copyCurl],
  b: ['go back to before the selected request', rewindBefore],
  n: ['the bar Now: arrows move it, Enter lets go', () => document.getElementById('now')?.focus()],
}

const storageKey = 'keys'
const areOff = () => {
  try {
    return localStorage.getItem(storageKey) === 'off'
  } catch {
    return false
  }
}

function KeyList({ keys }: { keys: [string, string][] }) {
  return (
    <dl class="keys">
      {keys.map(([key, text]) => (
        <>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{text}</dd>
        </>
      ))}
    </dl>
  )
}

export function showKeys(): void {
  const list = (keys: Keys) => Object.entries(keys).map(([key, [text]]): [string, string] => [key, text])
  openDialog({
    title: 'Keys',
    content: (
      <>
        <KeyList
          keys={[
            ...list(everywhere),
            ['Ctrl+K', 'the box'],
            ['Ctrl+Z', 'undo, also in the table of the data'],
          ]}
        />
        <h3>In the timeline</h3>
        <KeyList keys={[...list(ofTimeline), ['Enter', 'go to the details']]} />
        <h3>In the data</h3>
        <KeyList
          keys={[
            ['Arrows, Home, End, Page', 'move'],
            ['Enter, F2', 'edit a cell; a letter begins with that letter'],
            ['Ctrl+Enter', 'save; Escape leaves it as it was'],
            ['Tab', 'save, and go on to the next cell'],
            ['Delete, Backspace', 'edit a cell from an empty text'],
            ['Escape', 'leave the table: the keys of the page work again'],
          ]}
        />
        {hasDocs && (
          <p>
            <a href="/docs" target="_blank" rel="noreferrer">
              Docs
            </a>
            : the interface that the mock has, and what each of its errors means.
          </p>
        )}
        <label class="switch">
          <input
            type="checkbox"
            defaultChecked={!areOff()}
            onChange={({ currentTarget }) => {
              localStorage.setItem(storageKey, currentTarget.checked ? 'on' : 'off')
            }}
          />
          Single letters are keys of this page
        </label>
      </>
    ),
  })
}

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
  if (!(target instanceof Element)) return undefined
  const isTyping = target.matches('input:not([type=checkbox]), select, textarea')
  if ((ctrlKey || metaKey) && !altKey) {
    if (key.toLowerCase() === 'k') {
      event.preventDefault()
      return openBox()
    }
    if (isTyping || target.closest('dialog')) return undefined
    const isUndo = key.toLowerCase() === 'z' && !shiftKey
    const isRedo = key.toLowerCase() === 'y' || (key.toLowerCase() === 'z' && shiftKey)
    if (!isUndo && !isRedo) return undefined
    event.preventDefault()
    return isUndo ? undo() : redo()
  }
  if (isTyping || altKey || areOff() || target.closest('dialog, [popover], #grid')) return undefined
  const found = everywhere[key] ?? (view.value === 'timeline' ? ofTimeline[key] : undefined)
  if (!found) return undefined
  event.preventDefault()
  return found[1]()
})
