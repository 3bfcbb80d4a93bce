import { loopbackHost } from '../../http/loopback-server.js'
import { type Certificate, listen } from './listen.js'
import { createMockShell } from './mock-shell.js'
import { prepareMock, type ServedMockOptions } from './served-mock.js'

export type DevServerOptions = ServedMockOptions & {
  /** The name or address to bind to. Default: `localhost`, on both loopback addresses. */
  host?: string
  /** 0 picks a free port. */
  port?: number
  /** Fail if the port is taken, instead of trying the next ones. */
  strictPort?: boolean
  /** Serve https, with this certificate. */
  tls?: Certificate
}

export type DevServer = Awaited<ReturnType<typeof startDevServer>>

/**
 * Starts the mock as an HTTP server. Its answers are those of the worker in a page.
 * @throws EADDRINUSE if the port is taken with `strictPort`, or the next 99 are too; ControlError for an unknown session, or
 *   an invalid delay or clock; errors of `prepareMock`
 */
export async function startDevServer(options: DevServerOptions) {
  const { host = loopbackHost, port = 4010, strictPort = false, tls } = options
  const prepared = await prepareMock(options)
  const { app, setMocks } = createMockShell(options)
  const { server } = app
  let stop = () => {
    server.close()
  }
  try {
    await app.ready()
    const listening = await listen(server, host, port, strictPort ? 1 : 100, tls)
    stop = listening.stop
    const { url } = listening
    const served = prepared.createAt(url)
    setMocks(served)
    return {
      url,
      mock: served.spaces.common,
      /** Warnings about the state that was saved before, and about handlers. */
      warnings: served.warnings,
      close: () =>
        new Promise<void>((resolve) => {
          prepared.close()
          listening.server.once('close', resolve)
          stop()
          server.closeAllConnections()
        }),
    }
  } catch (error) {
    // Both would keep the process alive.
    prepared.close()
    stop()
    throw error
  }
}
