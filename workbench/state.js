// The state as a file, snapshots, and addresses to try.

import { control, isInPage, showLoaded } from './control.js'
import { button, copyButton, download, element, find, showMessage } from './dom.js'

let names
export async function refreshSnapshots() {
  const list = await control('GET', 'snapshots')
  if (!list || list.join() === names) return
  names = list.join()
  const load = async (name) => showLoaded(name, await control('POST', 'snapshots/load', { name }))
  const remove = async (name) => {
    if (await control('DELETE', 'snapshots', { name })) showMessage(`Deleted ${name}.`)
  }
  find('snapshots').replaceChildren(
    ...list.map((name) => {
      const loadButton = button('Load', () => load(name), { 'aria-label': `Load ${name}` })
      const deleteButton = button('Delete', () => remove(name), { 'aria-label': `Delete ${name}` })
      return element('li', {}, element('span', {}, name), loadButton, deleteButton)
    }),
  )
}

async function loadFile({ target }) {
  const [file] = target.files
  try {
    showLoaded(file.name, await control('PUT', 'state', JSON.parse(await file.text())))
  } catch {
    showMessage(`${file.name} is not JSON.`)
  }
  target.value = ''
}

export function createState({ operations }) {
  find('save').onsubmit = async (event) => {
    event.preventDefault()
    const name = find('snapshot-name').value
    if (await control('POST', 'snapshots/save', { name })) showMessage(`Saved as ${name}.`)
  }
  find('load').onchange = loadFile
  find('download').onclick = async () =>
    download('state.json', JSON.stringify(await control('GET', 'state'), null, 2))
  find('reset').onclick = async () => {
    if (await control('POST', 'reset')) showMessage('Everything was reset. Undo brings the data back.')
  }
  // A mock in a page answers that page alone.
  if (isInPage) for (const id of ['addresses-card', 'errors-card']) find(id).hidden = true
  else addAddresses(operations)
}

function addAddresses(operations) {
  const { origin } = location
  const lines = [
    `curl ${origin}/v1/projects -b session=active`,
    `curl ${origin}/v1/auth/me -b session=active`,
    `curl ${origin}/v1/projects -b session=active -H 'prefer: code=500'`,
    `${origin}/auth/sign-in?returnTo=/`,
  ]
  find('addresses').append(
    ...lines.map((line) => element('li', {}, element('code', {}, line), copyButton(line, 'Copy'))),
  )

  const codes = Object.values(operations).flat()
  const unique = [...new Set([...codes, 'NOT_FOUND', 'METHOD_NOT_ALLOWED'])].filter((code) =>
    /[A-Z]/.test(code),
  )
  const link = (code) =>
    element('a', { href: `/docs/errors/${code.toLowerCase().replaceAll('_', '-')}` }, code)
  find('errors').append(...unique.map((code) => element('li', {}, link(code))))
}
