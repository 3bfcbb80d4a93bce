// The items of the timeline, the newest first: requests, the callers as chapters, requests that are undone in one row, and
// changes that no request made.

import { computed, signal } from '@preact/signals'
import type { StepView } from '../src/mock/controls/step-view.js'
import { entryHasWords, hasWords, wordsOf } from '../src/mock/log/entry-words.js'
import { isFailed } from '../src/mock/log/is-failed.js'
import type { LogEntry } from '../src/mock/log/log-entry.js'
import { timeOf as clockTime } from './entry-text.js'
import { isUndone, position, preview } from './moment.js'
import { entries, filter, history, pinned, search, select, show, steps } from './store.js'

/** A request, and how many it stands for: a path without a handler is often requested again and again. */
export type RequestItem = {
  kind: 'request'
  key: string
  entry: LogEntry
  times: number
  isPinned: boolean
  ids: number[]
  time: string
}
export type Chapter = { kind: 'chapter'; key: string; session?: string; time: string }
/** Requests that are undone, from the oldest to the newest. */
export type Fold = { kind: 'fold'; key: string; ids: number[]; isOpen: boolean }
/** A change that no request made, such as by this page, a command or the terminal. */
export type StepItem = { kind: 'step'; key: string; step: StepView & { isUndone: boolean }; time: string }
export type Item = RequestItem | Chapter | Fold | StepItem

export const words = computed(() => wordsOf(search.value))
const matchesWords = (entry: LogEntry) => entryHasWords(entry, words.value)

/** Which requests a filter shows. */
const filters = {
  '': () => true,
  failed: isFailed,
  changed: ({ changed }: LogEntry) => changed !== undefined,
}

const matching = computed(() => (entries.value ?? []).filter(matchesWords))
/** How many requests, and changes that no request made, each filter shows. */
export const counts = computed(() => {
  const count = (name: keyof typeof filters) =>
    matching.value.filter(filters[name]).length + (entries.value?.length ? changesOf(name).length : 0)
  return { '': count(''), failed: count('failed'), changed: count('changed') }
})

/** The time, or how long after the request below it, within a second. */
function timeText(entry: LogEntry, below: LogEntry | undefined): string {
  const ms = below && below.session === entry.session ? Date.parse(entry.time) - Date.parse(below.time) : 1000
  return ms >= 0 && ms < 950 ? `+${(ms / 1000).toFixed(1)} s` : clockTime(entry)
}

type Row = Omit<RequestItem, 'time' | 'kind' | 'key'>

/** The requests that are shown, oldest first. */
export const rows = computed<Row[]>(() => {
  const list: Row[] = []
  const has = filters[filter.value]
  const isAll = words.value.length === 0 && filter.value === ''
  for (const entry of entries.value ?? []) {
    const isMatch = isAll || (has(entry) && matchesWords(entry))
    if (!isMatch && !pinned.value.has(entry.id)) continue
    const last = list.at(-1)
    const isSame = entry.kind === 'unanswered' && last?.entry.target === entry.target
    const ids = isSame && last ? [...last.ids, entry.id] : [entry.id]
    const row = { entry, times: ids.length, isPinned: !isMatch, ids }
    if (isSame) list[list.length - 1] = row
    else list.push(row)
  }
  return list
})

/** The folds that are open, by the id of their oldest request. */
export const openFolds = signal<ReadonlySet<number>>(new Set())
export function toggleFold(id: number): void {
  const next = new Set(openFolds.value)
  if (!next.delete(id)) next.add(id)
  openFolds.value = next
}

const requestItems = new WeakMap<LogEntry, { item: RequestItem; below?: LogEntry }>()
/**
 * The same object as before for the same request, so that its row is not drawn anew.
 * @param below the request before it, from which its time is told
 */
function requestItem(row: Row, below?: LogEntry): RequestItem {
  const known = requestItems.get(row.entry)
  if (known?.below === below && known?.item.times === row.times && known.item.isPinned === row.isPinned)
    return known.item
  const { entry } = row
  const item: RequestItem = { kind: 'request', key: `${entry.id}`, time: timeText(entry, below), ...row }
  requestItems.set(entry, { item, below })
  return item
}

const emptiesLog = ({ control, isUndone }: StepItem['step']) =>
  !isUndone && (control === 'reset' || control === 'clearLog')

/**
 * The changes that no request made and that match the search, oldest first, since the log was emptied. A rewind is seen by the
 * requests that it undid.
 */
const changesOf = (name: keyof typeof filters) =>
  steps.value
    .slice(Math.max(0, steps.value.findLastIndex(emptiesLog)))
    .filter(
      ({ control, changed, done }) =>
        control !== undefined &&
        control !== 'rewind' &&
        name !== 'failed' &&
        (name === '' || changed > 0) &&
        hasWords(done.toLowerCase(), words.value),
    )
const changes = computed(() => changesOf(filter.value))

export const items = computed<Item[]>(() => {
  const list: Item[] = []
  const all = rows.value
  const left = entries.value?.length ? [...changes.value] : []
  const addChanges = (newerThan: number) => {
    while ((left.at(-1)?.since ?? -1) >= newerThan) {
      const step = left.pop() as StepItem['step']
      list.push({ kind: 'step', key: `step ${step.id}`, step, time: clockTime(step) })
    }
  }
  const hasUndone = (history.value.undone ?? []).length > 0
  let chapter: Chapter | undefined
  let fold: Fold | undefined
  /** The oldest request of a chapter gives it its time, and its name. */
  const endChapter = (oldest: LogEntry | undefined) => {
    if (!chapter || !oldest) return
    chapter.time = clockTime(oldest)
    chapter.key = `chapter ${oldest.id}`
    chapter = undefined
  }
  for (let i = all.length - 1; i >= 0; i -= 1) {
    const row = all[i] as Row
    const { entry } = row
    const below = all[i - 1]?.entry
    addChanges(entry.id)
    if (hasUndone && isUndone(entry.id)) {
      if (!fold) {
        fold = { kind: 'fold', key: '', ids: [], isOpen: false }
        list.push(fold)
        endChapter(all[i + 1]?.entry)
      }
      fold.ids.push(...row.ids)
      fold.key = `fold ${fold.ids.at(-1)}`
      continue
    }
    fold = undefined
    if (!chapter || chapter.session !== entry.session) {
      endChapter(all[i + 1]?.entry)
      chapter = { kind: 'chapter', key: '', session: entry.session, time: '' }
      list.push(chapter)
    }
    list.push(requestItem(row, below))
  }
  endChapter(all[0]?.entry)
  addChanges(0)
  return openFolds.value.size === 0 ? list : list.flatMap(unfolded)
})

/** A fold that is open, with its requests. */
function unfolded(item: Item): Item[] {
  if (item.kind !== 'fold' || !openFolds.value.has(item.ids.at(-1) ?? 0)) return [item]
  const inside = new Set(item.ids)
  const requests = rows.value.filter(({ entry }) => inside.has(entry.id)).reverse()
  return [{ ...item, isOpen: true }, ...requests.map((row) => requestItem(row))]
}

const idsOf = (item: Item | undefined): number[] => (item && 'ids' in item ? item.ids : [])

/** The index of the item that shows a request, or -1. */
export const indexOf = (id: number | undefined): number =>
  id === undefined ? -1 : items.value.findLastIndex((item) => idsOf(item).includes(id))

/** The number of items above the bar "Now". */
export const barAt = computed(() => {
  const all = entries.value ?? []
  const above = position.value
  const oldest = all[all.length - above]
  if (above === 0 || !oldest) return 0
  return items.value.findLastIndex((item) => idsOf(item).some((id) => id >= oldest.id)) + 1
})

/** How many requests are above a place between two items. */
export function requestsAbove(index: number): number {
  const all = entries.value ?? []
  const above = items.value.slice(0, index).findLast((item) => 'ids' in item)
  const oldest = Math.min(...idsOf(above))
  const found = all.findIndex(({ id }) => id === oldest)
  return found < 0 ? 0 : all.length - found
}

/** Whether an item at an index is undone, or would be by letting go of the bar. */
export const isOff = (index: number, item: RequestItem): boolean =>
  (preview.value !== undefined && index < barAt.value) || isUndone(item.entry.id)

/** The request that was shown last by its id, which the list scrolls to. */
export const shownRequest = signal<number | undefined>(undefined)

/** Shows a request, whatever is searched for, and folded. */
export function showRequest(id: number): void {
  show('timeline', String(id))
  if (!rows.value.some(({ ids }) => ids.includes(id))) pinned.value = new Set([...pinned.value, id])
  const fold = items.value.find((item) => item.kind === 'fold' && item.ids.includes(id)) as Fold | undefined
  if (fold && !fold.isOpen) toggleFold(fold.ids.at(-1) ?? 0)
  select(id)
  shownRequest.value = undefined
  shownRequest.value = id
}
