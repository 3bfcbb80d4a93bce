// The right side of the timeline: the request that is selected, or the team's projects at the moment of the bar.

import { effect, signal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { errorDocsPath, errors } from '../src/contract/errors.js'
import type { LogDetails } from '../src/mock/log/log-details.js'
import type { LogEntry } from '../src/mock/log/log-entry.js'
import type { LoggedMessage } from '../src/mock/log/logged-exchange.js'
import type { RecordChange } from '../src/store/memory/record-changes.js'
import { call, isInPage } from './connection.js'
import { type Draft, draft, Field, Select } from './dialog.js'
import { ForcedBadge, nameOf, Outcome, timeOf } from './entry-text.js'
import { indented, JsonTree, readJson } from './json-tree.js'
import { shownTime } from './kinds.js'
import { difference, goBack, isUndone, momentText, preview } from './moment.js'
import { editResponse, openOutcomes, presetOf } from './outcome-forms.js'
import { openPicker } from './picker.js'
import { entries, follows, personas, pinned, select, selected, selectedId, sessions } from './store.js'
import { copyText, toast } from './toasts.js'

/** The entry that is shown, as the mock has it. */
const stored = signal<LogDetails | undefined>(undefined)
/** The request that is selected: the stream of the log may bring one that was just sent after its details. */
const current = (): LogEntry | undefined =>
  selected.value ?? (stored.value?.id === selectedId.value ? stored.value : undefined)
/** Which parts are open: the same for each entry. */
const areHeadersOpen = signal(false)
const isRaw = signal(false)

effect(() => {
  const id = selectedId.value
  if (id === undefined) {
    stored.value = undefined
    return undefined
  }
  // While requests arrive one after the other, the last of them is read.
  const wait = follows.peek() && stored.peek() ? 120 : 0
  const timer = setTimeout(() => read(id), wait)
  return () => clearTimeout(timer)
})

function read(id: number): void {
  void call('logEntry', { id }).then(({ output, error }) => {
    if (selectedId.peek() !== id) return
    stored.value = output
    // It may have been dropped, or the log is of another mock.
    if (error !== undefined && entries.peek()?.some((entry) => entry.id === id)) toast(error)
  })
}

/** Requests that are being edited, by their ids: they stay so until they are sent. */
const drafts = signal<ReadonlyMap<number, Form>>(new Map())
type Form = { method: Draft; path: Draft; session: Draft; body: Draft; isOpen: boolean; fault: string }

/** The request whose form is being opened: the form takes the focus. */
let opened: number | undefined

const setForm = (id: number, form: Form | undefined) => {
  const next = new Map(drafts.value)
  if (form) next.set(id, form)
  else next.delete(id)
  drafts.value = next
}

/** Opens or closes the form of the request that is selected, whose details may still be on their way. */
export async function editRequest(): Promise<void> {
  const wanted = selectedId.value
  if (wanted === undefined) return
  if (stored.value?.id !== wanted) {
    const { output, error } = await call('logEntry', { id: wanted })
    if (error !== undefined) return toast(error)
    if (selectedId.value !== wanted) return
    stored.value = output
  }
  const entry = stored.value
  if (!entry) return
  const { id, method, path, session, request } = entry
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
async function send(id: number, edit: Record<string, unknown> = {}): Promise<string | undefined> {
  const { output, error } = await call('sendAgain', { id, ...edit } as { id: number })
  if (error !== undefined) return error
  pinned.value = new Set([...pinned.value, output.id])
  select(output.id)
  return undefined
}

export async function sendAgain(): Promise<void> {
  const entry = current()
  const error = entry && (await send(entry.id))
  if (error) toast(error)
}

/** The button that a list opens at; the details, while they are on their way: a key that comes before them counts, too. */
const anchorOf = (id: string) => document.getElementById(id) ?? document.getElementById('details')

/** Opens the list of those to send the request as. */
export function sendAs(): void {
  const entry = current()
  const anchor = anchorOf('send-as')
  if (!entry || !anchor) return
  openPicker({
    label: `Send request ${entry.id} as`,
    anchor,
    empty: 'No persona matches.',
    choices: () => [
      ...personas.value
        .filter(({ id }) => id !== entry.session)
        .map(({ id, note, role }) => ({
          text: id,
          hint: note ?? role,
          run: async () => {
            const error = await send(entry.id, { session: id })
            if (error) toast(error)
          },
        })),
      { text: 'Signed out', run: () => send(entry.id, { session: null }) },
    ],
  })
}

export const rewindBefore = (): unknown => {
  const entry = current()
  return entry && goBack(entry.id)
}
export const showOutcomes = (): unknown => {
  const entry = current()
  const anchor = anchorOf('force')
  return entry && anchor && openOutcomes(anchor, entry)
}
export const copyCurl = (): unknown => {
  const entry = current()
  return entry && copyText(entry.curl)
}

function openMore(anchor: Element, entry: LogDetails): void {
  const { id, target, curl, fetch: code, test, response } = entry
  openPicker({
    label: 'More',
    anchor,
    choices: () => [
      { text: 'Go back to after it', run: () => goBack(id, true) },
      ...(response
        ? [{ text: 'Respond with…', hint: 'from now on', run: () => editResponse(target, presetOf(entry)) }]
        : []),
      {
        text: isRaw.value ? 'Show bodies as trees' : 'Show bodies as sent',
        run: () => {
          isRaw.value = !isRaw.value
        },
      },
      { text: 'Copy as curl', hint: 'c', run: () => copyText(curl) },
      { text: 'Copy as fetch', run: () => copyText(code) },
      ...(test ? [{ text: 'Copy as test', run: () => copyText(test) }] : []),
    ],
  })
}

export function DetailsPane() {
  return (
    <section id="details" class="details" aria-label="Details" tabIndex={-1}>
      {preview.value !== undefined ? <Moment /> : <Request />}
    </section>
  )
}

function Request() {
  const entry = stored.value
  if (selectedId.value === undefined) return <p class="quiet empty">Select a request to see it here.</p>
  if (!entry) return null
  const { id, session, why, ms, operation, code, changes, response, request } = entry
  const { method, path } = nameOf(entry)
  const form = drafts.value.get(id)
  const count = changes?.length ?? 0
  const facts = [
    session ?? 'signed out',
    why,
    operation,
    `${ms} ms`,
    timeOf(entry),
    count > 0 && `changed ${count} ${count === 1 ? 'record' : 'records'}`,
    isUndone(id) && 'undone',
  ].filter(Boolean)
  return (
    <div key={id}>
      <header>
        <h2>
          <span class="method">{method}</span> {path} <Outcome entry={entry} /> <ForcedBadge entry={entry} />
        </h2>
        <p class="quiet facts">{facts.join(' · ')}</p>
        {code && code in errors && !isInPage && (
          <p class="quiet">
            {errors[code as keyof typeof errors].remedy}{' '}
            <a href={errorDocsPath(code as keyof typeof errors)} target="_blank" rel="noreferrer">
              About {code}
            </a>
          </p>
        )}
        <div role="group" aria-label="Request" class="toolbar">
          <button type="button" title="As it was, as the same caller (a)" onClick={sendAgain}>
            Send again
          </button>
          <button id="send-as" type="button" class="opens" title="As another persona (s)" onClick={sendAs}>
            As…
          </button>
          <button
            type="button"
            aria-expanded={form?.isOpen ?? false}
            title="Edit and send it (e)"
            onClick={editRequest}
          >
            Edit…
          </button>
          <button
            id="force"
            type="button"
            class="opens"
            title="Forces an outcome for the next requests like this (f)"
            onClick={showOutcomes}
          >
            Outcome
          </button>
          <button
            type="button"
            title="Returns the data to just before this request (b)"
            onClick={rewindBefore}
          >
            Go back
          </button>
          <button type="button" class="opens" onClick={({ currentTarget }) => openMore(currentTarget, entry)}>
            More
          </button>
        </div>
        {form?.isOpen && <SendForm entry={entry} form={form} />}
      </header>
      {count > 0 && changes && (
        <Part title={`What request ${id} changed`}>
          <Changes changes={changes} />
        </Part>
      )}
      {!changes && <p class="quiet">What it changed is no longer stored.</p>}
      <Part title="Response">
        {response ? <Message {...response} /> : <p class="quiet">There was none.</p>}
      </Part>
      <Part title="Request">
        <Message {...request} />
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: preact.ComponentChildren }) {
  const id = useId()
  return (
    <section class="part" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

function Message({ headers, body }: LoggedMessage) {
  const names = Object.keys(headers)
  return (
    <>
      <Body body={body} type={headers['content-type']} />
      <details
        class="headers"
        open={areHeadersOpen.value}
        onToggle={({ currentTarget }) => {
          areHeadersOpen.value = currentTarget.open
        }}
      >
        <summary>
          {names.length} {names.length === 1 ? 'header' : 'headers'}
        </summary>
        <dl>
          {names.map((name) => (
            <>
              <dt>{name}</dt>
              <dd>{headers[name]}</dd>
            </>
          ))}
        </dl>
      </details>
    </>
  )
}

const isTextType = /^(text\/|application\/(.*\+)?(json|xml)|application\/(javascript|x-www-form-urlencoded))/

function Body({ body, type = '' }: { body: LoggedMessage['body']; type?: string }) {
  if (!body) return <p class="quiet">No body.</p>
  const { text, length } = body
  if (text === undefined) {
    const [kind = ''] = type.split(';')
    const unit = isTextType.test(type)
      ? 'characters, which are not stored'
      : `B ${kind || 'of an unknown type'}`
    return (
      <p class="quiet">
        {length.toLocaleString('en')} {unit}
      </p>
    )
  }
  const isCut = text.length < length
  const tree = isRaw.value ? undefined : readJson(text)
  return (
    <>
      {tree ? (
        <div class="code" tabIndex={0} role="group" aria-label="Body">
          <JsonTree node={tree} limit={`${Math.ceil(text.length / 1024)} KiB`} />
        </div>
      ) : (
        <pre class="code" tabIndex={0}>
          {text}
        </pre>
      )}
      {isCut && (
        <p class="quiet">
          The first {text.length.toLocaleString('en')} of {length.toLocaleString('en')} characters; the rest
          is not stored.
        </p>
      )}
    </>
  )
}

const valueText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** A long text is shown in part. */
const maxShown = 400

function Value({ value, tag: Tag }: { value: unknown; tag: 'del' | 'ins' }) {
  const [isWhole, setWhole] = useState(false)
  const text = valueText(value)
  const isLong = text.length > maxShown
  return (
    <>
      <Tag>{isLong && !isWhole ? `${text.slice(0, maxShown)}…` : text}</Tag>
      {isLong && (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </button>
      )}
    </>
  )
}

const field = (record: object | undefined, name: string): unknown => record && Reflect.get(record, name)

/** The records that were changed: each field that differs, before and after. */
function Changes({ changes }: { changes: RecordChange[] }) {
  return (
    <>
      {changes.slice(0, 50).map(({ kind, key, before, after }) => {
        const what = before ? (after ? 'changed' : 'removed') : 'added'
        const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
        const differing = names.filter(
          (name) => valueText(field(before, name)) !== valueText(field(after, name)),
        )
        return (
          <table key={`${kind} ${key}`} class="changes">
            <caption>
              <span class={`pill ${what}`}>{what}</span> {kind} <code>{key}</code>
            </caption>
            <tbody>
              {differing.map((name) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {before && (
                    <td>
                      <Value value={field(before, name)} tag="del" />
                    </td>
                  )}
                  {after && (
                    <td>
                      <Value value={field(after, name)} tag="ins" />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        )
      })}
      {changes.length > 50 && <p class="quiet">and {changes.length - 50} more records</p>}
    </>
  )
}

function SendForm({ entry, form }: { entry: LogDetails; form: Form }) {
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
      <Select label="As" draft={caller} options={callers.map((name) => [name, name || 'signed out'])} />
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

type Project = {
  id: string
  name: string
  status: string
  createdAt: string
  teamId: string
  description: string | null
}
const columns = ['name', 'status', 'description', 'createdAt'] as const

/** Says how many of the records that differ are not in the table. */
const elsewhereText = (count: number, all: number): string =>
  count === 0
    ? ''
    : `, ${count === all ? 'all' : count} of them ${count === 1 ? 'in another team' : 'in other teams'}`

/** The projects of the team at the moment of the bar; differences from now are marked. */
function Moment() {
  const [present, setPresent] = useState<Project[]>([])
  const [team, setTeam] = useState<{ id: string; name: string } | undefined>(undefined)
  useEffect(() => {
    void Promise.all([
      call('data', { kind: 'projects', limit: 500 }),
      call('data', { kind: 'sessions' }),
      call('data', { kind: 'teams' }),
    ]).then(([projects, people, teams]) => {
      const you = sessions.peek()?.you ?? sessions.peek()?.active
      const person = people.output?.records.find((record) => 'id' in record && record.id === you)
      const own = teams.output?.records.find(
        (record) => field(record, 'orgCode') === field(person, 'orgCode') && person !== undefined,
      )
      setTeam(own as { id: string; name: string } | undefined)
      setPresent((projects.output?.records ?? []) as Project[])
    })
  }, [])
  const { changes = [], changed = 0, error } = difference.value ?? {}
  const ofProjects = new Map(
    changes.filter(({ kind }) => kind === 'projects').map((change) => [change.key, change]),
  )
  const all = [
    ...present.map((now) => ({
      now,
      past: ofProjects.has(now.id) ? (ofProjects.get(now.id)?.after as Project) : now,
    })),
    ...[...ofProjects.values()]
      .filter(({ before }) => !before)
      .map(({ after }) => ({ now: undefined, past: after as Project })),
  ].filter(({ now, past }) => !team || (past ?? now)?.teamId === team.id)
  const others = changes.filter(({ kind }) => kind !== 'projects')
  const elsewhere = [...ofProjects.values()].filter(
    ({ before, after }) => team && field(before ?? after, 'teamId') !== team.id,
  ).length
  return (
    <>
      <header>
        <h2>{team ? `${team.name}, ${momentText.value}` : `The projects, ${momentText.value}`}</h2>
        <p class="quiet facts" role="status">
          {error ??
            (changed === 0
              ? 'Nothing differs from now.'
              : `${changed} ${changed === 1 ? 'record differs' : 'records differ'} from now${elsewhereText(elsewhere, changed)}. Enter lets go, Escape stays.`)}
        </p>
      </header>
      <div class="moment">
        <table>
          <caption class="unseen">The projects of the team at that moment</caption>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.slice(0, 100).map(({ now, past }) => (
              <tr key={(past ?? now)?.id} class={past ? (now ? undefined : 'added') : 'removed'}>
                {columns.map((name) => {
                  const textOf = (record: Project | undefined) =>
                    name === 'createdAt' ? shownTime(record?.createdAt ?? '') : valueText(field(record, name))
                  const before = textOf(now)
                  const value = textOf(past ?? now)
                  const differs = now !== undefined && past !== undefined && before !== value
                  return (
                    <td key={name} class={differs ? 'differs' : undefined}>
                      {differs && <del>{before.slice(0, 80)}</del>}{' '}
                      {past && !now ? <ins>{value}</ins> : past ? value.slice(0, 120) : <del>{value}</del>}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {others.length > 0 && (
        <Part title="What else differs">
          <Changes changes={others} />
        </Part>
      )}
    </>
  )
}
