// The data: a table of each kind, searched, sorted and edited in place.

import { call, control } from './control.js'
import { button, debounce, element, find, newId, showMessage } from './dom.js'
import { fieldsOf, keyOf, kinds, openRecord, parseEntered, textOf } from './records.js'
import { indexAfterKey, windowedRows } from './windowed-rows.js'

const pageSize = 100

let kind = 'projects'
let sort = ''
let total = 0
let matched = 0
/** The loaded pages of records, by their number. */
let pages = new Map()
/** Raised when the data or what is asked for changes: pages of an earlier version are not used. */
let version = 0
let active = { row: 0, column: 0 }
let editing = false
let rows

const grid = () => find('grid')
const recordAt = (row) => pages.get(Math.floor(row / pageSize))?.[row % pageSize]

async function loadPage(number, of = version) {
  const found = await control('GET', 'data', {
    kind,
    offset: number * pageSize,
    limit: pageSize,
    search: find('data-search').value.trim() || undefined,
    sort: sort || undefined,
  })
  return of === version ? found : undefined
}

/** Reads again what is visible. */
export async function refreshData() {
  version += 1
  const first = Math.floor(firstVisible() / pageSize)
  const found = await Promise.all([loadPage(first), loadPage(first + 1)])
  if (editing || !found[0]) return
  pages = new Map()
  for (const [i, loaded] of found.entries())
    if (loaded?.records.length > 0) pages.set(first + i, loaded.records)
  total = found[0].total
  matched = found[0].matched
  showCount()
  rows.showNow()
}

const firstVisible = () => Math.floor(find('grid-scroller').scrollTop / rows.height())

const requested = new Map()
/** Reads the page that has a row, once. */
async function need(row) {
  const number = Math.floor(row / pageSize)
  if (requested.get(number) === version) return
  requested.set(number, version)
  const found = await loadPage(number)
  requested.delete(number)
  if (!found) return
  pages.set(number, found.records)
  rows.show()
}

function showCount() {
  const { name, one } = kinds[kind]
  const all = `${total.toLocaleString('en')} ${total === 1 ? one : name}`
  find('data-count').textContent = matched === total ? all : `${matched.toLocaleString('en')} of ${all}`
  find('data-empty').hidden = matched > 0
  find('data-empty').textContent = total > 0 ? `No ${name} match the search.` : `There are no ${name}.`
  grid().setAttribute('aria-rowcount', matched + 1)
}

const columns = () => fieldsOf(kind).filter(({ width }) => width)

function drawHead() {
  const cells = columns().map(({ name, minor }) => {
    const way = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'
    const head = element('div', { role: 'columnheader', 'aria-sort': way, className: minor ? 'minor' : '' })
    head.append(button(name, () => sortBy(name), { title: 'Sort' }))
    return head
  })
  cells.push(element('div', { role: 'columnheader' }, element('span', { className: 'unseen' }, 'Actions')))
  find('grid-head').replaceChildren(...cells)
  const widths = columns().map(({ width }) => width)
  grid().style.setProperty('--columns', [...widths, '6.5rem'].join(' '))
  const major = columns().filter(({ minor }) => !minor)
  grid().style.setProperty('--narrow-columns', [...major.map(({ width }) => width), '6.5rem'].join(' '))
  grid().setAttribute('aria-label', kinds[kind].title)
  grid().setAttribute('aria-colcount', cells.length)
}

/** Sorts by a field, then the other way, then not at all. */
function sortBy(name) {
  sort = sort === name ? `-${name}` : sort === `-${name}` ? '' : name
  drawHead()
  find('grid-head').children[columns().findIndex((column) => column.name === name)].firstChild.focus()
  return refreshData()
}

const cellId = (row, column) => `cell-${row}-${column}`

function rowAt(index) {
  const record = recordAt(index)
  const line = element('div', { role: 'row', 'aria-rowindex': index + 2, className: 'grid-row' })
  if (!record) {
    void need(index)
    line.append(element('div', { role: 'gridcell', className: 'quiet' }, '…'))
    return line
  }
  const key = keyOf(kind, record)
  for (const [i, described] of columns().entries()) {
    const isActive = index === active.row && i === active.column
    const cell = element('div', {
      role: 'gridcell',
      id: cellId(index, i),
      className: described.minor ? 'minor' : '',
      title: textOf(record[described.name]),
      'aria-readonly': String(!described.edits),
      'aria-selected': String(isActive),
    })
    cell.dataset.place = `${index} ${i}`
    const text = textOf(record[described.name])
    cell.append(described.edits ? text : element('code', {}, text))
    line.append(cell)
  }
  const more = { tabIndex: -1 }
  const actions = element('div', { role: 'gridcell', className: 'row-actions' })
  actions.append(
    button('Edit', () => edit(record), { ...more, 'aria-label': `Edit ${key}` }),
    button('×', () => remove(record), { ...more, 'aria-label': `Remove ${key}`, title: 'Remove' }),
  )
  line.append(actions)
  return line
}

function activate(row, column) {
  active = { row, column }
  rows.showNow()
  grid().setAttribute('aria-activedescendant', cellId(row, column))
}

/** Shows an input in place of a cell. It is saved with Enter or when left, and dropped with Escape. */
function editCell(row, column) {
  const record = recordAt(row)
  const described = columns()[column]
  const cell = find(cellId(row, column))
  if (!record || !described || !cell || editing) return
  if (!described.edits) return void edit(record)
  editing = true
  const faultId = newId()
  const input = element('input', {
    type: 'text',
    value: textOf(record[described.name]),
    'aria-label': `${described.name} of ${keyOf(kind, record)}`,
    'aria-describedby': faultId,
    list: described.refers ? `list-${described.refers}` : undefined,
  })
  // Without line breaks, which a line has not.
  const earlier = input.value
  const fault = element('small', { id: faultId, className: 'fault cell-fault', role: 'alert' })
  cell.replaceChildren(input, fault)
  cell.classList.add('editing')
  input.focus()
  input.select()

  let done = false
  let saving = false
  const finish = (refocus) => {
    if (done) return
    done = true
    editing = false
    rows.showNow()
    if (refocus) grid().focus()
    // It may have changed meanwhile, by another interface.
    void refreshData()
  }
  const save = async (refocus) => {
    if (done || saving) return
    if (input.value === earlier) return finish(refocus)
    saving = true
    const value = parseEntered(described, input.value)
    const key = keyOf(kind, record)
    const { output, error, faults } = await call('PUT', 'data', {
      kind,
      key,
      fields: { [described.name]: value },
    })
    saving = false
    if (error !== undefined) {
      fault.textContent = faults[0]?.reason ?? error
      input.setAttribute('aria-invalid', 'true')
      return input.focus()
    }
    Object.assign(record, output.record)
    return finish(refocus)
  }
  input.onkeydown = (event) => {
    event.stopPropagation()
    if (event.key === 'Escape') finish(true)
    if (event.key === 'Enter') void save(true)
  }
  input.onblur = () => (fault.textContent ? finish(false) : save(false))
}

const edit = (record) => openRecord(kind, record, refreshData)

async function remove(record) {
  const key = keyOf(kind, record)
  if (kind === 'sessions') {
    // With its user, as `persona remove`.
    const { error } = await call('DELETE', 'sessions', { id: key })
    return error === undefined ? showRemoved(key, {}) : showMessage(error)
  }
  const { output, error } = await call('DELETE', 'data', { kind, key })
  if (error === undefined) return showRemoved(key, output)
  const isReferred =
    kinds[kind].referred && confirm(`${error.replace(/ Remove them with it.*$/, '')}\n\nRemove them too?`)
  if (!isReferred) return kinds[kind].referred ? undefined : showMessage(error)
  const removed = await control('DELETE', 'data', { kind, key, dependants: true })
  return removed && showRemoved(key, removed)
}

function showRemoved(key, { removed = {} }) {
  const others = Object.entries(removed).filter(([name, count]) => name !== kind && count > 0)
  const more = others.map(([name, count]) => `${count} ${kinds[name]?.name ?? name}`).join(', ')
  showMessage(`Removed ${key}${more ? `, with ${more}` : ''}. Undo brings it back.`)
  return refreshData()
}

function showKind(name) {
  kind = name
  sort = ''
  active = { row: 0, column: 0 }
  find('data-search').value = ''
  find('grid-scroller').scrollTop = 0
  for (const tab of find('kinds').children)
    tab.setAttribute('aria-pressed', String(tab.dataset.kind === kind))
  find('add-record').textContent = `Add a ${kinds[kind].one}`
  pages = new Map()
  drawHead()
  return refreshData()
}

function onKey(event) {
  const { key, target } = event
  if (target !== grid() || event.ctrlKey || event.metaKey || event.altKey) return
  const last = columns().length - 1
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    event.preventDefault()
    activate(active.row, Math.max(0, Math.min(last, active.column + (key === 'ArrowLeft' ? -1 : 1))))
  } else if (key === 'Enter' || key === 'F2') {
    event.preventDefault()
    editCell(active.row, active.column)
  } else if (key === 'Delete') {
    const record = recordAt(active.row)
    if (record) void remove(record)
  } else {
    const next = indexAfterKey(key, active.row, matched, rows.page())
    if (next === undefined) return
    event.preventDefault()
    active.row = next
    rows.reveal(next)
    activate(next, active.column)
  }
}

export function createData() {
  const scroller = find('grid-scroller')
  const head = element('div', { id: 'grid-head', role: 'row', className: 'grid-row' })
  scroller.prepend(
    element(
      'div',
      { id: 'grid', role: 'grid', tabIndex: 0 },
      element('div', { id: 'grid-top', role: 'rowgroup' }, head),
      element('div', { id: 'grid-body', role: 'rowgroup' }),
    ),
  )
  rows = windowedRows({
    scroller,
    body: find('grid-body'),
    count: () => matched,
    rowAt,
    isPaused: () => editing,
  })
  for (const [name, { title }] of Object.entries(kinds)) {
    const tab = button(title, () => showKind(name))
    tab.dataset.kind = name
    find('kinds').append(tab)
  }
  const searchSoon = debounce(() => {
    scroller.scrollTop = 0
    return refreshData()
  }, 120)
  find('data-search').oninput = searchSoon
  find('add-record').onclick = () => openRecord(kind, undefined, refreshData)
  grid().onkeydown = onKey
  grid().onclick = ({ target }) => {
    const place = target.closest('[data-place]')?.dataset.place
    if (!place || editing) return
    const [row, column] = place.split(' ').map(Number)
    const isSecond = row === active.row && column === active.column && document.activeElement === grid()
    activate(row, column)
    grid().focus()
    if (isSecond) editCell(row, column)
  }
  return showKind(kind)
}
