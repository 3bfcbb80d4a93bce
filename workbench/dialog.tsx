// One dialog for every form and every question, and fields that show their faults.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Fault } from './connection.js'

type Dialog = {
  title: string
  /** The action of the button; without it, the dialog can only be closed. */
  submit?: string
  isDestructive?: boolean
  content: ComponentChildren
  /** Returns an error, or true to close the dialog. */
  onSubmit?(): Promise<string | true> | string | true
}

const open = signal<Dialog | undefined>(undefined)
let count = 0
export function openDialog(dialog: Dialog): void {
  count += 1
  open.value = dialog
}
export const closeDialog = (): void => {
  open.value = undefined
}

export function DialogPane() {
  const dialog = open.value
  return dialog ? <Pane key={count} {...dialog} /> : null
}

function Pane({ title, submit, isDestructive, content, onSubmit }: Dialog) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [fault, setFault] = useState('')
  useLayoutEffect(() => element.current?.showModal(), [])
  return (
    <dialog ref={element} aria-labelledby={titleId} onClose={closeDialog}>
      <form
        noValidate
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
        onSubmit={async (event) => {
          event.preventDefault()
          const result = (await onSubmit?.()) ?? true
          if (result === true) element.current?.close()
          else setFault(result)
        }}
      >
        <h2 id={titleId}>{title}</h2>
        {content}
        <p class="fault" role="alert">
          {fault}
        </p>
        <div class="bar end">
          <button type="button" onClick={() => element.current?.close()}>
            {submit ? 'Cancel' : 'Close'}
          </button>
          {submit && (
            <button type="submit" class={isDestructive ? 'main danger' : 'main'}>
              {submit}
            </button>
          )}
        </div>
      </form>
    </dialog>
  )
}

/** A text that is being entered, with its fault. */
export type Draft = ReturnType<typeof draft>
export const draft = (initial = '') => {
  const text = signal(initial)
  const fault = signal('')
  return {
    text,
    fault,
    initial,
    set(value: string) {
      text.value = value
      fault.value = ''
    },
  }
}

type FieldProps = {
  label: string
  draft: Draft
  hint?: string
  placeholder?: string
  list?: string
  isReadOnly?: boolean
  /** How many lines it has, if it is a text; it grows. */
  rows?: number
  isNumber?: boolean
}

export function Field({ label, draft, hint = '', rows, isNumber, isReadOnly, ...more }: FieldProps) {
  const id = useId()
  const common = {
    id,
    value: draft.text.value,
    readOnly: isReadOnly,
    'aria-describedby': `${id}h ${id}f`,
    'aria-invalid': draft.fault.value ? true : undefined,
    autocomplete: 'off',
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      draft.set(currentTarget.value),
    ...more,
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input type="text" inputMode={isNumber ? 'numeric' : undefined} {...common} />
      ) : (
        <textarea rows={rows} spellcheck={false} {...common} />
      )}
      <small id={`${id}h`} class="quiet">
        {hint}
      </small>
      <small id={`${id}f`} class="fault" role="alert">
        {draft.fault.value}
      </small>
    </div>
  )
}

type SelectProps = { label: string; draft: Draft; options: (readonly [value: string, text?: string])[] }
export function Select({ label, draft, options }: SelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} onChange={({ currentTarget }) => draft.set(currentTarget.value)}>
        {options.map(([value, text = value]) => (
          <option key={value} value={value} selected={value === draft.text.value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A validator's message, in the words of a form. */
export const plainReason = (reason: string): string =>
  /received (undefined|null)|expected string to have >=1|Too small/.test(reason) ? 'Enter a value.' : reason

/** The name of the field that a fault is about: `projects[3].teamId` is about `teamId`. */
const fieldOfFault = (path: string) => /(?:^|\.)([A-Za-z]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? ''

/** Shows each fault at its field, and returns those of no field. */
export function showFaults(drafts: Map<string, Draft>, error: string, faults: Fault[] = []): string {
  const found = faults.filter(({ path }) => drafts.has(fieldOfFault(path)))
  for (const { path, reason } of found) {
    const draft = drafts.get(fieldOfFault(path))
    if (draft) draft.fault.value = plainReason(reason)
  }
  // A fault is not repeated for a value that derives from the field, such as the id of a user that has the persona's name.
  const others = faults.filter((fault) => !found.some(({ reason }) => reason === fault.reason))
  return faults.length > 0 ? others.map(({ path, reason }) => `${path}: ${reason}`).join('\n') : error
}
