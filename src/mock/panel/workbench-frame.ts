import { channelName } from './channel-name.js'
import { frameStyle } from './frame-style.js'
import { isInPage, type PanelMock } from './panel-mock.js'
import { readPlace, savePlace } from './panel-place.js'
import { hostWorkbench } from './workbench-host.js'

type Options = {
  mock: PanelMock
  /** The parent of the frame. */
  shadow: ShadowRoot
  signal: AbortSignal
  onChange?(): void
  onClose(): void
}

/** The workbench, in a frame below or beside the page or in a tab. */
export type Workbench = { open(): Promise<void>; focus(): void }

const notStarted = (address: string | undefined) =>
  address
    ? `The workbench has not started in this frame: see the console of the browser, and the response of ${address}.`
    : 'The workbench has not started in this frame: the console of the browser tells why. The plugin of dashboard-api/vite serves ' +
      'it as a page of its own, with a policy of its own.'

/** Connects the workbench. One that is open in a tab since before a reload finds the mock again. */
export async function createWorkbench(options: Options): Promise<Workbench> {
  const { mock, shadow, signal, onChange, onClose } = options
  const name = isInPage(mock) ? await channelName() : ''
  if (isInPage(mock) && !signal.aborted) hostWorkbench(mock, name, signal, onChange)
  /** The URL of the page, if a server has it. */
  const announced = document.querySelector<HTMLMetaElement>('meta[name=dashboard-api-workbench]')
  const address = isInPage(mock) ? announced?.content : '/__dev/'
  const html = async () => (await import('#workbench-document')).default

  const sheet = new CSSStyleSheet()
  sheet.replaceSync(frameStyle)
  shadow.adoptedStyleSheets.push(sheet)
  const section = document.createElement('section')
  section.ariaLabel = 'Workbench of the mock'
  const edge = document.createElement('div')
  edge.role = 'separator'
  edge.tabIndex = 0
  edge.ariaLabel = 'Size of the workbench'
  const bar = document.createElement('header')
  const message = document.createElement('p')
  message.role = 'alert'
  let frame: HTMLIFrameElement | undefined

  /** @param path the drawing of its icon */
  const button = (name: string, path: string, onclick: () => unknown) => {
    const created = Object.assign(document.createElement('button'), { ariaLabel: name, title: name, onclick })
    const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    icon.setAttribute('viewBox', '0 0 16 16')
    icon.append(document.createElementNS('http://www.w3.org/2000/svg', 'path'))
    icon.firstElementChild?.setAttribute('d', path)
    created.append(icon)
    bar.append(created)
    return created
  }
  const move = button('', '', () => place({ side: readPlace().side === 'below' ? 'beside' : 'below' }))
  const inTab = button('In a tab', 'M6 3.5H3v9.5h9.5v-3M9 2.5h4.5V7m-6 1.5 6-6', async () => {
    const url = address ?? URL.createObjectURL(new Blob([await html()], { type: 'text/html' }))
    // A tab with the frame's name would open in the frame.
    frame?.remove()
    // The name is lost where the page has a Cross-Origin-Opener-Policy.
    globalThis.open(name ? `${url}#${name}` : url, name || '_blank')
    close()
  })
  button('Close', 'm4 4 8 8m0-8-8 8', close)
  section.append(edge, bar, message)

  /** Places the frame, and leaves the rest of the window to the page. */
  function place(change: Partial<ReturnType<typeof readPlace>> = {}): void {
    savePlace(change)
    const { side, size } = { ...readPlace(), ...change }
    section.className = side
    section.style.setProperty('--size', `${size}px`)
    const name = side === 'below' ? 'Beside the page' : 'Below the page'
    Object.assign(move, { ariaLabel: name, title: name })
    // The icon shows the other place.
    const other = side === 'below' ? 'M10 3v10' : 'M2.5 9.5h11'
    move.querySelector('path')?.setAttribute('d', `M2.5 3h11v10h-11z${other}`)
    edge.ariaOrientation = side === 'below' ? 'horizontal' : 'vertical'
    edge.ariaValueNow = String(size)
    const { style } = document.documentElement
    style.paddingBottom = frame && side === 'below' ? `${size}px` : ''
    style.paddingRight = frame && side === 'beside' ? `${size}px` : ''
  }
  const resize = (size: number) => place({ size: Math.round(Math.max(160, size)) })
  edge.onpointerdown = ({ pointerId }) => edge.setPointerCapture(pointerId)
  edge.onpointermove = ({ pointerId, clientX, clientY }) => {
    if (!edge.hasPointerCapture(pointerId)) return
    resize(readPlace().side === 'below' ? innerHeight - clientY : innerWidth - clientX)
  }
  edge.onkeydown = ({ key }) => {
    if (/^Arrow(Up|Left)$/.test(key)) resize(readPlace().size + 20)
    if (/^Arrow(Down|Right)$/.test(key)) resize(readPlace().size - 20)
  }
  section.onkeydown = ({ key }) => key === 'Escape' && close()

  function remove(): void {
    frame?.remove()
    frame = undefined
    section.remove()
    place()
  }
  function close(): void {
    remove()
    savePlace({ open: false })
    onClose()
  }
  signal.addEventListener('abort', remove)

  return {
    async open() {
      const opened = document.createElement('iframe')
      opened.title = 'Workbench of the mock'
      opened.name = name
      let failure = ''
      if (address) opened.src = address
      else {
        try {
          opened.srcdoc = await html()
        } catch (error) {
          // A policy of trusted types refuses it.
          failure = ` (${(error as Error).message})`
        }
      }
      opened.onload = () => {
        // The script has run if it has set its styles.
        const isMissing = !opened.contentDocument?.adoptedStyleSheets.length
        message.textContent = isMissing ? `${notStarted(address)}${failure}` : ''
        // A generated document has the policy of this page in a tab, too.
        inTab.disabled = isMissing && !address
      }
      if (signal.aborted || frame) return
      frame = opened
      section.append(opened)
      shadow.append(section)
      savePlace({ open: true })
      place()
    },
    focus: () => frame?.focus(),
  }
}
