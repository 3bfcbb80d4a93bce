// The page of the mock. Its parts are created once and refreshed when the mock reports a change.

import { call, connection, control, isInPage, showStep } from './control.js'
import { createData, refreshData } from './data.js'
import { copyCurl, createDetails, rewindBefore, sendAgain, showOutcomes } from './details.js'
import { debounce, element, find, openForm } from './dom.js'
import { refreshInForce } from './in-force.js'
import { addRequest, createLog, readLog, refreshLog, select, setFollowing, step } from './log.js'
import { createOutcomes, drawOutcomes } from './outcomes.js'
import { choosePersona, createPersonas, openPersonas, refreshPersonas } from './personas.js'
import { openPersona } from './records.js'
import { createState, refreshSnapshots } from './state.js'

// The panes. The part of the address behind # is the one that is open.

const panes = {
  log: { search: 'log-search', focus: 'log' },
  data: { search: 'data-search', focus: 'grid', refresh: showData },
  outcomes: {
    search: 'outcome-search',
    focus: 'outcomes-pane',
    refresh: () => refreshInForce().then(drawOutcomes),
  },
  state: { focus: 'state-pane', refresh: refreshSnapshots },
}
const openPane = () => panes[document.body.dataset.pane]

let dataIsReady = false
function showData() {
  if (dataIsReady) return refreshData()
  dataIsReady = true
  return createData()
}

function showPane(name = location.hash.slice(1)) {
  const pane = Object.hasOwn(panes, name) ? name : 'log'
  document.body.dataset.pane = pane
  for (const link of find('panes').children) {
    if (link.getAttribute('href') === `#${pane}`) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  return panes[pane].refresh?.()
}

async function goTo(pane) {
  // The address of a document that was made in a page is that of the page.
  if (!isInPage) location.hash = pane
  const before = document.activeElement
  await showPane(pane)
  // Who went on to a field meanwhile stays there: leaving it would save what is half typed.
  if ([before, document.body].includes(document.activeElement)) find(panes[pane].focus).focus()
}

const undo = async () => showStep('Undone', await control('POST', 'undo'))
const redo = async () => showStep('Made again', await control('POST', 'redo'))

async function refreshHistory() {
  const possible = await control('GET', 'history')
  for (const [id, verb] of [
    ['undo', 'Undo'],
    ['redo', 'Redo'],
  ]) {
    const title = possible?.[id]
    find(id).disabled = title === undefined
    find(id).title =
      title === undefined ? `There is nothing to ${id}` : `${verb}: ${title} (${id === 'undo' ? 'u' : 'y'})`
  }
}

// Keys. Those that are alike are those of the terminal. None of them leads into a field but the search.

const keys = {
  1: ['the log', () => goTo('log')],
  2: ['the data', () => goTo('data')],
  3: ['outcomes', () => goTo('outcomes')],
  4: ['the state', () => goTo('state')],
  p: ['the personas', openPersonas],
  '/': ['search in this pane', () => find(openPane().search ?? 'log-search').focus()],
  j: ['the next request', () => step('ArrowDown')],
  k: ['the previous request', () => step('ArrowUp')],
  f: ['force an outcome of the selected request', showOutcomes],
  a: ['send the selected request again', sendAgain],
  c: ['copy it as curl', copyCurl],
  w: ['go back to before the selected request', rewindBefore],
  u: ['undo the last change', undo],
  y: ['make it again', redo],
  '?': ['these keys', () => showKeys()],
}

const keysAreOff = () => localStorage.getItem('keys') === 'off'

function showKeys() {
  const list = element('dl', { className: 'keys' })
  const others = [
    ['Arrows, Home, End, Page', 'move in a list or a table'],
    ['Enter, F2', 'edit a cell of the data; in the log, go to the details'],
    ['Delete', 'remove a record of the data'],
    ['Escape', 'leave a field or a form without saving'],
  ]
  const all = [...Object.entries(keys).map(([key, [text]]) => [key, text]), ...others]
  for (const [key, text] of all) {
    list.append(element('dt', {}, element('kbd', {}, key)), element('dd', {}, text))
  }
  const box = element('input', { type: 'checkbox', checked: !keysAreOff() })
  box.onchange = () => localStorage.setItem('keys', box.checked ? 'on' : 'off')
  openForm('Keys', '', [
    list,
    element('label', { className: 'switch' }, box, 'Single letters are keys of this page'),
  ])
}

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if (key === 'Escape' && target.matches('input[type="search"]')) return target.blur()
  const isTyping = target.matches('input, select, textarea, dialog *, [popover] *')
  if (isTyping || ctrlKey || metaKey || altKey || keysAreOff() || !Object.hasOwn(keys, key)) return undefined
  event.preventDefault()
  return keys[key][1]()
})

// Changes

const refreshSoon = debounce(() => refresh(), 100)
const refreshPaneSoon = debounce(() => openPane().refresh?.(), 100)

const refresh = () =>
  Promise.all([
    refreshPersonas(),
    refreshHistory(),
    refreshLog(),
    openPane() === panes.outcomes || refreshInForce(),
    openPane().refresh?.(),
  ])

/** @param isRestarted whether the log has to be read again */
function showConnection(isConnected, isRestarted) {
  const text = isConnected ? `Connected to ${connection.name}` : 'The mock does not answer. Reconnecting…'
  find('connection').className = isConnected ? 'good' : 'bad'
  find('connection').textContent = text
  find('connection').title = text
  if (isRestarted) void readLog()
  if (isConnected) refreshSoon()
}

const { output: possible, error } = await call('GET', 'scenarios/possible')
if (possible) {
  createPersonas({ onNew: () => openPersona((id) => choosePersona(id)) })
  createOutcomes(possible)
  createState(possible)
  createLog()
  createDetails({ onSent: (id) => select(id), onEdit: () => setFollowing(false) })
  find('undo').onclick = undo
  find('redo').onclick = redo
  find('keys').onclick = showKeys
  addEventListener('hashchange', () => showPane())
  find('panes').onclick = (event) => {
    const link = event.target.closest('a')
    if (!isInPage || !link) return
    event.preventDefault()
    void showPane(link.getAttribute('href').slice(1))
  }
  const last = await readLog()
  void showPane()
  connection.follow(last, {
    onRequest(entry) {
      addRequest(entry)
      refreshPaneSoon()
    },
    onChange: refreshSoon,
    onConnection: showConnection,
  })
} else {
  find('connection').className = 'bad'
  find('connection').textContent = error
}
