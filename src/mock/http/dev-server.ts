import { errorDocsPath } from '../../contract/errors.js'
import { createHttpServer } from '../../http/http-server.js'
import { commonHeaders } from './common-headers.js'
import { listen, loopbackHost } from './listen.js'
import { prepareMock, type ServedMockOptions } from './served-mock.js'
import type { Spaces } from './spaces.js'

export type DevServerOptions = ServedMockOptions & {
  /** The name or address to bind to. Defaults to `localhost`, on both loopback addresses. */
  host?: string
  /** 0 picks a free port. */
  port?: number
  /** Fail if the port is taken, instead of using the next free one. */
  strictPort?: boolean
}

export type DevServer = Awaited<ReturnType<typeof startDevServer>>

/**
 * Starts the mock as an HTTP server. The MSW handlers that run in a browser's worker answer each request.
 * @throws EADDRINUSE if the port is taken with `strictPort`, or the next 99 are too; ControlError for an unknown
 * session, a wrong delay or clock; what `prepareMock` throws
 */
export async function startDevServer(options: DevServerOptions) {
  const { host = loopbackHost, port = 4010, strictPort = false } = options
  const prepared = await prepareMock(options)
  let spaces: Spaces | undefined
  const { server, onRequest } = createHttpServer({
    docsUrl: (code) => spaces?.common.docsUrl(code) ?? errorDocsPath(code),
    headers: commonHeaders,
  })
  try {
    const { url, stop } = await listen(server, host, port, strictPort ? 1 : 100)
    const served = prepared.serve(url)
    spaces = served.spaces
    onRequest((incoming, outgoing) => void served.listener.answer(incoming, outgoing))
    return {
      url,
      mock: spaces.common,
      /** What is remarkable about the state that was saved before. */
      warning: served.warning,
      close: () =>
        new Promise<void>((resolve) => {
          prepared.close()
          server.once('close', resolve)
          stop()
          server.closeAllConnections()
        }),
    }
  } catch (error) {
    // They would keep the process alive.
    prepared.close()
    server.close()
    throw error
  }
}
