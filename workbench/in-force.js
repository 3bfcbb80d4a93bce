// What the mock answers, and what of it differs from the ordinary: forced outcomes, responses of one's own, chaos, delay and clock.

import { control } from './control.js'
import { button, element, find } from './dom.js'

/** The latest that the mock has reported. */
export const inForce = {
  targets: [],
  scenarios: [],
  delays: { all: '0', operations: {} },
  chaos: { operations: {} },
  clock: { mode: 'real' },
}

export const scenarioOf = (target) => inForce.scenarios.find((scenario) => scenario.target === target)

/** Forces an outcome of a target; undefined ends it. */
export const force = (target, outcome, limits = {}) =>
  outcome === undefined
    ? control('DELETE', 'scenarios', { target })
    : control('PUT', 'scenarios', { target, outcome, ...limits })

export const outcomeText = ({ outcome, response }) =>
  response
    ? `${response.unchecked ? 'unchecked ' : ''}response ${response.status ?? 200}`
    : String(outcome ?? 'on')

export const limitsOf = ({ times, session }) =>
  [times && `${times} left`, session && `for ${session}`].filter(Boolean).join(', ')

export async function refreshInForce() {
  const [targets, scenarios, delays, chaos, clock] = await Promise.all(
    ['targets', 'scenarios', 'delay', 'chaos', 'clock'].map((name) => control('GET', name)),
  )
  const read = Object.entries({ targets, scenarios, delays, chaos, clock }).filter(([, value]) => value)
  Object.assign(inForce, Object.fromEntries(read))
  showChips()
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

/** Shows everything that differs from the ordinary, each with a button that ends it. */
function showChips() {
  const { scenarios, delays, chaos, clock } = inForce
  const chips = [
    ...scenarios.map((scenario) => {
      const limits = limitsOf(scenario)
      const text = `${scenario.target}: ${outcomeText(scenario)}${limits ? ` (${limits})` : ''}`
      return chip(text, () => force(scenario.target))
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
  find('clear-scenarios').disabled = scenarios.length === 0
}

const chip = (text, end) =>
  element(
    'li',
    { className: 'chip' },
    text,
    button('×', end, { 'aria-label': `End ${text}`, title: 'End this' }),
  )
