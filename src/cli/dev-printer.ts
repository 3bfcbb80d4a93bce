import type { RunningMock } from './actions/dev.js'
import type { DevRequest } from './dev-request.js'
import { canShowLive, note, printJson, printLine, showLive } from './output.js'
import { printable } from './printable.js'

/** How `dev` shows what happens: as JSON lines, as plain lines, or live on a terminal. */
export type DevPrinter = {
  request(entry: DevRequest): void
  /** Says where the mock is, and settles with the signal to end, or earlier where the reader quits the view. */
  untilQuit(mock: RunningMock, signal: Promise<unknown>): Promise<unknown>
}

/** The printer for where the output goes. */
export function devPrinter(json = false): DevPrinter {
  if (json) return jsonLines()
  return canShowLive() ? liveView() : plainLines()
}

const jsonLines = (): DevPrinter => ({
  request(entry) {
    const { method, path, status, code, session } = entry
    printJson({ event: 'request', method, path, status, code, session, ms: wholeMs(entry) })
  },
  untilQuit({ url }, signal) {
    printJson({ event: 'listening', url, mode: 'mock' })
    return signal
  },
})

const plainLines = (): DevPrinter => ({
  request: (entry) => printLine(requestLine(entry)),
  async untilQuit(mock, signal) {
    for (const line of await banner(mock)) note(line)
    return signal
  },
})

function liveView(): DevPrinter {
  const requests: DevRequest[] = []
  let redraw = () => {}
  return {
    request(entry) {
      requests.unshift({ ...entry, path: printable(entry.path), ms: wholeMs(entry) })
      requests.length = Math.min(requests.length, maxRequests)
      redraw()
    },
    async untilQuit(mock, signal) {
      const { DevStatus } = await import('./views/dev-status.js')
      let active = (await mock.active())?.id
      const view = (size: { width: number; height: number }) =>
        DevStatus({ ...mock, active, requests, tryNext: nextCommands(mock, active), ...size })
      const screen = await showLive(view)
      redraw = screen.redraw

      // The persona is switched from outside, over the control plane.
      const watch = setInterval(async () => {
        active = (await mock.active())?.id
        redraw()
      }, 500)
      await Promise.race([screen.ended, signal])
      clearInterval(watch)
      screen.stop()
    },
  }
}

/** More than any terminal shows. */
const maxRequests = 100

const wholeMs = ({ ms }: DevRequest): number => Math.round(ms)

const requestLine = (entry: DevRequest): string =>
  [entry.method, printable(entry.path), entry.status, entry.code, `${wholeMs(entry)} ms`, entry.session]
    .filter((part) => part !== undefined)
    .join(' ')

async function banner(mock: RunningMock): Promise<string[]> {
  const active = (await mock.active())?.id
  return [
    ...(mock.takenPort ? [`Port ${mock.takenPort} is taken, so the next free one is used.`] : []),
    `The mock listens at ${mock.url}`,
    `The cookie session=active stands for ${active ?? 'nobody: the fixtures have no session'}`,
    'Try:',
    ...nextCommands(mock, active).map((command) => `  ${command}`),
  ]
}

/** Two commands that show what the mock does: a call with a session, and being somebody who may do less. */
function nextCommands({ url, personas }: RunningMock, active: string | undefined): string[] {
  const others = personas.filter(({ id }) => id !== active)
  const other = others.find(({ permissions }) => permissions.length === 0) ?? others[0]
  const at = url === 'http://127.0.0.1:4010' ? '' : ` --url ${url}`
  return [
    `curl -b session=active ${url}/v1/projects`,
    ...(other ? [`npx dashboard-api session use ${other.id}${at}`] : []),
  ]
}
