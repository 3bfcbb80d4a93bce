// Messages that go by themselves, with a button that takes back the reported change.

import { effect, signal } from '@preact/signals'
import type { ControlName, ControlOutput } from '../src/mock/controls/control-endpoints.js'
import type { ControlInput } from '../src/mock/controls/control-table.js'
import { call } from './connection.js'
import { isConnected } from './store.js'

type Toast = { id: number; text: string; undo?: () => unknown }

const shown = signal<Toast | undefined>(undefined)
let lastId = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** @param undo takes back the reported change */
export function toast(text: string, undo?: () => unknown): void {
  lastId += 1
  shown.value = { id: lastId, text, undo }
  clearTimeout(timer)
  timer = setTimeout(hide, undo ? 12_000 : 8_000)
}

export const hide = (): void => {
  shown.value = undefined
}

/** Shows the error of a control, unless the mock is stopped: then the banner says so. */
export function showError(error: string): void {
  if (isConnected.value !== false) toast(error)
}

// What was said of a mock that did not answer is over when it does.
effect(() => {
  if (isConnected.value) hide()
})

/** Calls a control. If it fails, shows the error and returns undefined. */
export async function control<Name extends ControlName>(
  name: Name,
  ...input: Record<string, never> extends ControlInput<Name> ? [ControlInput<Name>?] : [ControlInput<Name>]
): Promise<ControlOutput<Name> | undefined> {
  const answer = await call(name, ...input)
  if (answer.error !== undefined) showError(answer.error)
  return answer.output
}

/** @param what the copied text, for the message: `the request as curl` */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(`Copied ${what}.`)
  } catch {
    toast('The browser does not allow this page to copy.')
  }
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
          {toast.undo && (
            <button
              type="button"
              onClick={() => {
                hide()
                void toast.undo?.()
              }}
            >
              Undo
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
