// The log: a list of the requests, the newest first, and a search.

import { control } from './control.js'
import { showDetails } from './details.js'
import { button, debounce, download, element, find } from './dom.js'
import { outcomeOf, outcomePill } from './entry-outcome.js'
import { openOutcomes, respond } from './outcome-menu.js'
import { indexAfterKey, windowedRows } from './windowed-rows.js'

/** The stored entries, oldest first. */
let entries = []
/** Those that match the search. */
let matching = []
let words = []
let selected
/** Whether the newest entry is selected as it arrives. */
let follows = true

const texts = new WeakMap()
function textOf(entry) {
  let text = texts.get(entry)
  if (text === undefined) {
    const { id, method, path, target = '', session = 'signed out', why } = entry
    text = `#${id} ${method} ${path} ${outcomeOf(entry)} ${target} ${session} ${why}`.toLowerCase()
    texts.set(entry, text)
  }
  return text
}
const matches = (entry) => words.every((word) => textOf(entry).includes(word))

/** How many requests a row stands for: what nobody answers is often asked again and again. */
const repeats = new WeakMap()
function showRow(entry) {
  const last = matching.at(-1)
  if (entry.kind === 'unanswered' && last?.target === entry.target) {
    repeats.set(entry, (repeats.get(matching.pop()) ?? 1) + 1)
    if (selected === last.id) selected = entry.id
  }
  matching.push(entry)
}

const entryAt = (index) => matching[matching.length - 1 - index]
const indexOf = (id) => {
  const position = matching.findIndex((entry) => entry.id === id)
  return position < 0 ? -1 : matching.length - 1 - position
}

/** The length of a bar for a duration: 1 ms, 10 ms, 100 ms and so on are equally far apart, 10 s is the longest. */
const barLength = (ms) => `${Math.min(100, Math.max(4, Math.log10(ms + 1) * 25))}%`

/** The row of an entry: the one that is shown already, or a new one. */
function rowAt(index) {
  const entry = entryAt(index)
  const row = find(`log-${entry.id}`) ?? rowOf(entry)
  row.setAttribute('aria-selected', String(entry.id === selected))
  row.setAttribute('aria-rowindex', index + 1)
  return row
}

function rowOf(entry) {
  const { id, time, method, path, session, why, ms, kind } = entry
  const times = repeats.get(entry)
  const bar = element('i', {})
  bar.style.width = barLength(ms)
  const isUnanswered = kind === 'unanswered'
  const force = button(
    isUnanswered ? 'Respond' : 'Outcome',
    () => {
      select(id)
      return isUnanswered ? respond(entry) : openOutcomes(force, entry)
    },
    {
      className: 'row-action opens',
      tabIndex: -1,
      'aria-label': `${isUnanswered ? 'Respond to' : 'Outcome of'} ${method} ${path}`,
    },
  )
  const cells = [
    element('span', { className: 'method' }, method),
    element(
      'span',
      { className: 'path' },
      times > 1 && element('b', { className: 'count' }, `×${times}`),
      path,
    ),
    outcomePill(entry),
    element('span', { className: 'who' }, session ?? 'signed out'),
    element('span', { className: 'time' }, new Date(time).toLocaleTimeString('en-GB')),
    element('span', { className: 'duration' }, bar, element('span', {}, `${ms} ms`)),
    force,
  ]
  const row = element(
    'div',
    {
      id: `log-${id}`,
      role: 'row',
      className: `log-row${isUnanswered ? ' unanswered' : ''}`,
      title: `${path}: ${outcomeOf(entry)}, decided by: ${why}`,
    },
    ...cells.map((cell) => {
      if (cell === force) return element('div', { role: 'gridcell', className: 'cell-action' }, cell)
      cell.setAttribute('role', 'gridcell')
      return cell
    }),
  )
  row.dataset.id = id
  return row
}

let rows

/** Selects an entry and shows its details. */
export function select(id, { keepsFollowing = false } = {}) {
  if (!keepsFollowing) setFollowing(false)
  selected = id
  find('log').setAttribute('aria-activedescendant', id === undefined ? '' : `log-${id}`)
  rows.show()
  void showDetails(id)
}

export function setFollowing(value) {
  follows = value
  find('follow').setAttribute('aria-pressed', String(value))
  if (value) selectNewest()
}

function selectNewest() {
  find('log-scroller').scrollTop = 0
  const newest = entryAt(0)
  if (newest?.id !== selected) select(newest?.id, { keepsFollowing: true })
}

function showCount() {
  const all = `${entries.length.toLocaleString('en')} ${entries.length === 1 ? 'request' : 'requests'}`
  find('log-count').textContent = words.length > 0 ? `${matching.length.toLocaleString('en')} of ${all}` : all
  find('log-empty').hidden = matching.length > 0
  find('log-empty').firstChild.textContent =
    entries.length > 0 ? 'No request matches the search.' : 'No requests yet.'
  find('log-hint').hidden = entries.length > 0
  find('log').setAttribute('aria-rowcount', matching.length)
}

function search() {
  words = find('log-search').value.toLowerCase().split(/\s+/).filter(Boolean)
  matching = []
  for (const entry of entries) if (matches(entry)) showRow(entry)
  find('log-scroller').scrollTop = 0
  showCount()
  rows.show()
  if (follows) selectNewest()
}

function removeAll() {
  entries = []
  matching = []
  find('log').replaceChildren()
  selected = undefined
  void showDetails(undefined)
  showCount()
  rows.show()
}

/** Whether an entry was read before it was told. */
const isKnown = ({ id, time, ms }) =>
  id <= (entries.at(-1)?.id ?? 0) &&
  entries.some((known) => known.id === id && known.time === time && known.ms === ms)

/** Entries that have arrived and are not shown yet. */
let arrived = []
function addArrived() {
  const added = arrived.filter((entry) => !isKnown(entry))
  arrived = []
  // A smaller id is of a mock that was started again: it has seen nothing of the earlier log.
  if (added[0]?.id <= (entries.at(-1)?.id ?? 0)) removeAll()
  for (const entry of added) entries.push(entry)
  const before = matching.length
  for (const entry of added) if (matches(entry)) showRow(entry)
  const visible = matching.length - before
  // The mock drops the oldest, too.
  if (entries.length > 1000) refreshSoon()
  const scroller = find('log-scroller')
  // What is read stays where it is.
  if (!follows && scroller.scrollTop > 0) scroller.scrollTop += visible * rows.height()
  showCount()
  rows.show()
  if (follows) selectNewest()
}

function forgetBefore(id) {
  if (!(entries[0]?.id < id)) return
  entries = entries.filter((entry) => entry.id >= id)
  matching = matching.filter((entry) => entry.id >= id)
  if (selected < id) select(entryAt(0)?.id, { keepsFollowing: true })
  showCount()
  rows.show()
}

/** Forgets what the mock's log has no more: another interface may have cleared it. */
export async function refreshLog() {
  const [oldest] = (await control('GET', 'log', { limit: 1 })) ?? entries
  if (oldest) forgetBefore(oldest.id)
  else if (entries.length > 0) removeAll()
}
const refreshSoon = debounce(refreshLog, 500)

export function addRequest(entry) {
  if (arrived.length === 0) setTimeout(addArrived, 50)
  arrived.push(entry)
}

/** Reads the whole log. Returns the id of the last entry. */
export async function readLog() {
  const stored = (await control('GET', 'log')) ?? []
  const last = stored.at(-1)?.id ?? 0
  arrived = [...stored, ...arrived.filter(({ id }) => id > last)]
  addArrived()
  return last
}

export function createLog() {
  const scroller = find('log-scroller')
  const list = element('div', { id: 'log', role: 'grid', tabIndex: 0, 'aria-label': 'Requests' })
  scroller.prepend(list)
  rows = windowedRows({ scroller, body: list, count: () => matching.length, rowAt })
  list.onclick = ({ target }) => {
    const row = target.closest('[data-id]')
    if (row && !target.closest('button')) select(Number(row.dataset.id))
  }
  list.onkeydown = (event) => {
    if (event.target !== list) return
    if (event.key === 'Enter') find('details').focus()
    if (step(event.key)) event.preventDefault()
  }
  find('log-search').oninput = debounce(search, 60)
  find('follow').onclick = () => setFollowing(!follows)
  find('har').onclick = async () => download('log.har', JSON.stringify(await control('GET', 'log/har')))
  find('clear-log').onclick = async () => {
    if (await control('DELETE', 'log')) removeAll()
  }
  void showDetails(undefined)
}

/** Selects the next entry in a direction, from anywhere on the page. Returns whether a key is one for this. */
export function step(key) {
  const next = indexAfterKey(key, indexOf(selected), matching.length, rows.page())
  if (next === undefined) return false
  select(entryAt(next).id)
  rows.reveal(next)
  return true
}
