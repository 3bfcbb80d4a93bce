import type { RunningMock } from '../actions/dev.js'
import { nextCommands } from '../terminal/dev/texts.js'
import type { DevRequest } from './dev-request.js'
import { canShowLive, printJson, printLine, printMessage } from './output.js'
import { printable } from './printable.js'

/** How `dev` shows what happens: as JSON lines, as plain lines, or live on a terminal. */
export type DevPrinter = {
  request(entry: DevRequest): void
  /** Says that the fixtures were reloaded, or why they could not be. */
  fixtures(refusal?: string): void
  /** Says where the mock is, and settles with the signal to end, or earlier where the reader quits the view. */
  untilQuit(mock: RunningMock, signal: Promise<unknown>): Promise<unknown>
}

/**
 * The printer for where the output goes.
 * @param options.ui false for plain lines on a terminal too
 */
export function devPrinter({ json = false, ui = true }): DevPrinter {
  if (json) return jsonLines()
  return ui && canShowLive() ? liveView() : plainLines()
}

const jsonLines = (): DevPrinter => ({
  request(entry) {
    const { method, path, status, code, session } = entry
    printJson({ event: 'request', method, path, status, code, session, ms: wholeMs(entry) })
  },
  fixtures: (refusal) => printJson({ event: 'fixtures', refusal }),
  untilQuit({ url }, signal) {
    printJson({ event: 'listening', url, mode: 'mock' })
    return signal
  },
})

const plainLines = (): DevPrinter => ({
  request: (entry) => printLine(requestLine(entry)),
  fixtures: (refusal) => printMessage(printable(refusal ?? reloaded)),
  async untilQuit(mock, signal) {
    for (const line of await banner(mock)) printMessage(line)
    return signal
  },
})

function liveView(): DevPrinter {
  let fixtures: DevPrinter['fixtures'] = () => {}
  return {
    // The view reads the mock's own log.
    request() {},
    fixtures: (refusal) => fixtures(refusal),
    async untilQuit(mock, signal) {
      const { showWorkbench } = await import('../terminal/dev/show-workbench.js')
      const shown = await showWorkbench(mock)
      fixtures = (refusal) => shown.setProblem(refusal && printable(refusal), reloaded)
      try {
        await Promise.race([shown.ended, signal])
      } finally {
        await shown.stop()
      }
    },
  }
}

const reloaded = 'The fixtures were reloaded.'

const wholeMs = ({ ms }: DevRequest): number => Math.round(ms)

const requestLine = (entry: DevRequest): string =>
  [entry.method, printable(entry.path), entry.status, entry.code, `${wholeMs(entry)} ms`, entry.session]
    .filter((part) => part !== undefined)
    .join(' ')

async function banner({ url, takenPort, controls }: RunningMock): Promise<string[]> {
  const sessions = await controls.sessions.list()
  return [
    ...(takenPort ? [`Port ${takenPort} is taken, so the next free one is used.`] : []),
    `The mock listens at ${url}`,
    `The cookie session=active stands for ${sessions.active ?? 'nobody: the fixtures have no session'}`,
    'Try:',
    ...nextCommands(url, sessions).map((command) => `  ${command}`),
  ]
}
