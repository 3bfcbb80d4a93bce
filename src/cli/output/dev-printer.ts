import type { LogEntry } from '../../mock/core/log-entry.js'
import { settingsTable } from '../../server/settings/settings-table.js'
import type { MockEvents, RunningMock } from '../start-mock.js'
import { nextCommands } from '../terminal/dev/mock-snapshot.js'
import { canShowLive, printJson, printLine, printMessage } from './output.js'
import { printable } from './printable.js'

/** The output of `dev`: JSON lines, plain lines, or a live screen. */
export type DevPrinter = MockEvents & {
  /** Prints where the mock listens. Settles with the signal, or earlier if the user quits the screen. */
  untilQuit(mock: RunningMock, signal: Promise<unknown>): Promise<unknown>
}

/** @param options.ui false for plain lines on a terminal too */
export function devPrinter({ json = false, ui = true }): DevPrinter {
  if (json) return jsonLines
  return ui && canShowLive() ? liveScreen() : plainLines
}

const jsonLines: DevPrinter = {
  onRequest: ({ method, path, status, code, session, ms }) =>
    printJson({ event: 'request', method, path, status, code, session, ms: Math.round(ms) }),
  onReload: (event, refusal) => printJson({ event, refusal }),
  onCrossOrigin: (origin) => printMessage(crossOriginText(origin)),
  async untilQuit({ url, warning }, signal) {
    if (warning) printMessage(warning)
    printJson({ event: 'listening', url, mode: 'mock' })
    return signal
  },
}

const plainLines: DevPrinter = {
  onRequest: ({ method, path, status, code, session, ms }: LogEntry) => {
    const parts = [method, path, status, code, `${Math.round(ms)} ms`, session]
    printLine(printable(parts.filter((part) => part !== undefined).join(' ')))
  },
  onReload: (what, refusal) => printMessage(printable(refusal ?? reloaded(what))),
  onCrossOrigin: (origin) => printMessage(crossOriginText(origin)),
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
}

function liveScreen(): DevPrinter {
  const printer: DevPrinter = {
    // The screen reads the mock's own log.
    onRequest() {},
    onReload() {},
    onCrossOrigin() {},
    async untilQuit(mock, signal) {
      const { showWorkbench } = await import('../terminal/dev/workbench.js')
      const workbench = await showWorkbench(mock.url, mock.controls)
      if (mock.takenPort) workbench.notify('success', portTaken(mock.takenPort))
      if (mock.warning) workbench.notify('error', mock.warning)
      printer.onCrossOrigin = (origin) => workbench.notify('success', crossOriginText(origin))
      printer.onReload = (what, refusal) => {
        if (what === 'fixtures') workbench.setFixtureError(refusal)
        if (!refusal) workbench.notify('success', reloaded(what))
        else if (what === 'handlers') workbench.notify('error', refusal)
      }
      try {
        await Promise.race([workbench.ended, signal])
      } finally {
        await workbench.stop()
      }
    },
  }
  return printer
}

const reloaded = (what: string) => `The ${what} were reloaded.`
const crossOriginText = (origin: string) =>
  `Pages of ${origin} use this mock. Production needs ${settingsTable.allowedOrigins.env}=${origin} for that.`
const portTaken = (port: number) => `Port ${port} is taken, so the next free one is used.`
