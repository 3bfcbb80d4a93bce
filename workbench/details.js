// What is stored of a request, and what can be done with it.

import { control, showStep } from './control.js'
import { button, copyText, element, find, newId, options } from './dom.js'
import { outcomePill } from './entry-outcome.js'
import { coloured, indented } from './json-text.js'
import { openMenu } from './menu.js'
import { editResponse, openOutcomes, presetOf } from './outcome-menu.js'
import { personaIds } from './personas.js'

let onSent
let onEdit
/** The entry that is shown, as the mock has it. */
let shown
/** Which parts are open, and whether bodies are shown as they were sent: the same for each entry. */
const open = { headers: false, raw: false }

/**
 * @param handlers `onSent` is called with the id of a request that was sent again, `onEdit` when somebody begins to edit
 * a request
 */
export function createDetails(handlers) {
  onSent = handlers.onSent
  onEdit = handlers.onEdit
}

/** Shows an entry, or what to do if there is none. */
export async function showDetails(id) {
  const pane = find('details')
  if (id === undefined) {
    shown = undefined
    pane.replaceChildren(element('p', { className: 'quiet empty' }, 'Select a request to see it here.'))
    return
  }
  showDetails.latest = id
  const stored = await control('GET', 'log/entry', { id })
  if (!stored || showDetails.latest !== id) return
  shown = stored
  render()
}

function render() {
  const { id, method, path, session, why, ms, operation, time, request, response, changes } = shown
  const facts = [
    ['As', session ?? 'signed out'],
    ['Decided by', why],
    ['Operation', operation],
    ['State', changes?.length === 0 ? 'unchanged' : undefined],
    ['Took', `${ms} ms`],
    ['At', new Date(time).toLocaleTimeString('en-GB')],
  ].filter(([, value]) => value !== undefined)
  const pane = find('details')
  pane.replaceChildren(
    element(
      'header',
      {},
      element('h2', {}, element('span', { className: 'method' }, method), ` ${path} `, outcomePill(shown)),
      element(
        'dl',
        { className: 'facts' },
        ...facts.map(([name, value]) =>
          element('div', {}, element('dt', {}, name), element('dd', {}, value)),
        ),
      ),
      ...actions(),
    ),
    ...(changes?.length === 0 ? [] : [part(`What request ${id} changed`, changesOf(changes))]),
    element(
      'div',
      { className: 'messages' },
      part('Response', response ? messageOf(response, isCut(response)) : ['There was none.']),
      part('Request', messageOf(request)),
    ),
  )
}

const rewind = async (after) => showStep('Done', await control('POST', 'log/rewind', { id: shown.id, after }))

function actions() {
  const form = sendForm()
  form.hidden = true
  const edit = button('Edit…', () => {
    form.hidden = !form.hidden
    edit.setAttribute('aria-expanded', String(!form.hidden))
    if (form.hidden) return
    onEdit()
    form.querySelector('textarea').focus()
  })
  edit.setAttribute('aria-expanded', 'false')
  const opens = { 'aria-haspopup': 'menu', className: 'opens' }
  const outcome = button('Outcome', () => openOutcomes(outcome, shown), {
    ...opens,
    title: 'Forces an outcome for the next requests like this (f)',
  })
  const more = button('More', () => openMenu(more, 'More', moreItems()), opens)
  const bar = element(
    'div',
    { role: 'group', 'aria-label': 'Request', className: 'toolbar' },
    button('Send again', sendAgain, { title: 'As it was, as the same caller (a)' }),
    edit,
    outcome,
    button('Go back', rewindBefore, { title: 'Returns the state to just before this request (w)' }),
    more,
  )
  return [bar, form]
}

function moreItems() {
  const { target, curl, fetch: code, test, response } = shown
  const toggleRaw = () => {
    open.raw = !open.raw
    render()
  }
  return [
    { text: 'Go back to after it', run: () => rewind(true) },
    response && {
      text: 'Respond with…',
      hint: 'from now on',
      run: () => editResponse(target, presetOf(shown)),
    },
    { text: 'Show bodies as sent', checked: open.raw, run: toggleRaw },
    'Copy',
    { text: 'Copy as curl', hint: 'c', run: () => copyText(curl) },
    { text: 'Copy as fetch', run: () => copyText(code) },
    test && { text: 'Copy as test', run: () => copyText(test) },
  ]
}

const part = (title, content) => {
  const id = newId()
  const heading = element('h3', { id }, title)
  return element('section', { className: 'part', 'aria-labelledby': id }, heading, ...content)
}

/** The headers of each message open and close together with those of other entries. */
function headersOf(headers) {
  const names = Object.keys(headers)
  const list = element('dl', { className: 'headers' })
  for (const name of names) list.append(element('dt', {}, name), element('dd', {}, headers[name]))
  const details = element(
    'details',
    { open: open.headers },
    element('summary', {}, `${names.length} headers`),
    list,
  )
  details.ontoggle = () => {
    open.headers = details.open
  }
  return details
}

const code = (...content) => element('pre', { tabIndex: 0 }, ...content)

/** Whether only the beginning of a response is stored. */
const isCut = ({ body }) => body?.text !== undefined && body.text.length < body.length

const messageOf = ({ headers, body }, cut = false) => [bodyOf(body, cut), headersOf(headers)]

function bodyOf(body, cut) {
  if (!body) return element('p', { className: 'quiet' }, 'No body.')
  const { text, length } = body
  if (text === undefined)
    return element('p', { className: 'quiet' }, `A body of ${length}, which is not stored.`)
  const content = code(...coloured(open.raw ? text : indented(text)))
  if (cut)
    content.append(element('em', { className: 'quiet' }, `\n… ${length} in all; the rest is not stored.`))
  return content
}

/** The records that a request changed: each field that differs, before and after. */
function changesOf(changes) {
  if (!changes) return [element('p', { className: 'quiet' }, 'This is no longer stored.')]
  return changes.slice(0, 50).map(({ kind, key, before, after }) => {
    const what = before ? (after ? 'changed' : 'removed') : 'added'
    const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    const differing = names.filter((name) => textOf(before?.[name]) !== textOf(after?.[name]))
    const rows = differing.map((name) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, name),
        ...(before ? [element('td', {}, element('del', {}, textOf(before[name])))] : []),
        ...(after ? [element('td', {}, element('ins', {}, textOf(after[name])))] : []),
      ),
    )
    const caption = element('caption', {}, element('span', { className: `pill ${what}` }, what))
    caption.append(` ${kind} `, element('code', {}, key))
    return element('table', { className: 'changes' }, caption, element('tbody', {}, ...rows))
  })
}

const textOf = (value) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** Sends a request again, as it was or edited. */
async function send(edit = {}) {
  const sent = await control('POST', 'log/send', { id: shown.id, ...edit })
  if (!sent) return
  onSent(sent.id)
}

/** A form that sends the request edited, as any caller. */
function sendForm() {
  const { method, path, session, request } = shown
  const methods = [...new Set([method, 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])]
  const callers = [...new Set([session ?? '', ...personaIds(), ''])]
  const chosenMethod = element('select', { 'aria-label': 'Method' })
  chosenMethod.append(
    ...options(
      methods.map((name) => [name]),
      method,
    ),
  )
  const chosenPath = element('input', { type: 'text', value: path, 'aria-label': 'Path' })
  const caller = element('select', { 'aria-label': 'As' })
  caller.append(
    ...options(
      callers.map((id) => [id, id ? `as ${id}` : 'as nobody']),
      session ?? '',
    ),
  )
  const text = indented(request.body?.text ?? '')
  const body = element('textarea', { rows: 4, value: text, 'aria-label': 'Body', spellcheck: false })
  // Its line breaks are not those of a form.
  const shownBody = body.value
  const form = element('form', { className: 'send' })
  const submit = element('button', { type: 'submit', className: 'main' }, 'Send')
  form.append(chosenMethod, chosenPath, caller, body, submit)
  form.onsubmit = (event) => {
    event.preventDefault()
    return send({
      method: chosenMethod.value,
      path: chosenPath.value,
      ...(body.value !== shownBody && { body: body.value }),
      // The session as it was, such as an expired one, unless another is chosen.
      ...(caller.value !== (session ?? '') && { session: caller.value || null }),
    })
  }
  return form
}

/** What the keys of the page do with the entry that is shown. */
export const sendAgain = () => shown && send()
export const rewindBefore = () => shown && rewind(false)
export const showOutcomes = () => shown && openOutcomes(find('details').querySelector('.opens'), shown)
export const copyCurl = () => shown && copyText(shown.curl)
