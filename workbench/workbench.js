// The page of the mock. Each part is created once and updated when the server reports a change.

const find = (id) => document.getElementById(id)

/** Creates an element with properties and children. Strings from the server become text nodes, never HTML. */
function element(tag, properties = {}, ...children) {
  const created = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-')) created.setAttribute(name, value)
    else created[name] = value
  }
  created.append(...children)
  return created
}

const button = (text, onclick, more = {}) => element('button', { type: 'button', onclick, ...more }, text)

let hideTimer
function showMessage(text) {
  find('message').textContent = text
  clearTimeout(hideTimer)
  hideTimer = setTimeout(() => find('message').replaceChildren(), 8000)
}

/** Calls a control. If it fails, shows the error and returns undefined. */
async function control(method, path, input) {
  const init =
    method === 'GET'
      ? {}
      : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(input ?? {}) }
  try {
    const response = await fetch(`/__dev/${path}`, init)
    const body = await response.json()
    if (response.ok) return body
    showMessage(body.error)
  } catch {
    showMessage('The mock does not answer. Is it still running?')
  }
  return undefined
}

const copy = (text, title = 'Copy') =>
  button(title, async () => {
    await navigator.clipboard.writeText(text)
    showMessage('Copied.')
  })

// Personas

const cards = new Map()

const ownCookie = () => /(?:^|;\s*)session=([^;]*)/.exec(document.cookie)?.[1]
const setCookie = (value) => {
  const end = value ? '' : '; Max-Age=0'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `session=${value}; Path=/; SameSite=Lax${end}`
}

async function choose(id) {
  if (!(await control('PUT', 'sessions/active', { id }))) return
  setCookie('active')
  await showPersonas()
  showMessage(`Signed in here as ${id}.`)
}

function cardOf({ id, email, note }) {
  const badge = element('small', { className: 'mark' })
  const card = button('', () => choose(id))
  card.append(element('strong', {}, id), element('small', {}, email), element('small', {}, note ?? ''), badge)
  return { card, badge }
}

async function showPersonas() {
  const list = await control('GET', 'sessions')
  if (!list) return
  const ids = list.sessions.map(({ id }) => id)
  if (ids.join() !== [...cards.keys()].join()) {
    cards.clear()
    for (const session of list.sessions) cards.set(session.id, cardOf(session))
    find('personas').replaceChildren(...[...cards.values()].map(({ card }) => element('li', {}, card)))
  }
  const cookie = ownCookie()
  // A sign-in adds its time to the name of the persona.
  const current = cookie === 'active' ? list.active : cookie?.split('~')[0]
  for (const [id, { card, badge }] of cards) {
    card.setAttribute('aria-pressed', String(id === current))
    badge.textContent =
      id === current ? 'Signed in here' : id === list.active ? 'session=active elsewhere' : ''
  }
}

// Scenarios and delay

const rows = new Map()
const switches = new Map()

function rowOf(operation, outcomes) {
  const force = (outcome, once) =>
    outcome === ''
      ? control('DELETE', 'scenarios', { target: operation })
      : control('PUT', 'scenarios', { target: operation, outcome, ...(once && { times: 1 }) })
  const outcome = element('select', { 'aria-label': `Outcome of ${operation}` })
  outcome.append(element('option', { value: '' }, 'not forced'))
  for (const name of outcomes) outcome.append(element('option', { value: name }, name))
  const once = element('input', { type: 'checkbox' })
  const delay = element('input', {
    type: 'text',
    placeholder: 'ms',
    'aria-label': `Delay of ${operation}, in ms`,
  })
  outcome.onchange = () => force(outcome.value, once.checked)
  once.onchange = () => outcome.value !== '' && force(outcome.value, once.checked)
  delay.onchange = () => control('PUT', 'delay', { ms: delay.value.trim() || null, operation })
  const limits = element('small')
  const line = element(
    'div',
    {},
    element('span', {}, operation, limits),
    outcome,
    element('label', { className: 'switch' }, once, 'once'),
    delay,
  )
  return { line, outcome, once, delay, limits }
}

function createScenarios({ operations, named }) {
  for (const [name, description] of Object.entries(named)) {
    const input = element('input', { type: 'checkbox' })
    input.onchange = () => control(input.checked ? 'PUT' : 'DELETE', 'scenarios', { target: name })
    switches.set(name, input)
    const label = element('label', { className: 'switch' }, input)
    label.append(element('span', {}, element('strong', {}, name), `: ${description}`))
    find('named').append(label)
  }
  for (const [operation, outcomes] of Object.entries(operations)) {
    const row = rowOf(operation, outcomes)
    rows.set(operation, row)
    find('operations').append(row.line)
  }
  const setDelay = (ms) => control('PUT', 'delay', { ms })
  find('delay').onchange = (event) => setDelay(event.target.value.trim() || 0)
  for (const ms of ['0', '300', '200-800', '3000']) {
    find('delay-choices').append(button(ms === '0' ? 'none' : ms, () => setDelay(ms)))
  }
}

const limitsOf = ({ times, session }) =>
  [times && `${times} left`, session && `for ${session}`].filter(Boolean).join(', ')

async function showScenarios() {
  const scenarios = await control('GET', 'scenarios')
  for (const [name, input] of switches)
    input.checked = scenarios?.some(({ target }) => target === name) ?? false
  for (const [operation, row] of rows) {
    const own = scenarios?.filter(({ target }) => target === operation) ?? []
    row.outcome.value = own[0]?.outcome ?? ''
    row.line.className = own.length > 0 ? 'forced' : ''
    row.limits.textContent = own.map(limitsOf).filter(Boolean).join('; ')
  }
}

const setUnlessEdited = (input, value) => {
  if (document.activeElement !== input) input.value = value
}

async function showDelay() {
  const delay = await control('GET', 'delay')
  if (!delay) return
  setUnlessEdited(find('delay'), delay.all === '0' ? '' : delay.all)
  for (const [operation, row] of rows) setUnlessEdited(row.delay, delay.operations[operation] ?? '')
}

// The log

const maxShown = 200

const classOf = ({ status }) => (status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good')

function entryOf(entry) {
  const { time, method, path, status, code, session, why, ms, curl } = entry
  const outcome = `${status || 'no response'}${code ? ` ${code}` : ''}`
  const summary = element(
    'summary',
    {},
    element('span', { className: 'quiet' }, new Date(time).toLocaleTimeString('en-GB')),
    element('strong', {}, method),
    element('span', { title: path }, path),
    element('span', { className: classOf(entry), title: outcome }, outcome),
    element('span', { className: 'quiet', title: why }, `${session ?? 'signed out'} · ${why}`),
    element('span', { className: 'quiet' }, `${ms} ms`),
  )
  const detail = element('div', { className: 'detail' }, element('pre', {}, curl), copy(curl))
  detail.prepend(element('p', { className: 'quiet' }, `${session ?? 'signed out'}, decided by: ${why}`))
  const details = element('details', {}, summary, detail)
  details.ontoggle = async () => {
    const stored = details.open && (await control('GET', `log/entry?id=${entry.id}`))
    if (stored) detail.replaceChildren(detail.firstChild, ...partsOf(stored))
  }
  return element('li', {}, details)
}

/** What is stored of a request, and what can be done with it. */
function partsOf(stored) {
  const { id, curl, fetch: call, test, request, response, changes } = stored
  const rewind = async (after) => showStep('Done', await control('POST', 'log/rewind', { id, after }))
  const actions = element(
    'div',
    { className: 'bar' },
    button('Rewind to before it', () => rewind(false)),
    button('Rewind to after it', () => rewind(true)),
    copy(curl, 'Copy as curl'),
    copy(call, 'Copy as fetch'),
    ...(test ? [copy(test, 'Copy as a test')] : []),
  )
  const records = changes?.map(({ kind, key, before, after }) =>
    [`${kind} ${key}`, before && `- ${JSON.stringify(before)}`, after && `+ ${JSON.stringify(after)}`]
      .filter(Boolean)
      .join('\n'),
  )
  const changed = records ? records.join('\n\n') || 'Nothing.' : 'This is no longer stored.'
  return [
    actions,
    titled('Request', messageText(request)),
    titled('Response', response ? messageText(response) : 'There was none.'),
    titled('What it changed', changed),
    titled('curl', curl),
    sendForm(stored),
  ]
}

const titled = (title, text) =>
  element(
    'div',
    { className: 'part', role: 'region', 'aria-label': title },
    element('strong', {}, title),
    element('pre', {}, text),
  )

function messageText({ headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (body) lines.push('', body.text ?? `(a body of ${body.length}, which is not stored)`)
  return lines.join('\n')
}

/** A form that sends a request again, as it was or edited. */
function sendForm({ id, method, path, session, request }) {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  const options = (values, chosen) => {
    const all = [...new Set([chosen, ...values])]
    return all.map((value) => element('option', { value, selected: value === chosen }, value || 'nobody'))
  }
  const chosenMethod = element('select', { 'aria-label': 'Method' })
  chosenMethod.append(...options(methods, method))
  const chosenPath = element('input', { type: 'text', value: path, 'aria-label': 'Path' })
  const persona = element('select', { 'aria-label': 'As' })
  persona.append(...options([...cards.keys(), ''], session ?? ''))
  const body = element('textarea', { rows: 3, value: request.body?.text ?? '', 'aria-label': 'Body' })
  const earlier = body.value
  const form = element(
    'form',
    { className: 'bar send' },
    chosenMethod,
    chosenPath,
    persona,
    element('button', { type: 'submit' }, 'Send again'),
    body,
  )
  form.onsubmit = async (event) => {
    event.preventDefault()
    const edit = {
      method: chosenMethod.value,
      path: chosenPath.value,
      ...(body.value !== earlier && { body: body.value }),
      // The session as it was, such as an expired one, unless another is chosen.
      ...(persona.value !== (session ?? '') && { session: persona.value || null }),
    }
    const sent = await control('POST', 'log/send', { id, ...edit })
    if (sent) showMessage(`Sent as request ${sent.id}: ${sent.status || 'no response'}.`)
  }
  return form
}

/** Shows a step through the history. */
function showStep(verb, step) {
  if (!step) return
  const request = step.entry === undefined ? '' : `, request ${step.entry}`
  showMessage([`${verb}: ${step.title}${request}.`, step.warning].filter(Boolean).join(' '))
}

const showLogEmpty = () => {
  find('log-empty').hidden = find('log').children.length > 0
}

// Groups the events of 100 ms into one refresh.
const refreshSoon = () => {
  clearTimeout(refreshSoon.timer)
  refreshSoon.timer = setTimeout(refresh, 100)
}

function followLog() {
  const events = new EventSource('/__dev/log/follow?since=0')
  events.addEventListener('request', ({ data }) => {
    const log = find('log')
    log.prepend(entryOf(JSON.parse(data)))
    while (log.children.length > maxShown) log.lastChild.remove()
    showLogEmpty()
    refreshSoon()
  })
  events.addEventListener('change', refreshSoon)
  events.onopen = () => {
    find('connection').textContent = `Connected to ${location.origin}; new requests appear here.`
    refreshSoon()
  }
  events.onerror = () => {
    find('connection').textContent = 'The mock does not answer. Reconnecting…'
  }
}

// State, snapshots, clock

async function showState() {
  const state = await control('GET', 'state')
  if (!state) return
  const counts = ['teams', 'users', 'projects', 'waitlist'].map((kind) => `${state[kind].length} ${kind}`)
  find('counts').textContent = counts.join(', ')
  find('state').textContent = JSON.stringify(state, null, 2)
}

/** Shows that a state was loaded, and which persona it lacks. */
function showLoaded(name, loaded) {
  if (loaded) showMessage([`Loaded ${name}.`, loaded.warning].filter(Boolean).join(' '))
}

let snapshotNames
async function showSnapshots() {
  const names = await control('GET', 'snapshots')
  if (!names || names.join() === snapshotNames) return
  snapshotNames = names.join()
  const load = async (name) => {
    showLoaded(name, await control('POST', 'snapshots/load', { name }))
  }
  const remove = async (name) => {
    if (await control('DELETE', 'snapshots', { name })) showMessage(`Deleted ${name}.`)
  }
  find('snapshots').replaceChildren(
    ...names.map((name) => {
      const loadButton = button('Load', () => load(name), { 'aria-label': `Load ${name}` })
      const deleteButton = button('Delete', () => remove(name), { 'aria-label': `Delete ${name}` })
      return element('li', {}, element('span', {}, name), loadButton, deleteButton)
    }),
  )
}

async function showClock() {
  const clock = await control('GET', 'clock')
  const modes = { real: 'the real time', fixed: 'stopped', ticking: 'ticking from the time set' }
  if (clock) find('clock-now').textContent = `The mock's time is ${clock.now}: ${modes[clock.mode]}.`
}

const handlers = {
  'sign-out': async () => {
    await fetch('/auth/sign-out', { method: 'POST' })
    return showPersonas()
  },
  'clear-scenarios': () => control('DELETE', 'scenarios'),
  'clear-log': () =>
    control('DELETE', 'log')
      .then(() => find('log').replaceChildren())
      .then(showLogEmpty),
  reset: async () => {
    if (await control('POST', 'reset')) showMessage('Everything was reset.')
  },
  undo: async () => showStep('Undone', await control('POST', 'undo')),
  redo: async () => showStep('Made again', await control('POST', 'redo')),
  'clock-real': () => control('PUT', 'clock'),
}

function addListeners() {
  for (const [id, handle] of Object.entries(handlers)) find(id).onclick = handle
  find('save').onsubmit = async (event) => {
    event.preventDefault()
    const name = find('snapshot-name').value
    if (await control('POST', 'snapshots/save', { name })) showMessage(`Saved as ${name}.`)
  }
  find('clock').onsubmit = (event) => {
    event.preventDefault()
    return control('PUT', 'clock', { at: find('clock-at').value, ticking: find('clock-ticking').checked })
  }
  find('load').onchange = async ({ target }) => {
    const [file] = target.files
    try {
      showLoaded(file.name, await control('PUT', 'state', JSON.parse(await file.text())))
    } catch {
      showMessage(`${file.name} is not JSON.`)
    }
    target.value = ''
  }
}

// Addresses

function createAddresses({ operations }) {
  const { origin } = location
  const lines = [
    origin,
    `curl ${origin}/v1/projects -b session=active`,
    `curl ${origin}/v1/auth/me -b session=active`,
    `curl ${origin}/v1/projects -b session=active -H 'prefer: code=500'`,
    `${origin}/auth/sign-in?returnTo=/`,
  ]
  find('addresses').append(...lines.map((line) => element('li', {}, element('code', {}, line), copy(line))))

  const codes = Object.values(operations).flat()
  const unique = [...new Set([...codes, 'NOT_FOUND', 'METHOD_NOT_ALLOWED'])].filter((code) =>
    /[A-Z]/.test(code),
  )
  const link = (code) =>
    element('a', { href: `/docs/errors/${code.toLowerCase().replaceAll('_', '-')}` }, code)
  find('errors').append(...unique.map((code) => element('li', {}, link(code))))
}

const refresh = () =>
  Promise.all([showPersonas(), showScenarios(), showDelay(), showState(), showSnapshots(), showClock()])

const possible = await control('GET', 'scenarios/possible')
if (possible) {
  createScenarios(possible)
  createAddresses(possible)
  addListeners()
  followLog()
} else {
  find('connection').textContent = find('message').textContent
}
