import { chaosRow } from './chaos-row.js'
import { delayRow } from './delay-row.js'
import { logList } from './log-list.js'
import { outcomeChoice } from './outcome-choice.js'
import { button, element, type RunControl } from './panel-dom.js'
import { type PanelMock, sourceOf } from './panel-mock.js'
import type { PanelOptions } from './panel-options.js'
import { corners, readPlace, savePlace } from './panel-place.js'
import { panelStyle } from './panel-style.js'
import { personaChoice } from './persona-choice.js'

const tag = 'dashboard-api-panel'

/** Shows the panel in place of an earlier one. Returns a function that removes it. */
export function showPanel(mock: PanelMock, { onChange, corner = 'bottom-right' }: PanelOptions): () => void {
  document.querySelector(tag)?.remove()
  definePanel()
  const source = sourceOf(mock)
  const host = document.createElement(tag)
  const place = readPlace({ open: false, corner })
  let persona: string | undefined
  let forced = 0
  let isChaos = false

  const message = element('p', { role: 'status' })
  const run: RunControl = async (control, changesPage = false) => {
    try {
      const result = await control()
      message.textContent = typeof result === 'string' ? result : ''
      if (changesPage) onChange?.()
    } catch (error) {
      message.textContent = (error as Error).message
    }
    refresh()
  }
  const step = (way: 'undo' | 'redo', done: string) => () =>
    run(async () => {
      const { title, entry, warning } = await mock[way]()
      const request = entry === undefined ? '' : `, request ${entry}`
      return [`${done}: ${title}${request}.`, warning].filter(Boolean).join(' ')
    }, true)
  const reset = () =>
    run(async () => {
      await mock.reset()
      return 'Everything was reset.'
    }, true)

  const choices = [
    personaChoice(source, run, (id) => {
      persona = id
    }),
    delayRow(mock, run),
    chaosRow(mock, run, (isActive) => {
      isChaos = isActive
    }),
    outcomeChoice(mock, run, (count) => {
      forced = count
    }),
  ]
  const log = logList(mock, run)

  const launcher = button('', () => setOpen(true), { className: 'launcher', ariaExpanded: 'false' })
  const close = button('Close', () => setOpen(false))
  const drawer = element(
    'div',
    { className: 'drawer' },
    element(
      'header',
      {},
      element('h2', {}, 'Mock'),
      button('Undo', step('undo', 'Undone')),
      button('Redo', step('redo', 'Made again')),
      button('Reset', reset),
      button('Move', move, { title: 'Move to the next corner' }),
      close,
    ),
    element('div', { className: 'content' }, ...[...choices, log].map(({ node }) => node)),
    message,
  )
  const panel = element('aside', { ariaLabel: 'Mock' }, launcher, drawer)

  function showPlace(): void {
    panel.className = place.corner
    launcher.hidden = place.open
    drawer.hidden = !place.open
  }
  function setOpen(open: boolean): void {
    place.open = open
    savePlace(place)
    showPlace()
    ;(open ? close : launcher).focus()
    refresh()
  }
  function move(): void {
    place.corner = corners[(corners.indexOf(place.corner) + 1) % corners.length] ?? corner
    savePlace(place)
    showPlace()
  }

  /** One refresh runs at a time. Changes meanwhile, and those of 50 ms, share the next one. */
  let state: 'idle' | 'busy' | 'again' = 'idle'
  function refresh(): void {
    if (state === 'idle') setTimeout(load, 50)
    state = state === 'idle' ? 'busy' : 'again'
  }
  async function load(): Promise<void> {
    state = 'busy'
    try {
      await Promise.all([...choices, ...(place.open ? [log] : [])].map((part) => part.refresh()))
    } catch (error) {
      message.textContent = (error as Error).message
    }
    launcher.replaceChildren(
      element('b', {}, 'Mock'),
      ` ${persona ?? 'signed out'}`,
      element(
        'span',
        { className: 'warn' },
        `${forced ? ` · ${forced} forced` : ''}${isChaos ? ' · chaos' : ''}`,
      ),
    )
    const isAgain = (state as string) === 'again'
    state = 'idle'
    if (isAgain) refresh()
  }

  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && place.open) setOpen(false)
  })
  // What is typed here is not for the shortcuts of the page.
  for (const type of ['keydown', 'keypress', 'keyup']) {
    host.addEventListener(type, (event) => event.stopPropagation())
  }

  const shadow = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(panelStyle)
  shadow.adoptedStyleSheets = [sheet]
  shadow.append(panel)

  const ending = new AbortController()
  removals.set(host, () => ending.abort())
  source.watch(refresh, ending.signal)
  globalThis.cookieStore?.addEventListener('change', refresh, { signal: ending.signal })

  showPlace()
  refresh()
  document.body.append(host)
  // Above everything, wherever the page's own styles place its body.
  host.popover = 'manual'
  host.showPopover?.()
  return () => host.remove()
}

/** What ends with each panel, also if the page removes it. */
const removals = new WeakMap<HTMLElement, () => void>()

function definePanel(): void {
  if (customElements.get(tag)) return
  customElements.define(
    tag,
    class extends HTMLElement {
      disconnectedCallback(): void {
        removals.get(this)?.()
      }
    },
  )
}
