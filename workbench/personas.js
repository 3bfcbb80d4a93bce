// Who one is, and the personas that one can be.

import { connection, control, isInPage } from './control.js'
import { button, element, find, showMessage } from './dom.js'

/** More are found by the filter. */
const maxShown = 100

let personas = []
let identities = {}
let drawn

/** The names to choose from: of very many, the first. */
export const personaIds = () => personas.slice(0, maxShown).map(({ id }) => id)

export async function choosePersona(id) {
  const error = await connection.signIn(id)
  if (error) return showMessage(error)
  await refreshPersonas()
  find('personas-pane').hidePopover()
  showMessage(isInPage ? `The page is signed in as ${id}.` : `Signed in here as ${id}.`)
}

function cardOf({ id, email, orgCode, role, note }) {
  const card = button('', () => choosePersona(id), {
    title: orgCode ? `Organisation ${orgCode}` : 'No organisation',
  })
  card.className = 'persona'
  card.dataset.id = id
  card.append(
    element('strong', {}, id),
    element('small', { className: 'mark' }),
    element('small', { className: 'quiet note' }, [email, role, note].filter(Boolean).join(' · ')),
  )
  return element('li', {}, card)
}

function draw() {
  const filter = find('persona-search').value.trim().toLowerCase()
  const matching = personas.filter((persona) => JSON.stringify(persona).toLowerCase().includes(filter))
  const visible = matching.slice(0, maxShown)
  const next = JSON.stringify(visible)
  if (next !== drawn) {
    drawn = next
    find('personas').replaceChildren(...visible.map(cardOf))
  }
  const hidden = matching.length - visible.length
  find('persona-search').hidden = personas.length <= 8
  find('personas-more').textContent =
    hidden > 0 ? `${hidden} more: type to find them.` : matching.length === 0 ? 'No persona matches.' : ''
  mark()
}

function mark() {
  const { you, active, withoutCookie } = identities
  for (const card of find('personas').querySelectorAll('button')) {
    const { id } = card.dataset
    card.setAttribute('aria-pressed', String(id === you))
    card.querySelector('.mark').textContent = id === you ? 'you' : id === active ? 'session=active' : ''
  }
  const isAlike = withoutCookie === you
  find('who-label').textContent = isAlike ? 'You are' : 'This browser is'
  find('who').textContent = you ?? 'signed out'
  find('who-others').textContent = isAlike ? '' : `without a cookie: ${withoutCookie ?? 'nobody'}`
  find('here').textContent = you ?? 'nobody (signed out)'
  find('without-cookie').textContent = withoutCookie ?? 'nobody'
  find('active').textContent = active ?? 'nobody'
  find('sign-out').disabled = you === undefined
}

/** Who the page, clients without a cookie and those with `session=active` are: nothing before the mock has told. */
export async function refreshPersonas() {
  const list = await control('GET', 'sessions')
  if (!list) return
  ;({ sessions: personas, ...identities } = list)
  draw()
}

/** Opens the list at the persona that one is. */
export function openPersonas() {
  find('personas-pane').showPopover()
  const cards = find('personas')
  const card = cards.querySelector('[aria-pressed="true"]') ?? cards.querySelector('button')
  card?.focus()
}

export function createPersonas({ onNew }) {
  const pane = find('personas-pane')
  find('who-button').onclick = openPersonas
  find('persona-search').oninput = draw
  find('new-persona').onclick = () => {
    pane.hidePopover()
    onNew()
  }
  find('here-label').textContent = isInPage ? 'The page' : 'This browser'
  find('sign-out').onclick = async () => {
    await connection.signOut()
    await refreshPersonas()
    pane.hidePopover()
    showMessage(isInPage ? 'The page is signed out.' : 'Signed out here.')
  }
  pane.onkeydown = ({ key }) => {
    const cards = [...find('personas').querySelectorAll('button')]
    const at = cards.indexOf(document.activeElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[key]
    if (at >= 0 && next !== undefined) cards.at(next % cards.length)?.focus()
  }
}
