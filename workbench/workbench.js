// The page of the mock. Its parts are created once and refreshed when the mock reports a change.

import { call, control, showStep } from './control.js'
import { createData, refreshData } from './data.js'
import { createDetails, rewindBefore, sendAgain } from './details.js'
import { debounce, element, find, openForm } from './dom.js'
import { createLog, followLog, refreshLog, select, setFollowing, step } from './log.js'
import {
  createOutcomes,
  editResponse,
  refreshChaos,
  refreshClock,
  refreshDelay,
  refreshScenarios,
} from './outcomes.js'
import { choosePersona, createPersonas, refreshPersonas } from './personas.js'
import { openPersona } from './records.js'
import { createState, refreshLogSize, refreshSnapshots } from './state.js'

// The panes. The part of the address behind # is the one that is open.

const panes = ['log', 'data', 'outcomes', 'state', 'personas']

const openPane = () => document.body.dataset.pane

let dataIsReady = false
function showPane() {
  const wanted = location.hash.slice(1)
  const pane = panes.includes(wanted) ? wanted : 'log'
  document.body.dataset.pane = pane
  for (const link of find('panes').children) {
    if (link.hash === `#${pane}`) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  if (pane !== 'data') return undefined
  if (dataIsReady) return refreshData()
  dataIsReady = true
  return createData()
}

const undo = async () => showStep('Undone', await control('POST', 'undo'))
const redo = async () => showStep('Made again', await control('POST', 'redo'))

// Keys. Those that are alike are those of the terminal.

const searches = { log: 'log-search', data: 'data-search', personas: 'persona-search' }
const goTo = (pane, id) => {
  location.hash = pane
  void showPane()
  if (id) find(id).focus()
}

const keys = {
  1: ['the log', () => goTo('log', 'log')],
  2: ['the data', () => goTo('data', 'grid')],
  3: ['outcomes', () => goTo('outcomes', 'delay')],
  4: ['the state', () => goTo('state', 'snapshot-name')],
  p: ['the personas', () => focusPersonas()],
  '/': ['search in this pane', () => find(searches[openPane()] ?? 'log-search').focus()],
  j: ['the next request', () => step('ArrowDown')],
  k: ['the previous request', () => step('ArrowUp')],
  u: ['undo the last change', undo],
  y: ['make it again', redo],
  w: ['go back to before the selected request', rewindBefore],
  a: ['send the selected request again', sendAgain],
  '?': ['these keys', () => showKeys()],
}

const keysAreOff = () => localStorage.getItem('keys') === 'off'

function focusPersonas() {
  goTo(getComputedStyle(find('personas-link')).display === 'none' ? openPane() : 'personas')
  const cards = find('personas')
  const card = cards.querySelector('[aria-pressed="true"]') ?? cards.querySelector('button')
  card?.focus()
}

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
  const isTyping = target.matches('input, select, textarea, dialog *')
  if (isTyping || ctrlKey || metaKey || altKey || keysAreOff() || !Object.hasOwn(keys, key)) return undefined
  event.preventDefault()
  return keys[key][1]()
})

// Changes

const refreshSoon = debounce(() => refresh(), 100)
const refreshDataSoon = debounce(() => openPane() === 'data' && refreshData(), 100)

const refresh = () =>
  Promise.all([
    refreshPersonas(),
    refreshScenarios(),
    refreshDelay(),
    refreshChaos(),
    refreshClock(),
    refreshSnapshots(),
    refreshLogSize(),
    refreshLog(),
    openPane() === 'data' && refreshData(),
  ])

function showConnection(isConnected) {
  find('connection').className = isConnected ? 'good' : 'bad'
  find('connection').textContent = isConnected
    ? `Connected to ${location.host}`
    : 'The mock does not answer. Reconnecting…'
  if (isConnected) refreshSoon()
}

const { output: possible, error } = await call('GET', 'scenarios/possible')
if (possible) {
  createPersonas()
  createOutcomes(possible)
  createState(possible)
  createLog()
  createDetails({
    onSent: (id) => select(id),
    onEdit: () => setFollowing(false),
    onRespond: ({ operation, status, response }) => {
      const text = response.body?.text
      try {
        editResponse(operation, { status, body: text && JSON.parse(text) })
      } catch {
        editResponse(operation, { status, text })
      }
    },
  })
  find('undo').onclick = undo
  find('redo').onclick = redo
  find('keys').onclick = showKeys
  find('new-persona').onclick = () => openPersona((id) => choosePersona(id))
  find('who').onclick = (event) => {
    event.preventDefault()
    focusPersonas()
  }
  addEventListener('hashchange', showPane)
  void showPane()
  void followLog({
    onRequest: ({ method }) => !/^(GET|HEAD|OPTIONS)$/.test(method) && refreshDataSoon(),
    onChange: refreshSoon,
    onConnection: showConnection,
  })
} else {
  find('connection').className = 'bad'
  find('connection').textContent = error
}
