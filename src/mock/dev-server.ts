import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { State } from '../store/state.js'
import { answer } from './answer.js'
import { createMockApi, type MockApi, type MockOptions } from './core/mock-api.js'
import { createSpaces } from './spaces.js'

export type DevServerOptions = Omit<MockOptions, 'baseUrl' | 'fixtures' | 'space'> & {
  fixtures: State
  /** Where it binds; loopback unless told otherwise. */
  host?: string
  /** 0 picks a free one. */
  port?: number
  /** Fail where the port is taken, instead of taking the next free one. */
  strictPort?: boolean
}

export type DevServer = { url: string; mock: MockApi; close(): Promise<void> }

/**
 * The mock as an HTTP server: each request goes to the same MSW handlers that a browser's worker runs.
 * @throws PortTakenError with `strictPort`, or where no port near is free
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { host = '127.0.0.1', port = 4010, strictPort = false } = options
  const server = createServer()
  await listen(server, host, port, strictPort ? 1 : 100)
  const url = urlOf(server)
  const spaces = createSpaces((space) => createMockApi({ ...options, baseUrl: url, space }))

  server.on('request', (incoming, outgoing) => void answer(incoming, outgoing, spaces, url))

  return {
    url,
    mock: spaces.common,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
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
