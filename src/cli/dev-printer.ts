import type { RunnableControls } from '../mock/controls/run-control.js'
import type { LogEntry } from '../mock/log/log-entry.js'
import { requestText } from './output/log-cells.js'
import { canShowLive, printJson, printLine, printMessage } from './output/output.js'
import { printable } from './output/printable.js'
import { firstSteps } from './terminal/dev/mock-snapshot.js'

/** A mock that was started, with sentences about how. */
export type RunningMock = { url: string; controls: RunnableControls; notices: string[] }

/** The output of `dev`: JSON lines, plain lines, or a live screen. */
export type DevPrinter = {
  onRequest(entry: LogEntry): void
  /** Called after each reload; with the error if the file is wrong: the last valid one stays in use. */
  onReload(what: 'fixtures' | 'handlers', refusal?: string): void
  notify(text: string): void
  /** Prints where the mock listens. Settles with the signal, or earlier if the user quits the screen. */
  untilQuit(mock: RunningMock, signal: Promise<unknown>): Promise<unknown>
}

/** @param options.ui false for plain lines on a terminal too */
export function devPrinter({ json = false, ui = true }): DevPrinter {
  if (json) return jsonLines
  return ui && canShowLive() ? liveScreen() : plainLines
}

const notify = (text: string) => printMessage(printable(text))

/** Prints after the requests of this event-loop turn, in one write: a request does not wait for its line. */
function printLater(print: () => void): void {
  process.stdout.cork()
  print()
  setImmediate(() => process.stdout.uncork())
}

const jsonLines: DevPrinter = {
  onRequest: ({ method, path, ignoredQuery, status, code, session, ms: exact }) => {
    const ms = Math.round(exact)
    printLater(() => printJson({ event: 'request', method, path, ignoredQuery, status, code, session, ms }))
  },
  onReload: (event, refusal) => printJson({ event, refusal }),
  notify,
  async untilQuit({ url, notices }, signal) {
    notices.forEach(notify)
    printJson({ event: 'listening', url, mode: 'mock' })
    return signal
  },
}

const plainLines: DevPrinter = {
  onRequest: (entry) => {
    const { status, code, session, ms } = entry
    const parts = [requestText(entry), status, code, `${Math.round(ms)} ms`, session]
    printLater(() => printLine(printable(parts.filter((part) => part !== undefined).join(' '))))
  },
  onReload: (what, refusal) => notify(refusal ?? `The ${what} were reloaded.`),
  notify,
  async untilQuit({ url, notices, controls }, signal) {
    const sessions = await controls.sessions.list()
    notices.forEach(notify)
    notify(`The mock listens at ${url}`)
    notify(
      `The cookie session=active stands for ${sessions.active ?? 'no persona: the fixtures have no session'}`,
    )
    printMessage(firstSteps(url, sessions).join('\n'))
    return signal
  },
}

function liveScreen(): DevPrinter {
  const printer: DevPrinter = {
    // The screen reads the mock's own log.
    onRequest() {},
    onReload() {},
    notify() {},
    async untilQuit({ url, notices, controls }, signal) {
      const { showWorkbench } = await import('./terminal/dev/workbench.js')
      const workbench = await showWorkbench(url, controls)
      printer.notify = (text) => workbench.notify('success', text)
      printer.onReload = (what, refusal) => {
        if (what === 'fixtures') workbench.setFixtureError(refusal)
        if (!refusal) printer.notify(`The ${what} were reloaded.`)
        else if (what === 'handlers') workbench.notify('error', refusal)
      }
      for (const notice of notices) workbench.notify('error', notice)
      try {
        await Promise.race([workbench.ended, signal])
      } finally {
        await workbench.stop()
      }
    },
  }
  return printer
}
