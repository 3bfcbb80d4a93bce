// The right side of the timeline: the request that is selected, or the data at the moment of the bar "Now".

import { computed, effect, signal } from '@preact/signals'
import { errorDocsPath, errors } from '../src/contract/errors.js'
import type { LogDetails } from '../src/mock/log/log-details.js'
import type { LogEntry } from '../src/mock/log/log-entry.js'
import { isRaw, type Mark, Message } from './body.js'
import { Changes, field } from './changes.js'
import { call, isInPage } from './connection.js'
import { showRecord } from './data.js'
import { ForcedBadge, Name, nameOf, Outcome } from './entry-text.js'
import { WhoYouAre } from './first-minute.js'
import { goBack, isRewindable, preview } from './moment.js'
import { Moment } from './moment-pane.js'
import { editResponse, openAllOutcomes, openOutcomes, presetOf } from './outcome-forms.js'
import { Part } from './part.js'
import { openPicker } from './picker.js'
import { RecordHistory } from './record-history.js'
import { drafts, SendForm, send, toggleForm } from './request-form.js'
import { Failure, Sentence } from './sentence.js'
import { entries, follows, forgetSelection, personas, selected, selectedId } from './store.js'
import { copyText, showError, toast } from './toasts.js'

/** The entry that is shown, as the mock has it. */
const stored = signal<LogDetails | undefined>(undefined)
/** The request that is selected: the stream of the log may bring one that was just sent after its details. */
const current = (): LogEntry | undefined =>
  selected.value ?? (stored.value?.id === selectedId.value ? stored.value : undefined)

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
    if (error === undefined) return
    // It may have been dropped, or the log is of another mock.
    if (entries.peek()?.some((entry) => entry.id === id)) showError(error)
    else if (entries.peek()) forgetSelection()
  })
}

/** Opens or closes the form of the request that is selected, whose details may still be on their way. */
export async function editRequest(): Promise<void> {
  const wanted = selectedId.value
  if (wanted === undefined) return
  if (stored.value?.id !== wanted) {
    const { output, error } = await call('logEntry', { id: wanted })
    if (error !== undefined) return showError(error)
    if (selectedId.value !== wanted) return
    stored.value = output
  }
  if (stored.value) toggleForm(stored.value)
}

export async function sendAgain(): Promise<void> {
  const entry = current()
  const error = entry && (await send(entry.id))
  if (error) showError(error)
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
            if (error) showError(error)
          },
        })),
      { text: 'Signed out', run: () => send(entry.id, { session: null }) },
    ],
  })
}

export const rewindBefore = (): unknown => {
  const entry = current()
  if (!entry) return undefined
  return isRewindable(entry.id)
    ? goBack(entry.id)
    : toast(`The data just before request ${entry.id} is not stored.`)
}
export const showAllOutcomes = (): unknown => {
  const anchor = anchorOf('force-any')
  return anchor && openAllOutcomes(anchor)
}
export const showOutcomes = (): unknown => {
  const entry = current()
  const anchor = anchorOf('force')
  return entry && anchor ? openOutcomes(anchor, entry) : showAllOutcomes()
}
export const copyCurl = (): unknown => {
  const entry = current()
  return entry && copyText(entry.curl, 'the request as curl')
}

function openMore(anchor: Element, entry: LogDetails): void {
  const { id, target, curl, fetch: code, test, response, rewindable } = entry
  const copying = (what: string, text: string, hint?: string) => ({
    text: `Copy as ${what}`,
    hint,
    run: () => copyText(text, `the request as ${what}`),
  })
  openPicker({
    label: 'More',
    anchor,
    choices: () => [
      ...(rewindable ? [{ text: 'Go back to after it', run: () => goBack(id, true) }] : []),
      ...(response
        ? [{ text: 'Respond with…', hint: 'from now on', run: () => editResponse(target, presetOf(entry)) }]
        : []),
      {
        text: isRaw.value ? 'Show bodies as trees' : 'Show bodies as sent',
        run: () => {
          isRaw.value = !isRaw.value
        },
      },
      copying('curl', curl, 'c'),
      copying('fetch', code),
      ...(test ? [copying('test', test)] : []),
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

/** Marks the fields that a request changed, and the code of an error. */
const marksOf =
  ({ changes = [], code }: LogDetails): Mark =>
  (name, text) => {
    if (code !== undefined && text === `"${code}"`) return 'is-code'
    const key: unknown = name && JSON.parse(name)
    const isChanged = changes.some(
      ({ before, after }) =>
        before &&
        JSON.stringify(field(after, String(key))) === text &&
        JSON.stringify(field(before, String(key))) !== text,
    )
    return isChanged ? 'is-changed' : undefined
  }

// Requests that arrive draw the details anew only if these change.
const isEmpty = computed(() => entries.value?.length === 0)
const isAnySelected = computed(() => selectedId.value !== undefined)

function Request() {
  const entry = stored.value
  if (isEmpty.value) return <WhoYouAre />
  if (!isAnySelected.value) return <p class="quiet empty">Select a request to see it here.</p>
  if (!entry) return null
  const { id, code, changes, changed = [], about, response, request, rewindable } = entry
  const { method, path } = nameOf(entry)
  const form = drafts.value.get(id)
  const count = changes?.length ?? 0
  const [first] = changes ?? []
  const size = (length: number) => <span class="quiet">{length.toLocaleString('en')} B</span>
  return (
    <div key={id}>
      <header>
        <h2>
          <span class="method">{method}</span>{' '}
          <span>
            {changed[0] ? <Name text={changed[0].name} /> : about ? <Name text={`“${about}”`} /> : path}
          </span>{' '}
          <Outcome entry={entry} /> <ForcedBadge entry={entry} />
        </h2>
        <Sentence entry={entry} />
        <Failure entry={entry} />
        <div role="group" aria-label="Request" class="toolbar">
          <button
            id="force"
            type="button"
            class="main"
            title="Forces an outcome for the next requests like this (f)"
            onClick={showOutcomes}
          >
            Next time… <kbd>F</kbd>
          </button>
          <button type="button" title="As it was, as the same caller (a)" onClick={sendAgain}>
            Send again <kbd>A</kbd>
          </button>
          <button id="send-as" type="button" title="As another persona (s)" onClick={sendAs}>
            As… <kbd>S</kbd>
          </button>
          <button
            type="button"
            aria-expanded={form?.isOpen ?? false}
            title="Edit and send it (e)"
            onClick={editRequest}
          >
            Edit… <kbd>E</kbd>
          </button>
          {rewindable && (
            <button
              type="button"
              class="end"
              title="Returns the data to just before this request (b)"
              onClick={rewindBefore}
            >
              Go back to before <kbd>B</kbd>
            </button>
          )}
          <button
            type="button"
            class="icon ghost"
            aria-label="More"
            onClick={({ currentTarget }) => openMore(currentTarget, entry)}
          >
            …
          </button>
        </div>
        {form?.isOpen && <SendForm entry={entry} form={form} />}
      </header>
      {first && changes && (
        <Part
          title="Changed"
          more={
            <span class="quiet">
              {count} {count === 1 ? 'record' : 'records'}
            </span>
          }
        >
          <Changes changes={changes}>
            <p class="quiet history">
              This record: <RecordHistory id={first.key} at={id} />
              <button
                type="button"
                class="link"
                onClick={() => showRecord({ kind: first.kind, key: first.key, name: first.key })}
              >
                open in Data
              </button>
            </p>
          </Changes>
        </Part>
      )}
      {!rewindable && (
        <p class="quiet">
          The data just before this request is not stored: nothing can go back to it
          {changes ? '.' : ', nor show each field that it changed.'}
        </p>
      )}
      <div class={request.body ? 'sides both' : 'sides'}>
        <Part title="Response" more={response?.body && size(response.body.length)}>
          {response ? <Message {...response} mark={marksOf(entry)} /> : <p class="quiet">There was none.</p>}
        </Part>
        <Part title="Request" more={request.body && size(request.body.length)}>
          <Message {...request} mark={marksOf(entry)} />
        </Part>
      </div>
      {code && code in errors && !isInPage && (
        <p class="quiet">
          <a href={errorDocsPath(code as keyof typeof errors)} target="_blank" rel="noreferrer">
            About {code}
          </a>
        </p>
      )}
    </div>
  )
}
