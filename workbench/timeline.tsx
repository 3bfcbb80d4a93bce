// The timeline: the requests, the newest first, beside a line with a ring at each that changed data, and the bar "Now".

import { computed, effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { LogEntry } from '../src/mock/log/log-entry.js'
import { connection, isInPage } from './connection.js'
import { DetailsPane } from './details.js'
import { ForcedBadge, isFailed, nameOf, Outcome, outcomeOf, timeOf } from './entry-text.js'
import { memo } from './memo.js'
import { cancelMove, isUndone, letGo, momentText, moveTo, position, preview, undoneCount } from './moment.js'
import { openOutcomes, respond } from './outcome-forms.js'
import { openPicker } from './picker.js'
import { indexAfterKey, Rows, type RowsHandle } from './rows.js'
import { Split } from './split.js'
import { entries, follows, history, pinned, search, select, selected, selectedId, show } from './store.js'
import { control, copyText, download, toast } from './toasts.js'
import { record, undo } from './undo.js'

const texts = new WeakMap<LogEntry, string>()
function textOf(entry: LogEntry): string {
  let text = texts.get(entry)
  if (text === undefined) {
    const { id, method, path, target, graphql = '', session = 'signed out', why, forcedBy } = entry
    text =
      `#${id} ${method} ${path} ${graphql} ${outcomeOf(entry)} ${target} ${session} ${why} ${forcedBy ? 'forced' : ''}`.toLowerCase()
    texts.set(entry, text)
  }
  return text
}

const words = computed(() => search.value.toLowerCase().split(/\s+/).filter(Boolean))
const matches = (entry: LogEntry) =>
  words.value.every((word) =>
    word.length > 1 && word.startsWith('-')
      ? !textOf(entry).includes(word.slice(1))
      : textOf(entry).includes(word),
  )

/** A row: a request, and how many it stands for: a path without a handler is often requested again and again. */
type Row = { entry: LogEntry; times: number; isPinned: boolean; ids: number[] }

/** The rows of single requests: one that is the same is not drawn anew. */
const singleRows = new WeakMap<LogEntry, Row>()
function singleRow(entry: LogEntry): Row {
  const row = singleRows.get(entry) ?? { entry, times: 1, isPinned: false, ids: [entry.id] }
  singleRows.set(entry, row)
  return row
}

/** The rows, oldest first. */
export const rows = computed<Row[]>(() => {
  const list: Row[] = []
  for (const entry of entries.value ?? []) {
    const isMatch = matches(entry)
    if (!isMatch && !pinned.value.has(entry.id)) continue
    const last = list.at(-1)
    if (entry.kind === 'unanswered' && last?.entry.target === entry.target)
      list[list.length - 1] = {
        entry,
        times: last.times + 1,
        isPinned: !isMatch,
        ids: [...last.ids, entry.id],
      }
    else list.push(isMatch ? singleRow(entry) : { entry, times: 1, isPinned: true, ids: [entry.id] })
  }
  return list
})
const rowAt = (index: number) => rows.value[rows.value.length - 1 - index]
const indexOf = (id: number | undefined) => {
  const at = rows.value.findIndex(({ ids }) => id !== undefined && ids.includes(id))
  return at < 0 ? -1 : rows.value.length - 1 - at
}

/** The number of rows above the bar. */
const barAt = computed(() => {
  const all = entries.value ?? []
  const first = all[all.length - position.value]
  if (position.value === 0 || !first) return 0
  return rows.value.filter(({ entry }) => entry.id >= first.id).length
})

/** How many requests are above a place between two rows. */
function requestsAbove(row: number): number {
  const all = entries.value ?? []
  const above = rowAt(row - 1)
  if (row <= 0 || !above) return 0
  return all.length - all.findIndex(({ id }) => id === above.ids[0])
}

const handle: { current: RowsHandle | undefined } = { current: undefined }
const reveal = (id: number | undefined) => {
  const index = indexOf(id)
  if (index >= 0) handle.current?.reveal(index >= barAt.value ? index + 1 : index)
}

// The newest is selected as it arrives, until another one is chosen.
effect(() => {
  const newest = rows.value.at(-1)?.entry.id
  if (follows.value && preview.value === undefined && newest !== selectedId.peek()) {
    selectedId.value = newest
    handle.current?.toTop()
  }
})
let known = 0
effect(() => {
  const { length } = rows.value
  // The rows in view stay where they are.
  if (!follows.peek() && length > known && known > 0) handle.current?.keep(length - known)
  known = length
})

/** Selects the next request in a direction. Returns whether a key is one for this. */
export function step(key: string): boolean {
  const next = indexAfterKey(key, indexOf(selectedId.value), rows.value.length, handle.current?.page() ?? 10)
  const row = next === undefined ? undefined : rowAt(next)
  if (!row) return false
  select(row.entry.id)
  show('timeline', String(row.entry.id))
  reveal(row.entry.id)
  return true
}

/** Selects the newest request that failed; from one that failed, the one before it. */
export function selectFailed(): void {
  const all = (entries.value ?? []).filter(isFailed)
  const at = all.findIndex(({ id }) => id === selectedId.value)
  const next = at > 0 && !follows.value ? all[at - 1] : all.at(-1)
  if (!next) {
    toast('No request has failed.')
    return
  }
  select(next.id)
  reveal(next.id)
  focusList()
}
export const focusList = (): void => document.getElementById('log')?.focus()

/** Shows a request, whatever is searched for. */
export function showRequest(id: number): void {
  show('timeline', String(id))
  if (indexOf(id) < 0) pinned.value = new Set([...pinned.value, id])
  select(id)
  requestAnimationFrame(() => reveal(id))
}

/** The id of the newest entry that was drawn: newer ones have just arrived. */
const isNew = (entry: LogEntry) => Date.now() - Date.parse(entry.time) < 1500

/** A path with a long id in two parts: where it is cut, the end of the id is still seen. */
function splitPath(path: string): [start: string, end: string] {
  const [id = ''] = /[^/]{20,}$/.exec(path) ?? []
  return id ? [path.slice(0, -6), path.slice(-6)] : [path, '']
}

type RowProps = {
  row: Row
  index: number
  top: number
  isSelected: boolean
  isOff: boolean
  hasRing: boolean
}
const LogRow = memo(({ row, index, top, isSelected, isOff, hasRing }: RowProps) => {
  const { entry, times, isPinned } = row
  const { id, session, why, ms, kind } = entry
  const { method, path } = nameOf(entry)
  const [start, end] = splitPath(path)
  const isUnanswered = kind === 'unanswered'
  const label = isUnanswered ? 'Respond' : 'Outcome'
  return (
    <div
      id={`log-${id}`}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      class={`log-row${isUnanswered ? ' unanswered' : ''}${isOff ? ' undone' : ''}${isNew(entry) ? ' new' : ''}`}
      style={{ top: `${top}px` }}
      title={`${path}: ${outcomeOf(entry)}, decided by: ${why}${isOff ? '. Undone.' : ''}`}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('button')) return
        select(id)
        show('timeline', String(id))
      }}
    >
      <span role="gridcell" class={isOff ? 'line off' : 'line'}>
        {hasRing && <i class="ring" />}
        {hasRing && <span class="unseen">{isOff ? 'undone' : 'changed data'}</span>}
      </span>
      <span role="gridcell" class="method">
        {method}
      </span>
      <span role="gridcell" class="path">
        {times > 1 && <b class="count">×{times}</b>}
        <span class={isOff ? 'text off' : 'text'}>{start}</span>
        {end && <span class={isOff ? 'text end off' : 'text end'}>{end}</span>}
        <ForcedBadge entry={entry} />
        {isPinned && <span class="badge quiet">not matching</span>}
      </span>
      <span role="gridcell" class="result">
        <Outcome entry={entry} isOff={isOff} />
      </span>
      <span role="gridcell" class="who">
        {session ?? 'signed out'}
      </span>
      <span role="gridcell" class="time">
        {timeOf(entry)}
      </span>
      <span role="gridcell" class="duration">
        {ms} ms
      </span>
      <span role="gridcell" class="cell-action">
        <button
          type="button"
          class="row-action"
          tabIndex={-1}
          aria-label={`${isUnanswered ? 'Respond to' : 'Outcome of'} ${method} ${path}`}
          onClick={({ currentTarget }) => {
            select(id)
            return isUnanswered ? respond(entry) : openOutcomes(currentTarget, entry)
          }}
        >
          {label}
        </button>
      </span>
    </div>
  )
})

function NowBar({ index, top }: { index: number; top: number }) {
  const count = entries.value?.length ?? 0
  const above = position.value
  const isMoving = preview.value !== undefined
  const undone = undoneCount.value
  const canRedo = !isMoving && undone > 0
  const isRewound = history.value.undo?.startsWith('rewind to ') ?? false
  const onKeyDown = (event: KeyboardEvent) => {
    const page = handle.current?.page() ?? 10
    const next = indexAfterKey(event.key, barAt.value, rows.value.length + 1, page)
    if (event.key === 'Enter') void letGo()
    else if (event.key === 'Escape') cancelMove()
    else if (next !== undefined) {
      moveTo(requestsAbove(next))
      handle.current?.reveal(next)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      class={`now${isMoving ? ' moving' : ''}`}
      style={{ top: `${top}px` }}
    >
      <div role="gridcell">
        <div
          id="now"
          role="slider"
          tabIndex={0}
          aria-label="Now"
          aria-orientation="vertical"
          aria-valuemin={0}
          aria-valuemax={count}
          aria-valuenow={count - above}
          aria-valuetext={momentText.value}
          title="Drag to go back. Arrows move it, Enter lets go."
          onKeyDown={onKeyDown}
          onBlur={() => isMoving && !isDragging && cancelMove()}
          onPointerDown={(event) => {
            isDragging = true
            event.currentTarget.setPointerCapture(event.pointerId)
            event.currentTarget.focus()
          }}
          onPointerMove={({ currentTarget, pointerId, clientY }) => {
            if (!currentTarget.hasPointerCapture(pointerId)) return
            const row = Math.max(0, Math.min(handle.current?.indexAt(clientY) ?? 0, rows.value.length))
            if (preview.value !== undefined || row !== barAt.value) moveTo(requestsAbove(row))
          }}
          onPointerUp={() => {
            isDragging = false
            void letGo()
          }}
          onPointerCancel={() => {
            isDragging = false
            cancelMove()
          }}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="m5 6 3-3 3 3M5 10l3 3 3-3" />
          </svg>
          Now
          <span class="now-text">
            {isMoving
              ? momentText.value
              : undone > 0
                ? `${undone} ${undone === 1 ? 'request' : 'requests'} undone`
                : 'drag to go back'}
          </span>
        </div>
        {canRedo && isRewound && (
          <button type="button" class="link" onClick={undo}>
            make them again
          </button>
        )}
      </div>
    </div>
  )
}
let isDragging = false

const addresses = () => {
  const origin = connection.address ?? ''
  return [
    `curl ${origin}/v1/projects -b session=active`,
    `curl ${origin}/v1/auth/me -b session=active`,
    `curl ${origin}/v1/projects -b session=active -H 'prefer: code=500'`,
  ]
}

const Empty = () => {
  if (entries.value === undefined || rows.value.length > 0) return null
  if (entries.value.length > 0)
    return (
      <div class="empty">
        <p>No request matches the search.</p>
        <button
          type="button"
          onClick={() => {
            search.value = ''
          }}
        >
          Show all requests
        </button>
      </div>
    )
  return (
    <div class="empty">
      <p>
        <strong>No requests yet.</strong>
      </p>
      {isInPage ? (
        <p class="quiet">Use the page: each of its requests is shown here as it happens.</p>
      ) : (
        <>
          <p class="quiet">Point your front end at {connection.address}, or send the first request:</p>
          <ul class="addresses">
            {addresses().map((line) => (
              <li key={line}>
                <code>{line}</code>
                <button type="button" onClick={() => copyText(line)}>
                  Copy
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

export async function clearLog(): Promise<void> {
  const empty = async () => {
    const isEmpty = await control('clearLog')
    if (isEmpty) entries.value = []
    return isEmpty
  }
  if (await empty()) await record('The log is empty', { back: () => control('restoreLog'), again: empty })
}

function openMore(anchor: Element): void {
  openPicker({
    label: 'Log',
    anchor,
    choices: () => [
      { text: 'Clear the log', run: clearLog },
      {
        text: 'Download as HAR',
        hint: 'the developer tools of browsers open it',
        run: async () => download('log.har', JSON.stringify(await control('har'))),
      },
    ],
  })
}

export function Timeline() {
  const all = entries.value
  const count = rows.value.length
  const total = all?.length ?? 0
  const number = total.toLocaleString('en')
  const summary = `${number} ${total === 1 ? 'request' : 'requests'}`
  const bar = barAt.value
  useEffect(() => reveal(selectedId.peek()), [])
  const rowsWith = (i: number, top: number) => {
    if (i === bar) return <NowBar key="now" index={i} top={top} />
    const index = i < bar ? i : i - 1
    const row = rowAt(index)
    if (!row) return null
    const { id } = row.entry
    const isOff = preview.value === undefined ? isUndone(id) : index < bar || isUndone(id)
    return (
      <LogRow
        key={id}
        row={row}
        index={i}
        top={top}
        isSelected={row.ids.includes(selectedId.value ?? -1)}
        isOff={isOff}
        hasRing={row.entry.changedData === true}
      />
    )
  }
  return (
    <section class="view timeline" aria-label="Timeline">
      <Split
        first={
          <>
            <div class="head">
              <input
                id="log-search"
                type="search"
                aria-label="Search in the log"
                placeholder="Filter: 409 projects, -GET"
                autocomplete="off"
                spellcheck={false}
                value={search.value}
                onInput={({ currentTarget }) => {
                  search.value = currentTarget.value
                  pinned.value = new Set()
                  handle.current?.toTop()
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Escape' || event.key === 'ArrowDown') {
                    focusList()
                    event.preventDefault()
                    event.stopPropagation()
                  }
                }}
              />
              <span class="quiet summary" role="status">
                {all === undefined
                  ? ''
                  : words.value.length > 0
                    ? `${count.toLocaleString('en')} of ${summary}`
                    : summary}
              </span>
              <button
                type="button"
                class="ghost"
                aria-pressed={follows.value}
                title="Selects each new request"
                onClick={() => {
                  follows.value = !follows.value
                }}
              >
                Follow
              </button>
              <button
                type="button"
                class="icon ghost"
                aria-label="More of the log"
                onClick={({ currentTarget }) => openMore(currentTarget)}
              >
                …
              </button>
            </div>
            <Rows
              handle={handle}
              count={count === 0 ? 0 : count + 1}
              heights={[28, 52]}
              rowAt={rowsWith}
              wrap={(children, height) => (
                <div
                  id="log"
                  role="grid"
                  tabIndex={0}
                  aria-label="Requests"
                  aria-rowcount={count + 1}
                  aria-activedescendant={selected.value ? `log-${selectedId.value}` : undefined}
                  style={{ height: `${height}px` }}
                  onKeyDown={(event) => {
                    if (event.target !== event.currentTarget) return
                    if (event.key === 'Enter') document.getElementById('details')?.focus()
                    if (step(event.key)) event.preventDefault()
                  }}
                >
                  {children}
                </div>
              )}
            >
              <Empty />
            </Rows>
          </>
        }
        second={<DetailsPane />}
      />
    </section>
  )
}
