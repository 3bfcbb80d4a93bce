// The timeline: what is next, the bar "Now", and the requests, the newest first, beside a line.

import { effect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isFailed } from '../src/mock/log/is-failed.js'
import { DetailsPane } from './details.js'
import { FirstMinute } from './first-minute.js'
import {
  barAt,
  counts,
  type Item,
  indexOf,
  isOff,
  items,
  type RequestItem,
  rows,
  shownRequest,
  words,
} from './items.js'
import { ChapterRow, FoldRow, LogRow, StepRow } from './log-row.js'
import { preview } from './moment.js'
import { Next } from './next.js'
import { NowBar } from './now-bar.js'
import { perform } from './perform.js'
import { openPicker } from './picker.js'
import { indexAfterKey, Rows, type RowsHandle } from './rows.js'
import { Split } from './split.js'
import {
  entries,
  filter,
  filterNames,
  follows,
  pinned,
  search,
  select,
  selected,
  selectedId,
  show,
} from './store.js'
import { control, download, toast } from './toasts.js'

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

let known = items.peek()
effect(() => {
  const before = known
  known = items.value
  if (follows.peek() || !handle.current) return
  // The rows in view stay where they are.
  const from = handle.current.first()
  for (let i = Math.max(0, from - 1); i < before.length; i += 1) {
    const key = before[i]?.key
    const at = known.findIndex((item) => item.key === key)
    if (at >= 0) return handle.current.keep(i, at)
  }
})

const requests = () => items.value.filter((item): item is RequestItem => item.kind === 'request')

/** Selects the next request in a direction. Returns whether a key is one for this. */
export function step(key: string): boolean {
  const all = requests()
  const at = all.findIndex(({ ids }) => ids.includes(selectedId.value ?? 0))
  const next = indexAfterKey(key, at, all.length, handle.current?.page() ?? 10)
  const { entry } = (next !== undefined && all[next]) || {}
  if (!entry) return false
  select(entry.id)
  show('timeline', String(entry.id))
  reveal(entry.id)
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

effect(() => {
  const id = shownRequest.value
  if (id !== undefined) requestAnimationFrame(() => reveal(id))
})

const showAll = () => {
  search.value = ''
  filter.value = ''
  keepAddress()
}

const Empty = () => {
  if (entries.value === undefined || items.value.length > 0) return null
  if (entries.value.length === 0) return <FirstMinute />
  return (
    <div class="empty">
      <p>No request matches the search.</p>
      <button type="button" onClick={showAll}>
        Show all requests
      </button>
    </div>
  )
}

function openMore(anchor: Element): void {
  openPicker({
    label: 'Log',
    anchor,
    choices: () => [
      { text: 'Clear the log', run: () => perform('clearLog') },
      {
        text: 'Download as HAR',
        hint: 'the developer tools of browsers open it',
        run: async () => download('log.har', JSON.stringify(await control('har'))),
      },
    ],
  })
}

const filterTitles = { '': 'All', failed: 'Failed', changed: 'Changed data' }

/** Writes the search and the filter to the address. */
const keepAddress = () => show('timeline', follows.value ? '' : `${selectedId.value ?? ''}`)

function Head() {
  const all = entries.value
  const total = all?.length ?? 0
  const summary = `${total.toLocaleString('en')} ${total === 1 ? 'request' : 'requests'}`
  const isCut = words.value.length > 0 || filter.value !== ''
  return (
    <div class="head">
      <input
        id="log-search"
        type="search"
        aria-label="Search in the log"
        placeholder="Filter 409 projects, -GET"
        autocomplete="off"
        spellcheck={false}
        value={search.value}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value
          keepAddress()
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
      {filterNames.map((name) => (
        <button
          key={name}
          type="button"
          class={`tab ${name}`}
          aria-pressed={filter.value === name}
          onClick={() => {
            filter.value = name
            keepAddress()
            handle.current?.toTop()
          }}
        >
          {filterTitles[name]} <b>{counts.value[name].toLocaleString('en')}</b>
        </button>
      ))}
      <span class="unseen" role="status">
        {all === undefined ? '' : isCut ? `${rows.value.length.toLocaleString('en')} of ${summary}` : summary}
      </span>
      <button
        type="button"
        class="ghost follow"
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
  )
}

const isLow = (item: Item | undefined) => item?.kind === 'chapter' || item?.kind === 'step'

export function Timeline() {
  const all = items.value
  const bar = barAt.value
  useEffect(() => reveal(selectedId.peek()), [])
  const rowsWith = (i: number, top: number) => {
    // The place of the bar, which is drawn beside the rows.
    const index = i < bar ? i : i - 1
    const item = i === bar ? undefined : all[index]
    if (!item) return null
    const common = { key: item.key, index: i, top }
    if (item.kind === 'chapter') return <ChapterRow {...common} item={item} />
    if (item.kind === 'fold') return <FoldRow {...common} item={item} />
    if (item.kind === 'step') return <StepRow {...common} item={item} />
    return (
      <LogRow
        {...common}
        item={item}
        isSelected={item.ids.includes(selectedId.value ?? -1)}
        isOff={isOff(index, item)}
      />
    )
  }
  return (
    <section class="view timeline" aria-label="Timeline">
      <Split
        first={
          <>
            <Head />
            <Next />
            <Rows
              handle={handle}
              count={all.length + 1}
              heights={[30, 52]}
              narrowWidth={600}
              rowAt={rowsWith}
              isLow={(i) => i === bar || isLow(all[i < bar ? i : i - 1])}
              wrap={(children, topOf) => (
                <div
                  id="log"
                  role="grid"
                  tabIndex={0}
                  aria-label="Requests"
                  aria-rowcount={all.length + 1}
                  aria-activedescendant={selected.value ? `log-${selectedId.value}` : undefined}
                  style={{ height: `${topOf(all.length + 1)}px` }}
                  onKeyDown={(event) => {
                    if (event.target !== event.currentTarget) return
                    if (event.key === 'Enter') document.getElementById('details')?.focus()
                    if (step(event.key)) event.preventDefault()
                  }}
                >
                  {children}
                  <NowBar handle={handle} top={topOf(bar)} />
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
