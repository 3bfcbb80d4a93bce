import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpServer } from '../../node-server/http-server.js'
import { replaceFile } from '../../store/replace-file.js'
import type { State } from '../../store/state-file.js'
import { createMockApi, type MockApi, type MockOptions } from '../core/mock-api.js'
import { createMemorySnapshots } from '../core/snapshots.js'
import { commonHeaders } from './common-headers.js'
import { createDocsUrl } from './docs-url.js'
import { persistTo, readPersisted } from './persisted-state.js'
import { createRequestListener, type ListenerOptions } from './request-listener.js'
import { createFolderSnapshots } from './snapshot-folder.js'
import { createSpaces, type Spaces } from './spaces.js'
import { stateText } from './state-text.js'
import { watchFixtures } from './watch-fixtures.js'

export type DevServerOptions = Omit<
  MockOptions,
  'baseUrl' | 'fixtures' | 'space' | 'snapshots' | 'onStateChange'
> & {
  fixtures: State
  /** The address to bind to. Defaults to loopback. */
  host?: string
  /** 0 picks a free port. */
  port?: number
  /** Fail if the port is taken, instead of using the next free one. */
  strictPort?: boolean
  /** The file of the fixtures. Saving it reloads them in every space. */
  watch?: string
  /** Called after each reload; with the error if the file cannot be used, in which case the current state stays. */
  onFixtures?(error?: Error): void
  /** A state file to save the state in. If it exists, it is the initial state. */
  persist?: string
  /** The folder for snapshots. Without one they last as long as the server. */
  snapshots?: string
} & Pick<ListenerOptions, 'onCrossOrigin'>

export type DevServer = { url: string; mock: MockApi; close(): Promise<void> }

/**
 * Starts the mock as an HTTP server. The MSW handlers that run in a browser's worker answer each request.
 * @throws PortTakenError if the port is taken with `strictPort`, or the next 99 are too; ControlError for an unknown
 * session, a wrong delay or clock; StateError if the file of `persist` is not valid, which stays as it is; an error of
 * the file system if it cannot be read or written
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { host = '127.0.0.1', port = 4010, strictPort = false, persist, onFixtures = () => {} } = options
  let fixtures = options.fixtures
  const persisted = persist === undefined ? undefined : await readPersisted(persist)
  if (persist !== undefined && !persisted) await replaceFile(persist, [stateText(fixtures)])

  const { server, onRequest } = createHttpServer({
    docsUrl: (code) => spaces.common.docsUrl(code),
    headers: commonHeaders,
  })
  await listen(server, host, port, strictPort ? 1 : 100)
  const url = urlOf(server)

  const common = {
    ...options,
    baseUrl: url,
    docsUrl: options.docsUrl ?? createDocsUrl(url),
    snapshots: options.snapshots ? createFolderSnapshots(options.snapshots) : createMemorySnapshots(),
  }
  const save = persist === undefined ? undefined : persistTo(persist, () => spaces.common.export())
  const spaces: Spaces = closeOnError(server, () =>
    createSpaces((space) =>
      createMockApi({
        ...common,
        fixtures,
        space,
        // The state has changed already, so a failed save is only reported.
        ...(space === undefined && { onStateChange: () => save?.().catch(options.onError ?? console.error) }),
      }),
    ),
  )
  if (persisted) spaces.common.load(persisted)

  const answer = createRequestListener({ ...options, spaces, url })
  onRequest((incoming, outgoing) => void answer(incoming, outgoing))

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

/** Closes the server if the function throws, so that it does not keep the process alive. */
function closeOnError<Result>(server: Server, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    server.close()
    throw error
  }
}

/** The requested port is taken. */
export class PortTakenError extends Error {
  override name = 'PortTakenError'
}

/** Listens on the first free port, beginning with the given one. */
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
