import type { ControlName } from '../../mock/controls/control-endpoints.js'
import type { StepView } from '../../mock/controls/step-view.js'
import type { About } from '../../mock/engine/mock-parts.js'
import { createControlClient, NoMockError } from '../../mock/surfaces/control-client.js'
import { startMock } from './start-mock.js'

export type McpOptions = {
  /** The address of the mock, and the same if the user has named it. */
  url: { address: string; given: string | undefined }
  /** The space to control; the common one, if left out. */
  space?: string
  /** Whether the mock in a page is meant, through the Vite plugin at the address. */
  page?: boolean
  /** Whether to start a mock where none answers. */
  start?: boolean
  /** The options of the mock that is started, as `dev` takes them. */
  devOptions?: string[]
}

/** Runs a control by its name, with an input that its schema has checked. */
export type Run = (name: ControlName, input?: unknown) => Promise<{ output: unknown; step?: StepView }>

/** The name of a space; undefined is the common one. */
type Space = string | undefined

/** The mock that the tools control. */
export type Connection = {
  /** In the space that is controlled. */
  run: Run
  runIn(space: Space, ...given: Parameters<Run>): ReturnType<Run>
  /** The space that is controlled. */
  space(): Space
  /** Controls another space from now on. */
  enterSpace(space: Space): void
  faults(): Promise<string[]>
  close(): Promise<void>
}

/** Connects to the mock. One that is to be started is started by the first call, and again once it is gone. */
export function connect({ url, page, start, devOptions = [], ...options }: McpOptions): Connection {
  let { space } = options
  const started = start ? startMock(url.given, devOptions) : undefined
  const send = async (to: Space, ...given: Parameters<Run>) => {
    const address = started ? await started.address() : url.address
    const client = createControlClient(address, to, undefined, page)
    return (client.run as Run)(...given)
  }
  const runIn: Connection['runIn'] = (...given) =>
    send(...given).catch((error) => {
      if (!started || !(error instanceof NoMockError) || error.found !== 'nothing') throw error
      started.forget()
      return send(...given)
    })
  return {
    run: (...given) => runIn(space, ...given),
    runIn,
    space: () => space,
    enterSpace(name) {
      space = name
    },
    /** Describes each fault in the files that the mock serves, in a sentence. */
    async faults() {
      const { output } = await send(space, 'about')
      const { fixtures, handlers } = output as About
      return Object.entries({ fixtures, handlers }).flatMap(([name, served]) =>
        served?.error ? [`${served.file} cannot be used, the last good ${name} stay: ${served.error}`] : [],
      )
    },
    close: async () => started?.close(),
  }
}
