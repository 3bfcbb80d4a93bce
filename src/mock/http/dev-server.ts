import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorDocsPath } from '../../contract/errors.js'
import { createHttpServer } from '../../http/http-server.js'
import { commonHeaders } from './common-headers.js'
import { prepareMock, type ServedMockOptions } from './served-mock.js'
import type { Spaces } from './spaces.js'

export type DevServerOptions = ServedMockOptions & {
  /** The address to bind to. Defaults to loopback. */
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
  const { host = '127.0.0.1', port = 4010, strictPort = false } = options
  const prepared = await prepareMock(options)
  let spaces: Spaces | undefined
  const { server, onRequest } = createHttpServer({
    docsUrl: (code) => spaces?.common.docsUrl(code) ?? errorDocsPath(code),
    headers: commonHeaders,
  })
  try {
    await listen(server, host, port, strictPort ? 1 : 100)
    const url = urlOf(server)
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
          server.close(() => resolve())
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

/** Listens on the first free port, beginning with the given one. */
async function listen(server: Server, host: string, port: number, tries: number): Promise<void> {
  for (let candidate = port; candidate < port + tries && candidate <= 65_535; candidate++) {
    if (await tryListen(server, host, candidate)) return
  }
  const error = new Error(`Port ${port} of ${host} is taken.`)
  throw Object.assign(error, { code: 'EADDRINUSE', syscall: 'listen', address: host, port })
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
