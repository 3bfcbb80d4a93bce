import { storedChannelName } from './panel/channel-name.js'
import { become, type PanelMock, watchMock } from './panel/panel-mock.js'
import type { PanelCorner, PanelOptions } from './panel/panel-options.js'
import { readPlace, savePlace } from './panel/panel-place.js'
import { panelStyle } from './panel/panel-style.js'
import type { Workbench } from './panel/workbench-frame.js'
import { signedOut } from './state/limit-words.js'

export type { PanelMock } from './panel/panel-mock.js'
export type { PanelCorner, PanelOptions } from './panel/panel-options.js'

const tag = 'dashboard-api-panel'
let removeEarlier = () => {}

/**
 * Shows a launcher over the page: the signed-in persona, undo, and a button that opens the workbench of its mock below or
 * beside the page, or in a tab. Its shadow root is closed, so that test tools do not see it. Without a document, as in Node,
 * it does nothing. Another call replaces the launcher.
 * @param mock the result of `startMockApi` or `createMock`, or of `connectToMock` for the mock at the page's own origin
 * @returns a function that removes the launcher and the workbench
 */
export function mockPanel(mock: PanelMock, options: PanelOptions = {}): () => void {
  if (!globalThis.document) return () => {}
  removeEarlier()
  const ending = new AbortController()
  const host = document.createElement(tag)
  const shadow = host.attachShadow({ mode: 'closed' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(panelStyle)
  shadow.adoptedStyleSheets = [sheet]

  const showLauncher = () => {
    launcher.hidden = false
    launcher.querySelector('button')?.focus()
  }
  let workbench: Promise<Workbench> | undefined
  const loadWorkbench = () => {
    workbench ??= import('./panel/workbench-frame.js').then(({ createWorkbench }) =>
      createWorkbench({ ...options, mock, shadow, signal: ending.signal, onClose: showLauncher }),
    )
    return workbench
  }
  const openWorkbench = async () => {
    const loaded = await loadWorkbench()
    await loaded.open()
    launcher.hidden = true
    return loaded
  }
  // Its page takes the keys at once, and does not take them again once it is loaded.
  const openByUser = async () => (await openWorkbench()).focus()
  const launcher = createLauncher(mock, openByUser, options, ending.signal)
  // The page's shortcuts must not get these keys.
  for (const type of ['keydown', 'keypress', 'keyup']) {
    host.addEventListener(type, (event) => event.stopPropagation())
  }
  shadow.append(launcher)
  document.body.append(host)
  // Above everything, wherever the page's styles place its body.
  host.popover = 'manual'
  host.showPopover?.()
  if (readPlace().open) void openWorkbench()
  else if (storedChannelName()) void loadWorkbench()
  // The Vite plugin passes calls of other programs on to the channel of the workbench.
  addEventListener('dashboard-api:connect', () => void loadWorkbench(), { signal: ending.signal })

  const remove = () => {
    ending.abort()
    host.remove()
  }
  removeEarlier = remove
  return remove
}

function createLauncher(
  mock: PanelMock,
  openWorkbench: () => Promise<void>,
  { onChange, corner = 'bottom-right' }: PanelOptions,
  signal: AbortSignal,
): HTMLElement {
  const launcher = document.createElement('aside')
  launcher.ariaLabel = 'Mock'
  launcher.className = readPlace().corner ?? corner
  const open = document.createElement('button')
  open.title = 'Opens the workbench of the mock'
  open.onclick = openWorkbench
  const persona = document.createElement('select')
  persona.ariaLabel = 'Persona'
  const undo = document.createElement('button')
  undo.textContent = 'Undo'
  undo.disabled = true
  launcher.append(open, persona, undo)

  const run = (control: () => Promise<unknown>) => async () => {
    const failed = await control().then(
      () => undefined,
      (error: Error) => error.message,
    )
    if (failed === undefined) onChange?.()
    tell(failed)
    refresh()
  }
  persona.onchange = run(() => become(mock, persona.value || null))
  undo.onclick = run(() => mock.undo())
  moveWith(launcher, (to) => {
    launcher.className = to
    savePlace({ corner: to })
  })

  /** Shows what went wrong last, on the console too. */
  function tell(fault = ''): void {
    if (fault && fault !== open.title) console.warn(`The launcher of the mock: ${fault}`)
    open.title = fault
  }

  /** Changes within 50 ms share a refresh. */
  let isScheduled = false
  function refresh(): void {
    if (!isScheduled) setTimeout(() => load().catch(({ message }) => tell(message)), 50)
    isScheduled = true
  }
  async function load(): Promise<void> {
    isScheduled = false
    const [{ sessions, you = '' }, scenarios, chaos, history] = await Promise.all([
      mock.sessions.list(),
      mock.scenarios.list(),
      mock.chaos.get(),
      mock.history(),
    ])
    const all = [...new Set(['', ...sessions.map(({ id }) => id), you])]
    // Replacing the options would close an open list.
    if (all.join() !== [...persona.options].map(({ value }) => value).join()) {
      persona.replaceChildren(...all.map((id) => new Option(id || signedOut, id)))
    }
    persona.value = you
    const isChaos = chaos.all !== undefined || Object.keys(chaos.operations).length > 0
    const inForce = [scenarios.length > 0 && `${scenarios.length} forced`, isChaos && 'chaos']
    open.textContent = ['Mock', ...inForce.filter(Boolean)].join(' · ')
    undo.disabled = history.undo === undefined
    undo.title = history.undo === undefined ? 'There is nothing to undo' : `Undo: ${history.undo.title}`
  }
  watchMock(mock, refresh, signal)
  globalThis.cookieStore?.addEventListener('change', refresh, { signal })
  open.textContent = 'Mock'
  refresh()
  return launcher
}

/** Moves an element to the corner of the window that it is dragged to. */
function moveWith(launcher: HTMLElement, onMoved: (corner: PanelCorner) => void): void {
  launcher.onpointerdown = ({ clientX: startX, clientY: startY }) => {
    const end = ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - startX, clientY - startY) < 40) return
      onMoved(
        `${clientY < innerHeight / 2 ? 'top' : 'bottom'}-${clientX < innerWidth / 2 ? 'left' : 'right'}`,
      )
    }
    addEventListener('pointerup', end, { once: true })
  }
}
