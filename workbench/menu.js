// Menus: a list of actions at a button, for a click or for the keyboard.

import { button, element } from './dom.js'

/**
 * Opens a menu at an element. Arrows, Home and End move, a letter goes to the next item that begins with it, Enter
 * chooses, Escape closes the menu and returns to the element.
 * @param items a list of `{ text, hint, run, checked }`; a text alone is a heading
 */
export function openMenu(anchor, label, items) {
  const menu = element('div', { role: 'menu', className: 'menu', popover: 'auto', 'aria-label': label })
  const rows = items.filter(Boolean).map((item) => (typeof item === 'string' ? heading(item) : action(item)))
  menu.append(...rows)
  const choices = rows.filter(({ localName }) => localName === 'button')

  function action({ text, hint, run, checked }) {
    const role = checked === undefined ? 'menuitem' : 'menuitemcheckbox'
    const more = { role, tabIndex: -1, ...(checked !== undefined && { 'aria-checked': String(checked) }) }
    const choose = () => {
      close()
      void run()
    }
    const item = button(text, choose, more)
    if (hint) item.append(element('small', { className: 'quiet' }, hint))
    return item
  }
  const returnTo = document.activeElement
  function close() {
    menu.hidePopover()
    const { target } = returnTo?.dataset ?? {}
    // A list may have been drawn anew meanwhile.
    const same = target && document.querySelector(`[data-target="${CSS.escape(target)}"]`)
    ;(returnTo?.isConnected ? returnTo : same)?.focus()
  }
  menu.onkeydown = (event) => {
    event.stopPropagation()
    const at = choices.indexOf(document.activeElement)
    const letter = () => {
      const following = [...choices.slice(at + 1), ...choices.slice(0, at + 1)]
      return following.find(({ textContent }) =>
        textContent.toLowerCase().startsWith(event.key.toLowerCase()),
      )
    }
    const moves = {
      ArrowDown: () => choices[(at + 1) % choices.length],
      ArrowUp: () => choices.at(at - 1),
      Home: () => choices[0],
      End: () => choices.at(-1),
    }
    const isLetter = event.key.length === 1 && event.key !== ' '
    const target = moves[event.key]?.() ?? (isLetter ? letter() : undefined)
    if (event.key === 'Escape' || event.key === 'Tab') close()
    if (target || event.key === 'Escape' || event.key === 'Tab') event.preventDefault()
    target?.focus()
  }
  menu.ontoggle = ({ newState }) => {
    if (newState === 'closed') menu.remove()
  }
  document.querySelector('main').append(menu)
  menu.showPopover()
  place(menu, anchor.getBoundingClientRect())
  ;(choices.find((item) => item.ariaChecked === 'true') ?? choices[0])?.focus()
}

const heading = (text) => element('p', { className: 'quiet', role: 'presentation' }, text)

/** Below the anchor, or above it where there is more room, within the window. */
function place(menu, { top, bottom, right }) {
  const { width, height } = menu.getBoundingClientRect()
  const isAbove = bottom + height > innerHeight && top > innerHeight - bottom
  const left = Math.max(8, Math.min(right - width, innerWidth - width - 8))
  menu.style.left = `${left}px`
  menu.style.top = `${isAbove ? Math.max(8, top - height - 4) : bottom + 4}px`
  menu.style.maxHeight = `${isAbove ? top - 12 : innerHeight - bottom - 12}px`
}
