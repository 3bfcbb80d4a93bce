// The outcomes of everything that the mock answers, and what applies to all of it: scenarios, delay, chaos, clock.

import { call, control } from './control.js'
import { button, debounce, download, element, find, newId, options, savedField } from './dom.js'
import { force, inForce, limitsOf, outcomeText, scenarioOf } from './in-force.js'
import { openOutcomes, respond } from './outcome-menu.js'

const switches = new Map()
let showDelay

const startOf = (path, length) =>
  new RegExp(`^(https?://[^/]+)?(/[^/]+){1,${length}}`).exec(path)?.[0] ?? path

/** Paths with the same two first parts are a group; those that are alone with theirs, by the first. */
function groupOf({ path, method }, counts) {
  if (/^(query|mutation|operation)$/.test(method)) return 'GraphQL'
  const start = startOf(path, 2)
  return counts.get(start) > 1 ? start : startOf(path, 1)
}

const orderOf = ({ last }) => last?.time ?? ''

/** Those that are forced, then a group for each path: first what was called last. */
function groups() {
  const words = find('outcome-search').value.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = inForce.targets.filter(({ target, method, path }) =>
    words.every((word) => `${target} ${method} ${path}`.toLowerCase().includes(word)),
  )
  const counts = new Map()
  for (const { path, kind } of inForce.targets) {
    if (kind === 'unanswered') continue
    counts.set(startOf(path, 2), (counts.get(startOf(path, 2)) ?? 0) + 1)
  }
  const latestFirst = matching.toSorted((a, b) => orderOf(b).localeCompare(orderOf(a)))
  const byName = Map.groupBy(latestFirst, (target) =>
    scenarioOf(target.target)
      ? 'Forced'
      : target.kind === 'unanswered'
        ? 'Answered by nobody'
        : groupOf(target, counts),
  )
  const isFirst = ([name]) => name === 'Forced'
  return { count: matching.length, list: [...byName].sort((a, b) => isFirst(b) - isFirst(a)) }
}

function draw() {
  const { count, list } = groups()
  const all = inForce.targets.length.toLocaleString('en')
  find('operation-count').textContent =
    count === inForce.targets.length ? `${all} operations` : `${count} of ${all} operations`
  const focused = document.activeElement?.dataset.target
  find('operations').replaceChildren(
    ...list.map(([name, members]) => {
      const id = newId()
      const title = element('h2', { id }, name)
      return element(
        'section',
        { className: 'group', 'aria-labelledby': id },
        title,
        element('ul', {}, ...members.map(rowFor)),
      )
    }),
  )
  const again = focused && [...buttons()].find((candidate) => candidate.dataset.target === focused)
  again?.focus()
}

/** The rows that were made, with what they show: most of them stay as they are. */
const rows = new Map()
function rowFor(target) {
  const { target: name, hits } = target
  const shows = JSON.stringify([hits, scenarioOf(name), inForce.delays.operations[name]])
  if (rows.get(name)?.shows !== shows) rows.set(name, { shows, row: rowOf(target) })
  return rows.get(name).row
}

function rowOf(target) {
  const { target: name, kind, method, path, hits } = target
  const forced = scenarioOf(name)
  const delay = inForce.delays.operations[name]
  const text = forced ? outcomeText(forced) : kind === 'unanswered' ? 'respond' : 'as usual'
  const isUnanswered = kind === 'unanswered' && !forced
  const open = () => (isUnanswered ? respond(target) : openOutcomes(choose, target))
  const choose = button(text, open, {
    className: `choice${forced ? ' forced' : ''}`,
    'aria-haspopup': 'menu',
    'aria-label': `Outcome of ${name}: ${text}`,
  })
  choose.dataset.target = name
  const notes = [forced && limitsOf(forced), delay && `${delay} ms`].filter(Boolean).join(', ')
  return element(
    'li',
    {},
    element('span', { className: 'method' }, method),
    element(
      'span',
      { className: 'path', title: path },
      path,
      kind === 'operation' && element('small', {}, name),
    ),
    element('span', { className: 'quiet' }, notes),
    element(
      'span',
      { className: 'quiet' },
      hits > 0 && `${hits.toLocaleString('en')} ${hits === 1 ? 'call' : 'calls'}`,
    ),
    choose,
  )
}

const buttons = () => find('operations').querySelectorAll('button')

/** Draws what `inForce` has. */
export function drawOutcomes() {
  for (const [name, input] of switches) input.checked = scenarioOf(name) !== undefined
  showDelay(inForce.delays.all === '0' ? '' : inForce.delays.all)
  const modes = { real: 'the real time', fixed: 'stopped', ticking: 'ticking from the time set' }
  find('clock-now').textContent = `The mock's time is ${inForce.clock.now}: ${modes[inForce.clock.mode]}.`
  const choice = find('chaos-operation')
  const names = ['', ...inForce.targets.map(({ target }) => target)]
  if (names.join() !== [...choice.options].map(({ value }) => value).join())
    choice.replaceChildren(
      ...options(
        names.map((name) => [name, name || 'all']),
        choice.value,
      ),
    )
  draw()
}

export function createOutcomes({ named }) {
  for (const [name, description] of Object.entries(named)) {
    const input = element('input', { type: 'checkbox' })
    input.onchange = () => control(input.checked ? 'PUT' : 'DELETE', 'scenarios', { target: name })
    switches.set(name, input)
    const text = element('span', {}, element('strong', {}, name), ` ${description}`)
    find('named').append(element('label', { className: 'switch' }, input, text))
  }
  const setDelay = (ms) => control('PUT', 'delay', { ms: ms || 0 })
  showDelay = savedField(find('delay'), setDelay)
  for (const ms of ['0', '300', '200-800', '3000']) {
    find('delay-choices').append(button(ms === '0' ? 'none' : ms, () => setDelay(ms)))
  }
  find('outcome-search').oninput = debounce(draw, 60)
  find('export-handlers').onclick = async () => {
    const exported = await control('GET', 'targets/handlers')
    if (exported) download('handlers.ts', exported.text)
  }
  find('clear-scenarios').onclick = () => force(undefined)
  find('outcomes-pane').addEventListener('keydown', (event) => {
    const isList = event.target === find('outcome-search') || find('operations').contains(event.target)
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!isList || !way) return
    event.preventDefault()
    const list = [find('outcome-search'), ...buttons()]
    list[list.indexOf(event.target) + way]?.focus()
  })
  find('chaos').onsubmit = startChaos
  find('clock').onsubmit = (event) => {
    event.preventDefault()
    return control('PUT', 'clock', { at: find('clock-at').value, ticking: find('clock-ticking').checked })
  }
  find('clock-real').onclick = () => control('PUT', 'clock')
}

async function startChaos(event) {
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
