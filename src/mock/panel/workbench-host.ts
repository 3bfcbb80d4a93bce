import { type ControlName, controlEndpoints } from '../controls/control-endpoints.js'
import type { Ran } from '../controls/run-control.js'
import type { PageMock } from './panel-mock.js'

/** The calls of the workbench by method and path, as in the control plane. */
const names = new Map(
  Object.entries(controlEndpoints).map(([name, endpoint]) => [
    endpoint.replace('/__dev/', ''),
    name as ControlName,
  ]),
)

/** The calls after which the page has to reload its data. */
const changesPage = /^(?!GET).* (sessions|data|reset|state|snapshots\/load|undo|redo|log\/(send|rewind))/

/**
 * Answers the workbench over a channel, and reports requests and changes to it, until the signal is aborted.
 * @param onChange called after the workbench has changed the session or the data
 */
export function hostWorkbench(mock: PageMock, name: string, signal: AbortSignal, onChange = () => {}): void {
  const channel = new BroadcastChannel(name)

  async function run(call: string, input: unknown): Promise<Ran> {
    const known = names.get(call)
    if (!known) throw new Error(`There is no control ${call}.`)
    return mock.run(known, input)
  }
  channel.onmessage = async ({ data: { id, method, path, input = {} } }) => {
    const call = `${method} ${path}`
    try {
      const { output = { ok: true }, step } = await run(call, input)
      channel.postMessage({ id, output, step })
      if (changesPage.test(call)) onChange()
    } catch (cause) {
      const { message, possible, faults } = cause as Error & { possible?: unknown; faults?: unknown }
      channel.postMessage({ id, error: message, possible, faults })
    }
  }
  const tell = (event: string, entry?: unknown) => channel.postMessage({ event, entry })
  const unsubscribes = [
    mock.log.subscribe((entry) => tell('request', entry)),
    mock.onChange(() => tell('change')),
  ]
  tell('start')
  addEventListener('pagehide', () => tell('end'), { signal })
  signal.addEventListener('abort', () => {
    for (const unsubscribe of unsubscribes) unsubscribe()
    tell('end')
    channel.close()
  })
}
