// The form in which a request is edited before it is sent again.

import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { LogDetails } from '../src/mock/log/log-details.js'
import { signedOut } from '../src/mock/state/limit-words.js'
import { call } from './connection.js'
import { type Draft, draft, Field, Select } from './dialog.js'
import { indented } from './json-tree.js'
import { personas, pinned, select } from './store.js'

/** Requests that are being edited, by their ids: they stay so until they are sent. */
export const drafts = signal<ReadonlyMap<number, Form>>(new Map())
type Form = { method: Draft; path: Draft; session: Draft; body: Draft; isOpen: boolean; fault: string }

/** The request whose form is being opened: the form takes the focus. */
let opened: number | undefined

const setForm = (id: number, form: Form | undefined) => {
  const next = new Map(drafts.value)
  if (form) next.set(id, form)
  else next.delete(id)
  drafts.value = next
}

/** Opens or closes the form of a request. */
export function toggleForm({ id, method, path, session, request }: LogDetails): void {
  const form = drafts.value.get(id)
  if (form) {
    opened = form.isOpen ? undefined : id
    setForm(id, { ...form, isOpen: !form.isOpen })
    return
  }
  select(id)
  opened = id
  setForm(id, {
    method: draft(method),
    path: draft(path),
    session: draft(session ?? ''),
    body: draft(indented(request.body?.text ?? '')),
    isOpen: true,
    fault: '',
  })
}

/** Sends a request again, as it was or edited, and shows the new one, whatever is searched for. */
export async function send(id: number, edit: Record<string, unknown> = {}): Promise<string | undefined> {
  const { output, error } = await call('sendAgain', { id, ...edit } as { id: number })
  if (error !== undefined) return error
  pinned.value = new Set([...pinned.value, output.id])
  select(output.id)
  return undefined
}

export function SendForm({ entry, form }: { entry: LogDetails; form: Form }) {
  const { id, session, request } = entry
  const { method, path, session: caller, body } = form
  const element = useRef<HTMLFormElement>(null)
  // A form that is open already does not take the focus from the list when its request is selected.
  useLayoutEffect(() => {
    if (opened === id) element.current?.querySelector('textarea')?.focus()
    opened = undefined
  }, [id])
  const methods = [...new Set([entry.method, 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])]
  const callers = [...new Set([session ?? '', ...personas.value.slice(0, 100).map((each) => each.id), ''])]
  const submit = async () => {
    const error = await send(id, {
      method: method.text.value,
      path: path.text.value,
      // Its line breaks are not those of a form.
      ...(body.text.value !== body.initial && { body: body.text.value }),
      // The session as it was, such as an expired one, unless another is chosen.
      ...(caller.text.value !== (session ?? '') && { session: caller.text.value || null }),
    })
    if (error === undefined) setForm(id, undefined)
    else setForm(id, { ...form, fault: error })
  }
  return (
    <form
      ref={element}
      class="send"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
        else if (event.key === 'Escape') setForm(id, { ...form, isOpen: false })
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <Select label="Method" draft={method} options={methods.map((name) => [name])} />
      <Field label="Path" draft={path} />
      <Select label="As" draft={caller} options={callers.map((name) => [name, name || signedOut])} />
      <Field
        label="Body"
        draft={body}
        rows={Math.min(14, Math.max(3, (request.body?.text ?? '').split('\n').length))}
      />
      <p class="fault" role="alert">
        {form.fault}
      </p>
      <button type="submit" class="main" title="Ctrl+Enter">
        Send
      </button>
    </form>
  )
}
