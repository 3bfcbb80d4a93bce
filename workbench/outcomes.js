// What differs from the ordinary: forced outcomes, responses of one's own, chaos, delay and clock.

import { call, control } from './control.js'
import { button, element, field, find, openForm, options, setUnlessEdited } from './dom.js'
import { indented } from './json-text.js'
import { personaIds } from './personas.js'

const rows = new Map()
const switches = new Map()
const ownResponse = '(own response)'

let operations = {}
let scenarios = []

export function createOutcomes(possible) {
  operations = possible.operations
  for (const [name, description] of Object.entries(possible.named)) {
    const input = element('input', { type: 'checkbox' })
    input.onchange = () => control(input.checked ? 'PUT' : 'DELETE', 'scenarios', { target: name })
    switches.set(name, input)
    const text = element('span', {}, element('strong', {}, name), ` ${description}`)
    find('named').append(element('label', { className: 'switch' }, input, text))
  }
  for (const [operation, outcomes] of Object.entries(operations)) {
    const row = rowOf(operation, outcomes)
    rows.set(operation, row)
    find('operations').append(row.line)
  }
  const setDelay = (ms) => control('PUT', 'delay', { ms })
  find('delay').onchange = ({ target }) => setDelay(target.value.trim() || 0)
  for (const ms of ['0', '300', '200-800', '3000']) {
    find('delay-choices').append(button(ms === '0' ? 'none' : ms, () => setDelay(ms)))
  }
  createChaos()
  createClock()
  find('clear-scenarios').onclick = () => control('DELETE', 'scenarios')
}

/** Forces an outcome of an operation; '' stands for none. */
const force = (operation, outcome, more = {}) =>
  outcome === ''
    ? control('DELETE', 'scenarios', { target: operation })
    : control('PUT', 'scenarios', { target: operation, outcome, ...more })

function rowOf(operation, outcomes) {
  const outcome = element('select', { 'aria-label': `Outcome of ${operation}` })
  outcome.append(
    ...options([['', 'as usual'], ...outcomes.map((name) => [name]), [ownResponse, 'own response…']]),
  )
  const times = element('input', {
    type: 'number',
    min: 1,
    placeholder: 'always',
    'aria-label': `How many times the outcome of ${operation} is forced`,
  })
  const session = element('select', { 'aria-label': `For whom the outcome of ${operation} is forced` })
  const delay = element('input', {
    type: 'text',
    placeholder: 'ms',
    'aria-label': `Delay of ${operation}, in ms`,
  })
  const limits = () => ({
    ...(times.value && { times: Number(times.value) }),
    ...(session.value && { session: session.value }),
  })
  const apply = () => {
    if (outcome.value !== ownResponse) return force(operation, outcome.value, limits())
    const found = current(operation)
    return editResponse(operation, { ...found?.response, ...limits() })
  }
  outcome.onchange = () => apply()
  const reapply = () => {
    const found = current(operation)
    if (!found) return undefined
    const { response } = found
    return control('PUT', 'scenarios', {
      target: operation,
      ...(response ? { response } : { outcome: found.outcome }),
      ...limits(),
    })
  }
  times.onchange = reapply
  session.onchange = reapply
  delay.onchange = () => control('PUT', 'delay', { ms: delay.value.trim() || null, operation })
  const cell = (content, label) =>
    element(
      'span',
      { className: 'cell' },
      element('span', { className: 'narrow-label', 'aria-hidden': 'true' }, label),
      content,
    )
  const line = element('li', {}, element('strong', {}, operation))
  line.append(cell(outcome, 'Outcome'), cell(times, 'Times'), cell(session, 'For'), cell(delay, 'Delay'))
  return { line, outcome, times, session, delay }
}

const current = (operation) => scenarios.find(({ target }) => target === operation)

/**
 * Opens a form for a response of one's own. It is checked against the contract, unless that is switched off.
 * @param preset the status, the body, the times and the persona to begin with
 */
export function editResponse(operation, preset = {}) {
  const target = element('select', {})
  target.append(
    ...options(
      Object.keys(operations).map((name) => [name]),
      operation,
    ),
  )
  const status = field(
    'Status',
    element('input', { type: 'number', min: 200, max: 599, value: preset.status ?? 200 }),
  )
  const text = preset.text ?? (preset.body === undefined ? '' : JSON.stringify(preset.body, null, 2))
  const body = field('Body', element('textarea', { rows: 12, value: text, spellcheck: false }))
  const times = field(
    'How many times',
    element('input', { type: 'number', min: 1, placeholder: 'always', value: preset.times ?? '' }),
  )
  const session = element('select', {})
  session.append(...callerOptions(preset.session))
  const unchecked = element('input', { type: 'checkbox', checked: preset.unchecked ?? false })
  const latest = button('Take the latest response', async () => {
    const found = await latestResponse(target.value)
    if (!found) return body.setFault('The log has no response of this operation.')
    status.input.value = found.status
    body.input.value = indented(found.response.body?.text ?? '')
    body.setFault()
  })
  const submit = async () => {
    const response = { status: Number(status.input.value), ...(unchecked.checked && { unchecked: true }) }
    try {
      response.body = JSON.parse(body.input.value)
    } catch {
      if (!unchecked.checked) {
        body.setFault('This is not JSON. Without the check it can be any text.')
        return false
      }
      response.text = body.input.value
    }
    const { error } = await call('PUT', 'scenarios', {
      target: target.value,
      response,
      ...(times.input.value && { times: Number(times.input.value) }),
      ...(session.value && { session: session.value }),
    })
    if (error) {
      body.setFault(error)
      body.input.focus()
    }
    return !error
  }
  const dialog = openForm(
    'A response of your own',
    'Respond with it',
    [
      field('Operation', target).line,
      status.line,
      body.line,
      element('div', { className: 'bar' }, latest),
      times.line,
      field('For', session).line,
      element('label', { className: 'switch' }, unchecked, 'Send it even if the contract does not allow it'),
    ],
    submit,
  )
  dialog.addEventListener('close', () => refreshScenarios())
}

async function latestResponse(operation) {
  const log = await control('GET', 'log')
  const entry = log?.findLast((candidate) => candidate.operation === operation && candidate.status > 0)
  return entry && control('GET', `log/entry?id=${entry.id}`)
}

const callerOptions = (chosen = '') => {
  const ids = new Set([...personaIds(), ...(chosen ? [chosen] : [])])
  return options([['', 'everybody'], ...[...ids].map((id) => [id])], chosen)
}

const outcomeText = ({ outcome, response }) =>
  response ? `${response.unchecked ? 'unchecked ' : ''}response ${response.status ?? 200}` : (outcome ?? 'on')
const limitsOf = ({ times, session }) =>
  [times && `${times} left`, session && `for ${session}`].filter(Boolean).join(', ')

export async function refreshScenarios() {
  scenarios = (await control('GET', 'scenarios')) ?? []
  for (const [name, input] of switches) input.checked = scenarios.some(({ target }) => target === name)
  for (const [operation, { line, outcome, times, session }] of rows) {
    const found = current(operation)
    outcome.value = found ? (found.response ? ownResponse : found.outcome) : ''
    line.classList.toggle('forced', found !== undefined)
    setUnlessEdited(times, found?.times ?? '')
    if (document.activeElement !== session) session.replaceChildren(...callerOptions(found?.session))
  }
  showInForce()
}

let delays = { all: '0', operations: {} }
export async function refreshDelay() {
  delays = (await control('GET', 'delay')) ?? delays
  setUnlessEdited(find('delay'), delays.all === '0' ? '' : delays.all)
  for (const [operation, { delay }] of rows) setUnlessEdited(delay, delays.operations[operation] ?? '')
  showInForce()
}

// Chaos

let chaos = { operations: {} }

function createChaos() {
  const names = Object.keys(operations).map((name) => [name])
  find('chaos-operation').append(...options([['', 'all operations'], ...names], ''))
  find('chaos').onsubmit = async (event) => {
    event.preventDefault()
    const [rate, delay, seed] = ['rate', 'delay', 'seed'].map((name) => find(`chaos-${name}`).value.trim())
    const operation = find('chaos-operation').value
    const { error } = await call('PUT', 'chaos', {
      ...(rate && { errorRate: Number(rate) / 100 }),
      ...(delay && { delay }),
      ...(seed && { seed: Number(seed) }),
      ...(operation && { operation }),
    })
    find('chaos-fault').textContent = error ?? ''
  }
}

const usualFailures = 'INTERNAL_ERROR,SERVICE_UNAVAILABLE'
const chaosText = ({ errorRate, delay, seed, outcomes }) =>
  [
    errorRate > 0 &&
      `${+(errorRate * 100).toPrecision(6)} % fail${`${outcomes}` === usualFailures ? '' : ` with ${outcomes.join(', ')}`}`,
    delay && `${delay} ms`,
    `seed ${seed}`,
  ]
    .filter(Boolean)
    .join(', ')

export async function refreshChaos() {
  chaos = (await control('GET', 'chaos')) ?? chaos
  showInForce()
}

// The clock

let clock = { mode: 'real' }
function createClock() {
  find('clock').onsubmit = (event) => {
    event.preventDefault()
    return control('PUT', 'clock', { at: find('clock-at').value, ticking: find('clock-ticking').checked })
  }
  find('clock-real').onclick = () => control('PUT', 'clock')
}

export async function refreshClock() {
  clock = (await control('GET', 'clock')) ?? clock
  const modes = { real: 'the real time', fixed: 'stopped', ticking: 'ticking from the time set' }
  find('clock-now').textContent = `The mock's time is ${clock.now}: ${modes[clock.mode]}.`
  showInForce()
}

/** Shows everything that differs from the ordinary, each with a button that ends it. */
function showInForce() {
  const chips = [
    ...scenarios.map((scenario) => {
      const limits = limitsOf(scenario)
      const text = `${scenario.target}: ${outcomeText(scenario)}${limits ? ` (${limits})` : ''}`
      return chip(text, () => control('DELETE', 'scenarios', { target: scenario.target }))
    }),
    ...(delays.all === '0' ? [] : [chip(`delay ${delays.all} ms`, () => control('PUT', 'delay', { ms: 0 }))]),
    ...Object.entries(delays.operations).map(([operation, ms]) =>
      chip(`delay of ${operation} ${ms} ms`, () => control('PUT', 'delay', { ms: null, operation })),
    ),
    ...(chaos.all ? [chip(`chaos: ${chaosText(chaos.all)}`, () => control('DELETE', 'chaos'))] : []),
    ...Object.entries(chaos.operations).map(([operation, profile]) =>
      chip(`chaos of ${operation}: ${chaosText(profile)}`, () => control('DELETE', 'chaos', { operation })),
    ),
    ...(clock.mode === 'real' ? [] : [chip(`clock ${clock.mode}`, () => control('PUT', 'clock'))]),
  ]
  find('in-force').hidden = chips.length === 0
  find('in-force').firstChild.replaceChildren(...chips)
  find('outcome-count').hidden = chips.length === 0
  find('outcome-count').textContent = chips.length
  find('outcome-count').setAttribute('aria-label', `${chips.length} in force`)
}

const chip = (text, end) =>
  element(
    'li',
    { className: 'chip' },
    text,
    button('×', end, { 'aria-label': `End ${text}`, title: 'End this' }),
  )
