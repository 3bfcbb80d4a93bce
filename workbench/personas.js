// Who one is, and the personas that one can be.

import { control } from './control.js'
import { button, element, find, showMessage } from './dom.js'

/** More are found by the filter. */
const maxShown = 100

let personas = []
let active
let drawn

/** The names to choose from: of very many, the first. */
export const personaIds = () => personas.slice(0, maxShown).map(({ id }) => id)

const ownCookie = () => /(?:^|;\s*)session=([^;]*)/.exec(document.cookie)?.[1]
const setCookie = (value) => {
  const end = value ? '' : '; Max-Age=0'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `session=${value}; Path=/; SameSite=Lax${end}`
}

/** The id of the persona that this browser is signed in as. A sign-in adds its time to the name in the cookie. */
function currentId() {
  const cookie = ownCookie()
  const id = cookie === 'active' ? active : cookie?.split('~')[0]
  return personas.some((persona) => persona.id === id) ? id : undefined
}

export async function choosePersona(id) {
  if (!(await control('PUT', 'sessions/active', { id }))) return
  setCookie('active')
  await refreshPersonas()
  showMessage(`Signed in here as ${id}.`)
}

function cardOf({ id, email, orgCode, role, note }) {
  const card = button('', () => choosePersona(id))
  card.dataset.id = id
  card.title = orgCode ? `Organisation ${orgCode}` : 'No organisation'
  card.append(
    element('strong', {}, id),
    element('small', { className: 'mark' }),
    element('small', {}, [email, role].filter(Boolean).join(' · ')),
    ...(note ? [element('small', {}, note)] : []),
  )
  return element('li', {}, card)
}

const filterText = () => find('persona-search').value.trim().toLowerCase()

function draw() {
  const filter = filterText()
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
  const current = currentId()
  for (const card of find('personas').querySelectorAll('button')) {
    const { id } = card.dataset
    card.setAttribute('aria-pressed', String(id === current))
    card.querySelector('.mark').textContent = id === current ? 'you' : id === active ? 'session=active' : ''
  }
  find('who').textContent = current ?? 'signed out'
  find('sign-out').disabled = ownCookie() === undefined
}

export async function refreshPersonas() {
  const list = await control('GET', 'sessions')
  if (!list) return
  personas = list.sessions
  active = list.active
  draw()
}

export function createPersonas() {
  find('persona-search').oninput = draw
  find('sign-out').onclick = async () => {
    await fetch('/auth/sign-out', { method: 'POST' })
    await refreshPersonas()
    showMessage('Signed out here.')
  }
}
