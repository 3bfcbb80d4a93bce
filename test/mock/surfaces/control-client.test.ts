import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ControlName, controlEndpoints } from '../../../src/mock/controls/control-endpoints.js'
import { createControlClient, NoMockError } from '../../../src/mock/surfaces/control-client.js'

const http = (listener: RequestListener) => createServer(listener)
const send = (status: number, headers: Record<string, string>, body: string) =>
  http((_, response) => void response.writeHead(status, headers).end(body))
const json = { 'content-type': 'application/json' }

const services: [what: string, create: () => Server, message: RegExp][] = [
  ['a port that closes at once', () => createSocketServer((socket) => socket.destroy()), /No mock answers/],
  [
    'a protocol other than HTTP',
    () => createSocketServer((socket) => socket.end('SSH-2.0-x\r\n')),
    /No mock/,
  ],
  ['no response', () => http(() => {}), /Time-out: the mock at .* has not answered for 0\.3 s\./],
  ['another JSON API', () => send(200, json, '{}'), /is not a .* mock \(status 200, application\/json\)/],
  ['its list', () => send(200, json, '[]'), /is not a .* mock/],
  ['its error', () => send(404, json, '{"error":"Not found"}'), /is not a .* mock \(status 404, /],
  ['a page', () => send(200, { 'content-type': 'text/html; charset=utf-8' }, '<p>'), /200, text\/html\)/],
  [
    'a redirect loop',
    () => send(302, { location: '/' }, ''),
    /is not a .* mock \(status 302, redirects to \/\)/,
  ],
  [
    'another event stream',
    () => send(200, { 'content-type': 'text/event-stream' }, 'data: 1\n\n'),
    /is not a/,
  ],
  [
    'a response without end',
    () => http((_, response) => void response.writeHead(200, json).write('{')),
    /is not a .* mock/,
  ],
]

/** A client of a server, with a time limit for responses. */
async function clientOf(server: Server, timeoutMs = 60_000) {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) (server as ReturnType<typeof http>).closeAllConnections()
  })
  return createControlClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    undefined,
    timeoutMs,
  )
}

describe.each(services)('at an address with %s', (what, create, message) => {
  const timeoutMs = what === 'no response' ? 300 : undefined

  it('every control fails with NoMockError', async () => {
    const { call } = await clientOf(create(), timeoutMs)
    const failing = (Object.keys(controlEndpoints) as ControlName[]).map((name) =>
      call(name as 'reset').then(
        () => undefined,
        (error) => error,
      ),
    )
    for (const error of await Promise.all(failing)) {
      expect(error).toBeInstanceOf(NoMockError)
      expect(error.message).toMatch(message)
    }
  })

  it('following the log fails with NoMockError', async () => {
    const { follow } = await clientOf(create(), timeoutMs)
    await expect(follow(new AbortController().signal).next()).rejects.toThrow(NoMockError)
  })
})

it('a control fails with NoMockError if the mock ends in the middle of its response', async () => {
  const { call } = await clientOf(
    http((_, response) => {
      response.writeHead(200, { ...json, 'x-mock-control': '1', 'content-length': '9' }).write('{')
      setTimeout(() => response.destroy(), 20)
    }),
  )
  await expect(call('log')).rejects.toThrow(/^No mock answers/)
})
