// The outcomes of a target: a menu to force one, and forms for its limits and for a response of one's own.

import { call, control } from './control.js'
import { button, element, field, openForm, options } from './dom.js'
import { force, inForce, refreshInForce, scenarioOf } from './in-force.js'
import { indented } from './json-text.js'
import { openMenu } from './menu.js'
import { personaIds } from './personas.js'

/** Whether an outcome of the menu is forced for the next request alone. */
let once = false

/**
 * Opens the menu at an element.
 * @param entry the entry of the log, or the target, whose outcomes these are
 */
export async function openOutcomes(anchor, { id, target, kind }) {
  const find = () => inForce.targets.find((candidate) => candidate.target === target)
  if (!find()) await refreshInForce()
  const found = find()
  if (!found) return
  const forced = scenarioOf(target)
  const reopen = () => {
    once = !once
    return openOutcomes(anchor, { id, target, kind })
  }
  openMenu(anchor, `Outcome of ${target}`, [
    forced && { text: 'As usual', hint: 'ends what is forced', run: () => force(target) },
    { text: 'Response of your own…', run: () => respond({ id, target, kind }) },
    { text: 'Limits and delay…', run: () => editLimits(found) },
    `Force for ${target}`,
    { text: 'Next request only', checked: once, run: reopen },
    ...found.outcomes.map((outcome) => ({
      text: String(outcome),
      hint: forced?.outcome === outcome ? 'forced' : undefined,
      run: () => force(target, outcome, once ? { times: 1 } : {}),
    })),
  ])
}

const callerOptions = (chosen = '') => {
  const ids = new Set([...personaIds(), ...(chosen ? [chosen] : [])])
  return options([['', 'everybody'], ...[...ids].map((id) => [id])], chosen)
}

/** Inputs for how many times, and for whom, something is forced. */
function limitFields({ times, session } = {}) {
  const timesField = field(
    'How many times',
    element('input', { inputMode: 'numeric', placeholder: 'always', value: times ?? '' }),
  )
  const caller = element('select', {})
  caller.append(...callerOptions(session))
  return {
    lines: [timesField.line, field('For', caller).line],
    values: () => ({
      ...(timesField.input.value && { times: Number(timesField.input.value) }),
      ...(caller.value && { session: caller.value }),
    }),
  }
}

/** Opens a form for the outcome of a target with its limits, and for its delay. */
function editLimits({ target, outcomes }) {
  const forced = scenarioOf(target)
  const outcome = element('select', {})
  const own = forced?.response && [['', 'the response of your own']]
  outcome.append(
    ...options(
      [...(own ?? [['', 'as usual']]), ...outcomes.map((name) => [String(name)])],
      String(forced?.outcome ?? ''),
    ),
  )
  const limits = limitFields(forced)
  const before = inForce.delays.operations[target] ?? ''
  const delay = field('Delay, in ms', element('input', { value: before, placeholder: '300 or 200-800' }))
  const submit = async (setFault) => {
    const wanted = outcome.value
      ? { outcome: outcome.value }
      : forced?.response && { response: forced.response }
    const ms = delay.input.value.trim()
    // What is forced for a persona stands beside what is forced for everybody.
    if (forced && forced.session !== limits.values().session) await force(target)
    const answers = [
      wanted
        ? await call('PUT', 'scenarios', { target, ...wanted, ...limits.values() })
        : forced && (await call('DELETE', 'scenarios', { target })),
      ms !== before && (await call('PUT', 'delay', { ms: ms || null, operation: target })),
    ]
    const faults = answers.filter((answer) => answer?.error !== undefined)
    for (const { error } of faults) setFault(error)
    return faults.length === 0
  }
  openForm(
    `Outcome of ${target}`,
    'Apply',
    [field('Outcome', outcome).line, ...limits.lines, delay.line],
    submit,
  )
}

/** Opens the form for a response of one's own with the one that is set, or with that of a request. */
export async function respond({ id, target, kind }) {
  const forced = scenarioOf(target)
  if (forced?.response) return editResponse(target, { ...forced.response, ...forced })
  if (kind === 'unanswered') return editResponse(target, { status: 200, body: {} })
  const stored = id === undefined ? undefined : await control('GET', 'log/entry', { id })
  return editResponse(target, stored?.response ? presetOf(stored) : {})
}

/** The response of an entry of the log, to begin with. */
export const presetOf = ({ status, response: { headers, body } }) => ({
  status,
  // A body that is cut is not one to send.
  text: body?.text?.length === body?.length ? indented(body?.text ?? '') : '',
  contentType: headers['content-type'],
})

const isText = (contentType = '') => !/^(application\/json\b|$)/i.test(contentType)

function parse(text) {
  try {
    return { body: JSON.parse(text) }
  } catch {
    return undefined
  }
}

async function latestResponse(target) {
  const log = await control('GET', 'log')
  const entry = log?.findLast((candidate) => candidate.target === target && candidate.status > 0)
  return entry && control('GET', 'log/entry', { id: entry.id })
}

/**
 * Opens a form for a response of one's own. That of an operation is checked against the contract, unless that is
 * switched off.
 * @param preset the status, the body, the times and the persona to begin with
 */
export function editResponse(target, preset = {}) {
  const status = field(
    'Status',
    element('input', { inputMode: 'numeric', value: preset.status || 200, required: true }),
  )
  let { contentType } = preset
  const text = preset.text ?? (preset.body === undefined ? '' : JSON.stringify(preset.body, null, 2))
  const body = field('Body', element('textarea', { rows: 12, value: text, spellcheck: false }))
  const limits = limitFields(preset)
  const isOperation = !target.includes(' ')
  const unchecked = element('input', { type: 'checkbox', checked: preset.unchecked ?? false })
  const latest = button('Take the latest response', async () => {
    const found = await latestResponse(target)
    if (!found) return body.setFault('The log has no response of this.')
    const taken = presetOf(found)
    status.input.value = taken.status
    body.input.value = taken.text
    contentType = taken.contentType
    return body.setFault()
  })
  const submit = async () => {
    const response = { status: Number(status.input.value), ...(unchecked.checked && { unchecked: true }) }
    const { value } = body.input
    const parsed = isText(contentType) ? undefined : parse(value)
    if (!parsed && isOperation && !unchecked.checked) {
      body.setFault('This is not JSON. Without the check it can be any text.')
      return false
    }
    // Of what is no operation, no text is no body.
    Object.assign(response, parsed ?? ((value || isOperation) && { text: value, contentType }))
    const { error } = await call('PUT', 'scenarios', { target, response, ...limits.values() })
    if (error) {
      body.setFault(error)
      body.input.focus()
    }
    return !error
  }
  const check = element(
    'label',
    { className: 'switch' },
    unchecked,
    'Send it even if the contract does not allow it',
  )
  openForm(
    `Response of ${target}`,
    'Respond with it',
    [
      status.line,
      body.line,
      element('div', { className: 'bar' }, latest),
      ...limits.lines,
      isOperation && check,
    ],
    submit,
  )
}
