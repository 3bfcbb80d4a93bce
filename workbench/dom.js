// Elements, messages and dialogs. Strings from the server become text nodes, never HTML.

export const find = (id) => document.getElementById(id)

/** Creates an element with properties and children. A name with a hyphen, and `role`, is an attribute. */
export function element(tag, properties = {}, ...children) {
  const created = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue
    if (/-|^(role|for|list)$/.test(name)) created.setAttribute(name, value)
    else created[name] = value
  }
  created.append(...children.filter((child) => child !== undefined && child !== false))
  return created
}

export const button = (text, onclick, more = {}) =>
  element('button', { type: 'button', onclick, ...more }, text)

let hideTimer
export function showMessage(text) {
  find('message').textContent = text
  clearTimeout(hideTimer)
  hideTimer = setTimeout(() => find('message').replaceChildren(), 8000)
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
    showMessage('Copied.')
  } catch {
    showMessage('The browser does not allow this page to copy.')
  }
}

export const copyButton = (text, title) => button(title, () => copyText(text))

/** Saves a text as a file of the browser. */
export function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  element('a', { href, download: name }).click()
  URL.revokeObjectURL(href)
}

let lastId = 0
/** An id for an element that another one refers to. */
export const newId = () => `e${++lastId}`

/**
 * An input with its label, and room for what is wrong with it.
 * @param hint a short explanation, which is always visible
 */
export function field(label, input, hint = '') {
  const ids = [newId(), newId()]
  input.id ||= newId()
  input.setAttribute('aria-describedby', ids.join(' '))
  const fault = element('small', { id: ids[1], className: 'fault', role: 'alert' })
  const line = element('div', { className: 'field' })
  line.append(element('label', { for: input.id }, label), input)
  line.append(element('small', { id: ids[0], className: 'quiet' }, hint), fault)
  const setFault = (text = '') => {
    fault.textContent = text
    if (text) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
  }
  return { line, input, setFault }
}

export const options = (values, chosen) =>
  values.map(([value, text = value]) => element('option', { value, selected: value === chosen }, text))

export const datalist = (id, values) =>
  element('datalist', { id }, ...values.map((value) => element('option', { value })))

/**
 * Opens a dialog with a form.
 * @param submit called when the form is sent; the dialog closes if it resolves to true
 */
export function openForm(title, submitText, content, submit) {
  const titleId = newId()
  const dialog = element('dialog', { 'aria-labelledby': titleId })
  const fault = element('p', { className: 'fault', role: 'alert' })
  const form = element('form', {}, element('h2', { id: titleId }, title), ...content, fault)
  const cancel = button(submit ? 'Cancel' : 'Close', () => dialog.close())
  const confirm = submit && element('button', { type: 'submit', className: 'main' }, submitText)
  form.append(element('div', { className: 'bar end' }, cancel, confirm ?? false))
  form.onsubmit = async (event) => {
    event.preventDefault()
    fault.textContent = ''
    if (await submit?.((text) => fault.append(text))) dialog.close()
  }
  dialog.append(form)
  dialog.onclose = () => dialog.remove()
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/**
 * Saves an input with Enter, or when it is left after a change. Escape leaves it as it was.
 * @returns a function that shows the stored value, unless the input is being edited
 */
export function savedField(input, save) {
  let stored = input.value
  const commit = async () => {
    if (input.value === stored) return
    stored = input.value
    const saved = await save(input.value.trim())
    input.setAttribute('aria-invalid', String(saved === undefined))
  }
  input.onblur = commit
  input.onkeydown = (event) => {
    if (event.key === 'Enter') void commit()
    else if (event.key === 'Escape') {
      input.value = stored
      input.blur()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (value) => {
    if (document.activeElement === input && input.value !== stored) return
    stored = String(value)
    input.value = stored
  }
}

/** Returns a function that runs another one once, some time after its last call. */
export function debounce(run, ms) {
  let timer
  return () => {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }
}
