// Messages that go by themselves, with a button that takes back the reported change.

import { effect, signal } from '@preact/signals'
import type { ControlName, ControlOutput } from '../src/mock/controls/control-endpoints.js'
import { call, type Input } from './connection.js'
import { isConnected } from './store.js'

/** The button of a message. */
type Action = { label: string; run(): unknown }
type Toast = { id: number; text: string; action?: Action; isOver?: () => boolean }

const shown = signal<Toast | undefined>(undefined)
let lastId = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** @param isOver whether the message is no longer true, which signals tell */
export function toast(text: string, action?: Action, isOver?: () => boolean): void {
  lastId += 1
  shown.value = { id: lastId, text, action, isOver }
  clearTimeout(timer)
  timer = setTimeout(hide, action ? 12_000 : 8_000)
}

export const hide = (): void => {
  shown.value = undefined
}

/** Shows the error of a control, unless the mock is stopped: then the banner says so. */
export function showError(error: string): void {
  if (isConnected.value !== false) toast(error)
}

effect(() => {
  if (shown.value?.isOver?.()) hide()
})

// What was said of a mock that did not answer is over when it does.
effect(() => {
  if (isConnected.value) hide()
})

/** Reads by a control. If it fails, shows the error and returns undefined. */
export async function control<Name extends ControlName>(
  name: Name,
  ...input: Input<Name>
): Promise<ControlOutput<Name> | undefined> {
  const answer = await call(name, ...input)
  if (answer.error !== undefined) showError(answer.error)
  return answer.output
}

/** @param what the copied text, for the message: `the request as curl` */
export async function copyText(text: string, what: string): Promise<void> {
  const notCopied = `Not copied: ${what}.`
  const fault = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(
        () => '',
        (error) => `${notCopied} ${error.message}`,
      )
    : copyBySelection(text)
      ? ''
      : notCopied
  toast(fault || `Copied ${what}.`)
}

/** A page at a LAN address over http has no clipboard. */
function copyBySelection(text: string): boolean {
  const area = Object.assign(document.createElement('textarea'), { value: text })
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

/** Saves a text as a file of the browser. */
export function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  URL.revokeObjectURL(href)
}

export function Toasts() {
  const toast = shown.value
  return (
    <div id="toasts" role="status">
      {toast && (
        <p key={toast.id} class="toast">
          <span>{toast.text}</span>
          {toast.action && (
            <button
              type="button"
              onClick={() => {
                hide()
                void toast.action?.run()
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button type="button" class="icon ghost" aria-label="Dismiss" onClick={hide}>
            ×
          </button>
        </p>
      )}
    </div>
  )
}
