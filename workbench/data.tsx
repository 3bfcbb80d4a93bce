// The data: a table of each kind, searched, sorted and edited in place.

import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FoundRecord } from '../src/mock/surfaces/box/found-record.js'
import { call } from './connection.js'
import { openDialog, plainReason } from './dialog.js'
import {
  entered,
  type FieldInfo,
  fieldValue,
  hasLines,
  keyOf,
  kinds,
  nameOf,
  parseEntered,
  shownTime,
  withBreaksOf,
} from './kinds.js'
import { change, perform, say } from './perform.js'
import { openRecord, refreshSuggestions } from './record-forms.js'
import { RecordHistory } from './record-history.js'
import { indexAfterKey, Rows, type RowsHandle } from './rows.js'
import { type StateKind, type StateRecord, stateKinds } from './state-kinds.js'
import { FileField, openStateMenu } from './state-menu.js'
import { dataVersion, debounce, readAddress, show } from './store.js'
import { showError, toast } from './toasts.js'

const pageSize = 100

export const kind = signal<StateKind>('projects')
const search = signal('')
const sort = signal('')
const total = signal(0)
const matched = signal<number | undefined>(undefined)
const active = signal({ row: 0, column: 0 })
/** The loaded pages of records, by their number. */
const pages = signal<ReadonlyMap<number, readonly StateRecord[]>>(new Map())
type Editing = {
  row: number
  column: number
  /** The text that it begins with, instead of the value. */
  typed?: string
  /** Why that text was refused. */
  fault?: string
}
/** The cell that is being edited. */
const editing = signal<Editing | undefined>(undefined)
/** The cell that was saved last, which is marked for a moment. */
const saved = signal('')

const handle: { current: RowsHandle | undefined } = { current: undefined }
let version = 0
const recordAt = (row: number) => pages.value.get(Math.floor(row / pageSize))?.[row % pageSize]
const columns = () => kinds[kind.value].fields.filter(({ width }) => width)

async function loadPage(number: number) {
  const { output, error } = await call('data', {
    kind: kind.value,
    offset: number * pageSize,
    limit: pageSize,
    search: search.value.trim() || undefined,
    sort: sort.value || undefined,
  })
  if (error !== undefined) showError(error)
  return output
}

/** The first page that is visible. */
let firstPage = 0

/** Reads the visible records again. */
async function reload(): Promise<void> {
  version += 1
  const mine = version
  requested.clear()
  const first = firstPage
  const found = await Promise.all([loadPage(first), loadPage(first + 1)])
  if (mine !== version || !found[0]) return
  pages.value = new Map(
    found.flatMap((loaded, i) =>
      loaded && loaded.records.length > 0 ? [[first + i, loaded.records] as const] : [],
    ),
  )
  total.value = found[0].total
  matched.value = found[0].matched
}

const requested = new Set<number>()
/** Reads the page that has a row, once. */
async function need(row: number): Promise<void> {
  const number = Math.floor(row / pageSize)
  if (requested.has(number)) return
  requested.add(number)
  const mine = version
  const found = await loadPage(number)
  if (found && mine === version) pages.value = new Map([...pages.value, [number, found.records]])
}

export function showKind(name: StateKind): void {
  kind.value = name
  sort.value = ''
  search.value = ''
  active.value = { row: 0, column: 0 }
  editing.value = undefined
  pages.value = new Map()
  matched.value = undefined
  firstPage = 0
  handle.current?.toTop()
  show('data', name)
  void reload()
}

/** Shows a record, and edits a field of it. */
export async function showRecord(record: FoundRecord, field?: string): Promise<void> {
  showKind(stateKinds.find((name) => name === record.kind) ?? 'projects')
  search.value = record.key
  await reload()
  const column = Math.max(
    0,
    columns().findIndex(({ name }) => name === field),
  )
  // Others may have its key as a part of theirs.
  const row = rowOf(record.key) ?? 0
  activate(row, column)
  if (field) editing.value = { row, column }
  else document.getElementById('grid')?.focus()
}

const searchSoon = debounce(() => {
  firstPage = 0
  handle.current?.toTop()
  void reload()
}, 120)

/** Sorts by a field, then the other way, then not at all. */
function sortBy(name: string): void {
  sort.value = sort.value === name ? `-${name}` : sort.value === `-${name}` ? '' : name
  void reload()
}

const toGrid = () => document.getElementById('grid')?.focus()

function activate(row: number, column: number): void {
  const last = columns().length - 1
  active.value = {
    row: Math.max(0, Math.min(row, (matched.value ?? 1) - 1)),
    column: Math.max(0, Math.min(column, last)),
  }
  handle.current?.reveal(active.value.row)
}

function edit(row: number, column: number, typed?: string): void {
  const record = recordAt(row)
  const info = columns()[column]
  if (!record || !info) return
  if (!info.edits) return void openRecord(kind.value, record)
  if (info.refers) void refreshSuggestions()
  editing.value = { row, column, typed }
}

async function remove(record: StateRecord): Promise<void> {
  const key = keyOf(record)
  if (kind.value === 'sessions') {
    // With its user, as `persona remove`.
    if (await perform('removeSession', { id: key })) showRemoved()
    return
  }
  const { error } = await change('removeRecord', { kind: kind.value, key })
  if (error === undefined) return showRemoved()
  if (!/^(teams|users)$/.test(kind.value)) return showError(error)
  const name = nameOf(record)
  const isTeam = kind.value === 'teams'
  openDialog({
    title: `Remove ${name}?`,
    submit: 'Remove',
    isDestructive: true,
    content: (
      <p>
        {isTeam
          ? `Its projects and the sessions of its organisation are removed with it.`
          : `The sessions of this user are removed with it.`}{' '}
        Undo brings everything back.
      </p>
    ),
    async onSubmit() {
      const removed = await change('removeRecord', { kind: kind.value, key, dependants: true })
      if (removed.error !== undefined) return removed.error
      showRemoved()
      return true
    },
  })
}

function showRemoved(): void {
  void reload()
  toGrid()
}

function onKeyDown(event: KeyboardEvent): void {
  const { key, target, currentTarget, ctrlKey, metaKey, altKey } = event
  if (target !== currentTarget || ctrlKey || metaKey || altKey) return
  const { row, column } = active.value
  const next = indexAfterKey(key, row, matched.value ?? 0, handle.current?.page() ?? 10)
  if (key === 'ArrowLeft') activate(row, column - 1)
  else if (key === 'ArrowRight') activate(row, column + 1)
  else if (key === 'Enter' || key === 'F2') edit(row, column)
  // In the view, letters and numbers are keys of the page again.
  else if (key === 'Escape') document.getElementById('data')?.focus()
  else if (key === 'Delete' || key === 'Backspace') {
    // As in every table: they empty the cell, and the record stays.
    if (columns()[column]?.edits) edit(row, column, '')
  } else if (next !== undefined) activate(next, column)
  // A letter begins to edit the cell, with that letter.
  else if (key.length === 1 && columns()[column]?.edits) edit(row, column, key)
  else return
  event.preventDefault()
}

/** Shows a field as it was entered, before the mock has stored it. */
function showEntered(record: StateRecord, { name }: FieldInfo, value: unknown): void {
  const edited = { ...record, [name]: value } as StateRecord
  const replace = (records: readonly StateRecord[]) =>
    records.map((each) => (keyOf(each) === keyOf(record) ? edited : each))
  // A read that is under way is older.
  version += 1
  pages.value = new Map([...pages.value].map(([number, records]) => [number, replace(records)]))
}

/** Stores a field. If it is refused, its cell is edited again, unless another one is by now. */
async function saveField(record: StateRecord, info: FieldInfo, value: unknown, typed: string): Promise<void> {
  const key = keyOf(record)
  const list = kind.value
  showEntered(record, info, value)
  const { error, faults, step } = await call('setRecord', { kind: list, key, fields: { [info.name]: value } })
  if (error === undefined) {
    saved.value = `${key} ${info.name}`
    say('setRecord', [step])
  }
  if (!editing.value) await reload()
  if (error === undefined) return
  const fault = plainReason(faults?.[0]?.reason ?? error)
  const row = list === kind.value ? rowOf(key) : undefined
  if (editing.value || row === undefined)
    toast(`The ${info.name} of ${nameOf(record)} is as before. ${fault}`)
  else editing.value = { row, column: columns().indexOf(info), typed, fault }
}

const rowOf = (key: string): number | undefined => {
  for (const [number, records] of pages.value) {
    const index = records.findIndex((record) => keyOf(record) === key)
    if (index >= 0) return number * pageSize + index
  }
}

type CellEditorProps = { record: StateRecord; info: FieldInfo; edited: Editing }
function CellEditor({ record, info, edited: { typed, fault: refusal = '' } }: CellEditorProps) {
  const element = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const [fault, setFault] = useState(refusal)
  const earlier = entered(fieldValue(record, info))
  const faultId = `fault-${info.name}`
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    current.focus()
    if (typed === undefined) current.select()
    else current.setSelectionRange(typed.length, typed.length)
  }, [typed])

  const close = (refocus: boolean) => {
    editing.value = undefined
    if (refocus) toGrid()
  }
  const cancel = (refocus: boolean) => {
    close(refocus)
    // It may have changed meanwhile, by another interface.
    void reload()
  }
  /**
   * Closes the editor at once, so that the next key is one of the table.
   * @param move how many columns to go on
   */
  const save = (refocus: boolean, move = 0) => {
    const text = withBreaksOf(earlier, element.current?.value ?? earlier)
    const parsed = parseEntered(info, text)
    if (text === earlier) cancel(refocus)
    else if (parsed.fault !== undefined) {
      setFault(parsed.fault)
      element.current?.focus()
      return
    } else {
      close(refocus)
      void saveField(record, info, parsed.value, text)
    }
    if (move !== 0) activate(active.value.row, active.value.column + move)
  }
  const isText = hasLines(info, earlier) || hasLines(info, typed ?? '')
  const Tag = isText ? 'textarea' : 'input'
  return (
    <>
      <Tag
        ref={element}
        class="cell-input"
        rows={isText ? 1 : undefined}
        defaultValue={typed ?? earlier}
        aria-label={`${info.name} of ${keyOf(record)}`}
        aria-describedby={faultId}
        aria-invalid={fault ? true : undefined}
        autocomplete="off"
        spellcheck={false}
        list={info.refers && `list-${info.refers}`}
        onInput={() => setFault('')}
        onBlur={() => {
          if (editing.value === undefined) return
          if (fault) cancel(false)
          else save(false)
        }}
        onKeyDown={(event: KeyboardEvent) => {
          event.stopPropagation()
          const isLine = event.key === 'Enter' && isText && (event.shiftKey || event.altKey)
          if (event.key === 'Escape') cancel(true)
          else if (event.key === 'Enter' && !isLine) save(true)
          else if (event.key === 'Tab') save(true, event.shiftKey ? -1 : 1)
          else return
          event.preventDefault()
        }}
      />
      <small id={faultId} class="fault cell-fault" role="alert">
        {fault}
      </small>
    </>
  )
}

function Cell({
  row,
  column,
  record,
  info,
}: {
  row: number
  column: number
  record: StateRecord
  info: FieldInfo
}) {
  const isActive = row === active.value.row && column === active.value.column
  const edited = editing.value
  const isEditing = edited?.row === row && edited.column === column
  const value = fieldValue(record, info)
  const text = entered(value)
  const isSaved = saved.value === `${keyOf(record)} ${info.name}`
  return (
    <div
      role="gridcell"
      id={`cell-${row}-${column}`}
      class={[info.minor && 'minor', isEditing && 'editing', isSaved && 'saved'].filter(Boolean).join(' ')}
      title={isEditing ? undefined : text}
      aria-readonly={!info.edits}
      aria-selected={isActive}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('.cell-input')) return
        activate(row, column)
        toGrid()
      }}
      onDblClick={() => !isEditing && edit(row, column)}
    >
      {isEditing ? (
        <CellEditor record={record} info={info} edited={edited} />
      ) : Array.isArray(value) ? (
        value.map((each, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same text may be there twice
          <code key={i} class="token">
            {each === '' ? '""' : each}
          </code>
        ))
      ) : info.isTime && text ? (
        shownTime(text)
      ) : info.edits ? (
        text
      ) : (
        <code>{text}</code>
      )}
    </div>
  )
}

function GridRow({ row, top }: { row: number; top: number }) {
  const record = recordAt(row)
  useEffect(() => {
    if (!record) void need(row)
  }, [record, row])
  if (!record)
    return (
      <div role="row" aria-rowindex={row + 2} class="grid-row" style={{ top: `${top}px` }}>
        <div role="gridcell" class="quiet">
          …
        </div>
      </div>
    )
  const key = keyOf(record)
  return (
    <div role="row" aria-rowindex={row + 2} class="grid-row" style={{ top: `${top}px` }}>
      {columns().map((info, column) => (
        <Cell key={info.name} {...{ row, column, record, info }} />
      ))}
      <div role="gridcell" class="row-actions">
        <button
          type="button"
          tabIndex={row === active.value.row ? 0 : -1}
          aria-label={`Edit ${key}`}
          onClick={() => openRecord(kind.value, record)}
        >
          Edit
        </button>
        <button
          type="button"
          tabIndex={row === active.value.row ? 0 : -1}
          aria-label={`Remove ${key}`}
          title="Remove"
          onClick={() => remove(record)}
        >
          ×
        </button>
      </div>
    </div>
  )
}

function summary(): string {
  if (matched.value === undefined) return ''
  const { name, one } = kinds[kind.value]
  const all = `${total.value.toLocaleString('en')} ${total.value === 1 ? one : name}`
  return matched.value === total.value ? all : `${matched.value.toLocaleString('en')} of ${all}`
}

export function Data() {
  const { title, name, one } = kinds[kind.value]
  const fields = columns()
  const widths = (list: FieldInfo[]) => list.map(({ width }) => width).join(' ')
  const count = matched.value ?? 0
  const current = recordAt(active.value.row)
  const changes = dataVersion.value
  const isFirst = useRef(true)
  useEffect(() => {
    const rest = readAddress()
    const given = stateKinds.find((each) => each === rest)
    if (given && given !== kind.value) showKind(given)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the data is read
  useEffect(() => {
    if (isFirst.current || !editing.peek()) void reload()
    isFirst.current = false
  }, [changes])
  return (
    <section
      id="data"
      class="view data"
      aria-label="Data"
      tabIndex={-1}
      onKeyDown={(event) => {
        // A number leads to another view until the user has gone into the table.
        if (event.target !== event.currentTarget || !/^(Arrow|Enter$|F2$|Home$|End$|Page)/.test(event.key))
          return
        const grid = document.getElementById('grid')
        grid?.focus()
        grid?.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }))
        event.preventDefault()
      }}
    >
      <div class="head">
        <nav class="joined kinds" aria-label="Kinds of records">
          {stateKinds.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === kind.value}
              onClick={() => showKind(each)}
            >
              {kinds[each].title}
            </button>
          ))}
        </nav>
        <input
          id="data-search"
          type="search"
          aria-label="Search in the data"
          placeholder="Search"
          autocomplete="off"
          spellcheck={false}
          value={search.value}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value
            searchSoon()
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' && event.key !== 'ArrowDown') return
            toGrid()
            event.preventDefault()
            event.stopPropagation()
          }}
        />
        <span class="quiet summary" role="status">
          {summary()}
        </span>
        <button type="button" class="opens" onClick={({ currentTarget }) => openStateMenu(currentTarget)}>
          State
        </button>
        <button type="button" class="main" onClick={() => openRecord(kind.value)}>
          Add a {one}
        </button>
        <FileField />
      </div>
      <Rows
        handle={handle}
        count={count}
        heights={[28, 40]}
        top={28}
        rowAt={(row, top) => {
          firstPage = Math.floor(row / pageSize)
          return <GridRow key={row} row={row} top={top} />
        }}
        wrap={(children, topOf) => (
          <div
            id="grid"
            role="grid"
            tabIndex={0}
            aria-label={title}
            aria-rowcount={count + 1}
            aria-colcount={fields.length + 1}
            aria-activedescendant={count > 0 ? `cell-${active.value.row}-${active.value.column}` : undefined}
            style={{
              '--columns': widths(fields),
              '--narrow': `${widths(fields.filter(({ minor }) => !minor))} 6.5rem`,
            }}
            onKeyDown={onKeyDown}
          >
            <div role="rowgroup" class="grid-top">
              <div role="row" class="grid-row grid-head">
                {fields.map((info) => {
                  const way =
                    sort.value === info.name
                      ? 'ascending'
                      : sort.value === `-${info.name}`
                        ? 'descending'
                        : 'none'
                  return (
                    <div
                      key={info.name}
                      role="columnheader"
                      aria-sort={way}
                      class={info.minor ? 'minor' : undefined}
                    >
                      <button type="button" title="Sort" onClick={() => sortBy(info.name)}>
                        {info.name}
                      </button>
                    </div>
                  )
                })}
                <div role="columnheader" class="row-actions">
                  <span class="unseen">Actions</span>
                </div>
              </div>
            </div>
            <div role="rowgroup" class="grid-body" style={{ height: `${topOf(count)}px` }}>
              {children}
            </div>
          </div>
        )}
      >
        {matched.value === 0 && (
          <div class="empty">
            <p>{total.value > 0 ? `No ${name} match the search.` : `There are no ${name}.`}</p>
            {total.value === 0 && (
              <button type="button" onClick={() => openRecord(kind.value)}>
                Add the first {one}
              </button>
            )}
          </div>
        )}
      </Rows>
      <p class="quiet hint">
        {current && <RecordHistory id={keyOf(current)} />}
        Type to edit a cell, or press Enter; Escape leaves it as it was, and then the table. Ctrl+Z takes a
        change back.
      </p>
    </section>
  )
}
