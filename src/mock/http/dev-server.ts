import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { replaceFile } from '../../store/replace-file.js'
import type { State } from '../../store/state-file.js'
import { createMockApi, type MockApi, type MockOptions } from '../core/mock-api.js'
import { createMemorySnapshots } from '../core/snapshots.js'
import { persistIn, readPersisted } from './persisted-state.js'
import { handleRequest } from './request-listener.js'
import { createFolderSnapshots } from './snapshot-folder.js'
import { createSpaces, type Spaces } from './spaces.js'
import { stateText } from './state-text.js'
import { watchFixtures } from './watch-fixtures.js'

export type DevServerOptions = Omit<
  MockOptions,
  'baseUrl' | 'fixtures' | 'space' | 'snapshots' | 'onStateChange'
> & {
  fixtures: State
  /** Where it binds; loopback unless told otherwise. */
  host?: string
  /** 0 picks a free one. */
  port?: number
  /** Fail where the port is taken, instead of taking the next free one. */
  strictPort?: boolean
  /** The file that the fixtures came from: saving it reloads them, in every space. */
  watch?: string
  /** Told after each reload; with what is wrong where the file cannot be used, and then the last good state stays. */
  onFixtures?(error?: Error): void
  /** A state file that keeps the state over restarts; where there is one, the mock begins with it. */
  persist?: string
  /** The folder for snapshots; they last as long as the server where it is left out. */
  snapshots?: string
}

export type DevServer = { url: string; mock: MockApi; close(): Promise<void> }

/**
 * The mock as an HTTP server: each request is answered by the same MSW handlers that a browser's worker runs.
 * @throws PortTakenError with `strictPort`, or where no port near is free; ControlError for an unknown session, a
 * wrong delay or clock; StateError for a wrong file to persist in, which stays as it is; what the file system met
 * where that file cannot be read or written
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { host = '127.0.0.1', port = 4010, strictPort = false, persist, onFixtures = () => {} } = options
  let fixtures = options.fixtures
  const persisted = persist === undefined ? undefined : await readPersisted(persist)
  if (persist !== undefined && !persisted) await replaceFile(persist, [stateText(fixtures)])

  const server = createServer()
  await listen(server, host, port, strictPort ? 1 : 100)
  const url = urlOf(server)

  const common = {
    ...options,
    baseUrl: url,
    snapshots: options.snapshots ? createFolderSnapshots(options.snapshots) : createMemorySnapshots(),
  }
  const save = persist === undefined ? undefined : persistIn(persist, () => spaces.common.export())
  const spaces: Spaces = orClosed(server, () =>
    createSpaces((space) =>
      createMockApi({
        ...common,
        fixtures,
        space,
        // What is said cannot be taken back: a state that could not be kept is told, and answers go on.
        ...(space === undefined && { onStateChange: () => save?.().catch(options.onError ?? console.error) }),
      }),
    ),
  )
  if (persisted) spaces.common.load(persisted)

  server.on('request', (incoming, outgoing) => void handleRequest(incoming, outgoing, spaces, url))

  const reload = async (state: State) => {
    for (const mock of spaces.all()) await mock.setFixtures(state)
    fixtures = state
    onFixtures()
  }
  const unwatch =
    options.watch === undefined ? () => {} : await watchFixtures(options.watch, reload, onFixtures)

  return {
    url,
    mock: spaces.common,
    close: () =>
      new Promise((resolve) => {
        unwatch()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What cannot be made leaves no server behind that would keep the process. */
function orClosed<Made>(server: Server, make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    server.close()
    throw error
  }
}

/** No server could listen on the port that was asked for. */
export class PortTakenError extends Error {
  override name = 'PortTakenError'
}

/** Listens on the port, or on the first free one of those after it. */
async function listen(server: Server, host: string, port: number, tries: number): Promise<void> {
  for (let candidate = port; candidate < port + tries && candidate <= 65_535; candidate++) {
    if (await tryListen(server, host, candidate)) return
  }
  throw new PortTakenError(`Port ${port} of ${host} is taken.`)
}

const tryListen = (server: Server, host: string, port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error)
    server.once('error', onError)
    server.listen(port, host, () => {
      server.off('error', onError)
      resolve(true)
    })
  })

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
