import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getResponse } from 'msw'
import type { State } from '../store/state.js'
import { control, controlPath, controlRefusal, json } from './control.js'
import { createMockApi, type MockApi, type MockOptions } from './core/mock-api.js'
import { corsHeaders, preflight } from './cors.js'
import { pathOf, sendResponse, toFetchRequest } from './node-http.js'

export type DevServerOptions = Omit<MockOptions, 'baseUrl' | 'fixtures'> & {
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
  const mock = createMockApi({ ...options, baseUrl: url })

  server.on('request', (incoming, outgoing) => {
    answer(incoming, mock, url)
      .catch((error) => {
        console.error(error)
        return json({ error: 'The mock met a fault of its own; see its output.' }, 500)
      })
      .then((response) => sendResponse(response, outgoing))
      .catch(() => outgoing.destroy())
  })

  return {
    url,
    mock,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(incoming: IncomingMessage, mock: MockApi, url: string): Promise<Response> {
  const { method = 'GET' } = incoming
  const { pathname } = new URL(`${url}${pathOf(incoming)}`)
  if (method === 'TRACE') return mock.unknown(method, pathname)

  const request = await toFetchRequest(incoming, url)
  if (pathname.startsWith(controlPath)) {
    const refusal = controlRefusal(incoming)
    return refusal ? json({ error: refusal }, 403) : control(request, mock)
  }
  const isPreflight = method === 'OPTIONS' && request.headers.has('access-control-request-method')
  if (isPreflight) return preflight(request)

  const response = (await getResponse(mock.handlers, request)) ?? mock.unknown(method, pathname)
  for (const [name, value] of Object.entries(corsHeaders(request.headers.get('origin')))) {
    response.headers.set(name, value)
  }
  return response
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
