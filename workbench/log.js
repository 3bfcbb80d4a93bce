// The log: a list of the requests, the newest first, and a search.

import { control } from './control.js'
import { showDetails } from './details.js'
import { debounce, element, find } from './dom.js'
import { outcomeOf, outcomePill } from './entry-outcome.js'
import { indexAfterKey, windowedRows } from './windowed-rows.js'

/** The stored entries, oldest first. */
let entries = []
/** Those that match the search. */
let matching = []
let words = []
/** The most that the mock stores. */
let size = Number.POSITIVE_INFINITY
let selected
/** Whether the newest entry is selected as it arrives. */
let follows = true

const texts = new WeakMap()
function textOf(entry) {
  let text = texts.get(entry)
  if (text === undefined) {
    const { id, method, path, operation = '', session = 'signed out', why } = entry
    text = `#${id} ${method} ${path} ${outcomeOf(entry)} ${operation} ${session} ${why}`.toLowerCase()
    texts.set(entry, text)
  }
  return text
}
const matches = (entry) => words.every((word) => textOf(entry).includes(word))

const entryAt = (index) => matching[matching.length - 1 - index]
const indexOf = (id) => {
  const position = matching.findIndex((entry) => entry.id === id)
  return position < 0 ? -1 : matching.length - 1 - position
}

const idOf = (entry) => `log-${entry.id}`
function rowAt(index) {
  const entry = entryAt(index)
  const { id, time, method, path, session, why, ms } = entry
  const row = element(
    'div',
    {
      id: idOf(entry),
      role: 'option',
      className: 'log-row',
      'aria-selected': String(id === selected),
      'aria-setsize': matching.length,
      'aria-posinset': index + 1,
      title: `${path}, decided by: ${why}`,
    },
    element('span', { className: 'quiet' }, new Date(time).toLocaleTimeString('en-GB')),
    element('strong', {}, method),
    element('span', {}, path),
    outcomePill(entry),
    element('span', { className: 'quiet' }, session ?? 'signed out'),
    element('span', { className: 'quiet' }, `${ms} ms`),
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

export const selectedId = () => selected

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
  const all = entries.length.toLocaleString('en')
  const text = words.length > 0 ? `${matching.length.toLocaleString('en')} of ${all}` : all
  find('log-count').textContent = text
  find('log-empty').hidden = matching.length > 0
  find('log-empty').firstChild.textContent =
    entries.length > 0 ? 'No request matches the search.' : 'No requests yet.'
  find('log-hint').hidden = entries.length > 0
}

function search() {
  words = find('log-search').value.toLowerCase().split(/\s+/).filter(Boolean)
  matching = words.length > 0 ? entries.filter(matches) : [...entries]
  find('log-scroller').scrollTop = 0
  showCount()
  rows.show()
  if (follows) selectNewest()
}

function removeAll() {
  entries = []
  matching = []
  selected = undefined
  void showDetails(undefined)
  showCount()
  rows.show()
}

/** Entries that have arrived and are not shown yet. */
let arrived = []
function addArrived() {
  const added = arrived
  arrived = []
  // A smaller id is of a mock that was started again: it has seen nothing of the earlier log.
  if (added[0]?.id <= (entries.at(-1)?.id ?? 0)) removeAll()
  for (const entry of added) entries.push(entry)
  const visible = words.length > 0 ? added.filter(matches) : added
  for (const entry of visible) matching.push(entry)
  trim()
  const scroller = find('log-scroller')
  // What is read stays where it is.
  if (!follows && scroller.scrollTop > 0) scroller.scrollTop += visible.length * rows.height()
  showCount()
  rows.show()
  if (follows) selectNewest()
}

/** Removes what the mock has removed too. */
function trim() {
  if (entries.length <= size) return
  entries = entries.slice(-size)
  const [first] = entries
  matching = matching.filter(({ id }) => id >= first.id)
}

/** Compares the list with the mock's log, which another interface may have cleared or resized. */
export async function refreshLog() {
  size = (await control('GET', 'log/size')) ?? size
  const last = entries.at(-1)
  const stored = last && (await control('GET', `log?since=${last.id - 1}`))
  if (stored?.length === 0) return removeAll()
  trim()
  showCount()
}

/**
 * Reads the log, then follows it and the controls.
 * @param onRequest called with each request @param onChange called when a control has changed something
 */
export async function followLog({ onRequest, onChange, onConnection }) {
  arrived = (await control('GET', 'log')) ?? []
  const last = arrived.at(-1)?.id ?? 0
  addArrived()
  const events = new EventSource(`/__dev/log/follow?since=${last}`)
  events.addEventListener('request', ({ data }) => {
    const entry = JSON.parse(data)
    if (arrived.length === 0) setTimeout(addArrived, 50)
    arrived.push(entry)
    onRequest(entry)
  })
  events.addEventListener('change', onChange)
  events.onopen = () => onConnection(true)
  events.onerror = () => onConnection(false)
}

export function createLog() {
  const [scroller, list] = [find('log-scroller'), find('log')]
  rows = windowedRows({ scroller, body: list, count: () => matching.length, rowAt })
  list.onclick = ({ target }) => {
    const row = target.closest('[data-id]')
    if (row) select(Number(row.dataset.id))
  }
  list.onkeydown = (event) => {
    if (event.key === 'Enter') find('details').focus()
    const next = indexAfterKey(event.key, indexOf(selected), matching.length, rows.page())
    if (next === undefined) return
    event.preventDefault()
    select(entryAt(next).id)
    rows.reveal(next)
  }
  find('log-search').oninput = debounce(search, 60)
  find('follow').onclick = () => setFollowing(!follows)
  find('clear-log').onclick = async () => {
    if (await control('DELETE', 'log')) removeAll()
  }
  showCount()
  void showDetails(undefined)
}

/** Selects the next entry in a direction, from anywhere on the page. */
export function step(key) {
  const next = indexAfterKey(key, indexOf(selected), matching.length, rows.page())
  if (next === undefined) return
  select(entryAt(next).id)
  rows.reveal(next)
}
