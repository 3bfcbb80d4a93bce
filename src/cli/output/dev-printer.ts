import type { LogEntry } from '../../mock/core/request-log.js'
import { settingsTable } from '../../server/settings/settings-table.js'
import type { RunningMock } from '../start-mock.js'
import { nextCommands } from '../terminal/dev/mock-snapshot.js'
import { canShowLive, printJson, printLine, printMessage } from './output.js'
import { printable } from './printable.js'

/** The output of `dev`: JSON lines, plain lines, or a live screen. */
export type DevPrinter = {
  request(entry: LogEntry): void
  /** Reports that the fixtures were reloaded, or why they were not. */
  fixtures(error?: string): void
  /** Reports that the handlers were reloaded, or why they were not. */
  handlers(error?: string): void
  /** Reports that pages of another origin use the mock, which production would refuse. */
  crossOrigin(origin: string): void
  /** Prints where the mock listens. Settles with the signal, or earlier if the user quits the screen. */
  untilQuit(mock: RunningMock, signal: Promise<unknown>): Promise<unknown>
}

/** @param options.ui false for plain lines on a terminal too */
export function devPrinter({ json = false, ui = true }): DevPrinter {
  if (json) return jsonLines()
  return ui && canShowLive() ? liveScreen() : plainLines()
}

const jsonLines = (): DevPrinter => ({
  request: ({ method, path, status, code, session, ms }) =>
    printJson({ event: 'request', method, path, status, code, session, ms: Math.round(ms) }),
  fixtures: (refusal) => printJson({ event: 'fixtures', refusal }),
  handlers: (refusal) => printJson({ event: 'handlers', refusal }),
  crossOrigin: (origin) => printMessage(crossOriginText(origin)),
  untilQuit({ url, warning }, signal) {
    if (warning) printMessage(warning)
    printJson({ event: 'listening', url, mode: 'mock' })
    return signal
  },
})

const plainLines = (): DevPrinter => ({
  request: ({ method, path, status, code, session, ms }) =>
    printLine(
      printable(
        [method, path, status, code, `${Math.round(ms)} ms`, session]
          .filter((part) => part !== undefined)
          .join(' '),
      ),
    ),
  fixtures: (error) => printMessage(printable(error ?? fixturesReloaded)),
  handlers: (error) => printMessage(printable(error ?? handlersReloaded)),
  crossOrigin: (origin) => printMessage(crossOriginText(origin)),
  async untilQuit({ url, takenPort, warning, controls }, signal) {
    const sessions = await controls.sessions.list()
    if (warning) printMessage(printable(warning))
    if (takenPort) printMessage(portTaken(takenPort))
    printMessage(`The mock listens at ${url}`)
    printMessage(
      `The cookie session=active stands for ${sessions.active ?? 'nobody: no session in the fixtures'}`,
    )
    printMessage(['Try:', ...nextCommands(url, sessions)].join('\n  '))
    return signal
  },
})

function liveScreen(): DevPrinter {
  let fixtures: DevPrinter['fixtures'] = () => {}
  let handlers: DevPrinter['handlers'] = () => {}
  let crossOrigin: DevPrinter['crossOrigin'] = () => {}
  return {
    // The screen reads the mock's own log.
    request() {},
    fixtures: (error) => fixtures(error),
    handlers: (error) => handlers(error),
    crossOrigin: (origin) => crossOrigin(origin),
    async untilQuit(mock, signal) {
      const { showWorkbench } = await import('../terminal/dev/workbench.js')
      const workbench = await showWorkbench(mock.url, mock.controls)
      if (mock.takenPort) workbench.notify('success', portTaken(mock.takenPort))
      if (mock.warning) workbench.notify('error', mock.warning)
      handlers = (error) => workbench.notify(error ? 'error' : 'success', error ?? handlersReloaded)
      crossOrigin = (origin) => workbench.notify('success', crossOriginText(origin))
      fixtures = (error) => {
        workbench.setFixtureError(error)
        if (!error) workbench.notify('success', fixturesReloaded)
      }
      try {
        await Promise.race([workbench.ended, signal])
      } finally {
        await workbench.stop()
      }
    },
  }
}

const fixturesReloaded = 'The fixtures were reloaded.'
const handlersReloaded = 'The handlers were reloaded.'
const crossOriginText = (origin: string) =>
  `Pages of ${origin} use this mock. Production needs ${settingsTable.allowedOrigins.env}=${origin} for that.`
const portTaken = (port: number) => `Port ${port} is taken, so the next free one is used.`
