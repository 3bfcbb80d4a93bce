// A list to choose from at a button: menus, personas, outcomes. Typing filters it.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { bestFirst } from '../src/mock/surfaces/box/best-first.js'

export type Choice = {
  text: string
  /** Before the text, in figures: a status. */
  code?: string
  hint?: string
  group?: string
  isChosen?: boolean
  run(isOther: boolean): unknown
}

type Picker = {
  label: string
  anchor: Element
  choices(): Choice[]
  /** Buttons that do not close the list. */
  header?: () => ComponentChildren
  /** The action of Shift and Enter. */
  other?: string
  /** The text if no choice matches. */
  empty?: string
}

const open = signal<Picker | undefined>(undefined)

export function openPicker(picker: Picker): void {
  open.value = picker
}

const isMatch = ({ text, code = '', hint = '', group = '' }: Choice, words: string[]) =>
  words.every((word) => `${code} ${text} ${hint} ${group}`.toLowerCase().includes(word))

export function PickerPane() {
  const picker = open.value
  return picker ? <Pane key={picker.label} {...picker} /> : null
}

function Pane({ label, anchor, choices, header, other, empty = 'Nothing matches.' }: Picker) {
  const pane = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = choices().filter((choice) => isMatch(choice, words))
  // Matches in names come before matches in notes.
  const all =
    words.length === 0
      ? matching
      : bestFirst(matching, ({ text, code = '' }) => `${code} ${text}`.trim(), words)
  const initial = Math.max(0, words.length > 0 ? 0 : all.findIndex(({ isChosen }) => isChosen))
  const [moved, setMoved] = useState<number | undefined>(undefined)
  const at = Math.min(moved ?? initial, all.length - 1)
  const returnTo = useRef(document.activeElement)

  const close = () => {
    open.value = undefined
    const { current } = returnTo
    if (current instanceof HTMLElement && current.isConnected) current.focus()
  }
  const choose = (choice: Choice | undefined, isOther: boolean) => {
    if (!choice) return
    close()
    void choice.run(isOther)
  }
  useLayoutEffect(() => {
    const { current } = pane
    if (!current) return undefined
    current.showPopover()
    // Again when it grows: what it lists may come later.
    const observer = new ResizeObserver(() => place(current, anchor.getBoundingClientRect()))
    observer.observe(current)
    place(current, anchor.getBoundingClientRect())
    current.querySelector('input')?.focus()
    current.onbeforetoggle = (event) => {
      if ((event as ToggleEvent).newState === 'closed' && open.value?.anchor === anchor)
        open.value = undefined
    }
    return () => observer.disconnect()
  }, [anchor])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is selected with each of them
  useEffect(() => {
    pane.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, text])

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const moves: Record<string, number> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      ...(text === '' && { Home: 0, End: all.length - 1 }),
    }
    const next = moves[event.key]
    if (next !== undefined) setMoved(next)
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement)
      choose(all[at], event.shiftKey)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  return (
    <div ref={pane} class="picker" popover="auto" role="dialog" aria-label={label} onKeyDown={onKeyDown}>
      <input
        type="text"
        role="combobox"
        aria-label={`Find in ${label}`}
        aria-expanded="true"
        aria-controls="picker-list"
        aria-activedescendant={all.length > 0 ? `choice-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={label}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setMoved(undefined)
        }}
      />
      {header && <div class="picker-header">{header()}</div>}
      <ul id="picker-list" role="listbox" aria-label={label}>
        {all.map((choice, i) => [
          choice.group && choice.group !== all[i - 1]?.group && (
            <li key={`group ${choice.group}`} role="presentation" class="group-title">
              {choice.group}
            </li>
          ),
          <li
            key={`${choice.group} ${choice.code} ${choice.text}`}
            id={`choice-${i}`}
            role="option"
            aria-selected={i === at}
            class={choice.isChosen ? 'chosen' : undefined}
            onClick={(event) => choose(choice, event.shiftKey)}
            onPointerMove={() => i !== at && setMoved(i)}
          >
            {choice.code !== undefined && <b class="status">{choice.code} </b>}
            <span>{choice.text}</span>
            {choice.hint && <small class="quiet"> {choice.hint}</small>}
          </li>,
        ])}
      </ul>
      {all.length === 0 && <p class="quiet empty">{empty}</p>}
      {other && <p class="quiet picker-footer">{other}</p>}
    </div>
  )
}

/** Below the anchor or above it, within the window; over the whole height where it would be cut. */
function place(pane: HTMLElement, { top, bottom, right }: DOMRect): void {
  const { width, height } = pane.getBoundingClientRect()
  const wanted = Math.min(height, innerHeight - 8)
  const below = innerHeight - bottom - 8
  const start = wanted <= below ? bottom + 4 : wanted <= top - 8 ? top - wanted - 4 : innerHeight - wanted - 4
  pane.style.left = `${Math.max(4, Math.min(right - width, innerWidth - width - 8))}px`
  pane.style.top = `${Math.max(4, start)}px`
  pane.style.maxHeight = `${innerHeight - 8}px`
}
