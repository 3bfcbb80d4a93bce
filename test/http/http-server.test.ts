import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { operationMethods } from '../../src/contract/route.js'
import { ErrorBody } from '../../src/contract/schemas.js'
import { createHttpServer } from '../../src/http/http-server.js'
import { exchange, responsesIn } from '../conformance/raw-exchange.js'
import { type StartedTarget, startDevServer } from '../conformance/start-dev-server.js'
import { startProduction } from '../conformance/start-production.js'
import { openWire } from '../server/server-harness.js'

/** Opens a connection that is closed after the test. */
async function open(url: string) {
  const wire = await openWire(url)
  onTestFinished(wire.end)
  return wire
}

const get = 'GET /v1/projects HTTP/1.1\r\nhost: a\r\n\r\n'
const connect = 'CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n'
const body = '{"email":"a@b.example"}'
const post = `POST /v1/waitlist HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`

describe.each([
  { name: 'the dev server', start: startDevServer },
  { name: 'production', start: startProduction },
])('$name', ({ start }) => {
  let target: StartedTarget
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target?.close())

  test('sends an interim response to a client that expects one before its body', async () => {
    const wire = await open(target.baseUrl)
    wire.write(post)
    await wire.until((received) => received === 'HTTP/1.1 100 Continue\r\n\r\n')
    wire.write(body)
    expect(await wire.until((received) => received.includes('200 OK'))).toContain('{"status":"ok"}')
  })

  test('refuses CONNECT with 405, the methods of the interface and the error body', async () => {
    const [response] = await exchange(target, connect)
    expect(response?.head).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
    expect(response?.head).toContain(`\r\nallow: ${operationMethods.join(', ')}\r\n`)
    expect(ErrorBody.parse(JSON.parse(response?.body ?? ''))).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
  })
})

describe('a server', () => {
  /** A server that answers when `release` is called. */
  async function serve() {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { server, connections, setListener } = createHttpServer({
      docsUrl: (code) => `http://docs/${code}`,
    })
    setListener(async (_request, response) => {
      await released
      response.end('ok')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      connections.destroy()
      server.close()
    })
    return { server, connections, release, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  test('answers CONNECT after the earlier responses', async () => {
    const { url, server, release } = await serve()
    const wire = await open(url)
    const connected = once(server, 'connect')
    wire.write(get + connect)
    await connected
    release()
    expect(responsesIn(await wire.closed).map(({ status }) => status)).toEqual([200, 405])
  })

  test('destroys a connection whose CONNECT waits for a response that does not end', async () => {
    const { url, server, connections } = await serve()
    const wire = await open(url)
    const connected = once(server, 'connect')
    wire.write(get + connect)
    await connected
    connections.finish()
    connections.destroy()
    expect(await wire.closed).toBe('')
  })

  test('keeps idle connections open for longer than proxies do', () => {
    expect(createHttpServer({ docsUrl: () => '' }).server.keepAliveTimeout).toBe(72_000)
  })

  test.each(['expect: tea', 'x: y'])('accepts a request without Host, with %s', async (header) => {
    const { url, release } = await serve()
    release()
    const wire = await open(url)
    wire.write(`GET / HTTP/1.1\r\n${header}\r\n\r\n`)
    expect(await wire.until((received) => received.endsWith('ok'))).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('sends no interim response before earlier pipelined responses', async () => {
    const { url, server, release } = await serve()
    const wire = await open(url)
    const expected = once(server, 'checkContinue')
    wire.write(get + post)
    await expected
    release()
    wire.write(body)
    const received = await wire.until((text) => text.split('ok').length === 3)
    expect(received).not.toContain('100 Continue')
  })

  test('survives a connection that is reset while its CONNECT waits', async () => {
    const { url, server } = await serve()
    const wire = await open(url)
    const connected = once(server, 'connect')
    wire.write(get + connect)
    const [, socket] = await connected
    const closed = new Promise((resolve) => socket.once('close', resolve))
    wire.reset()
    await closed
    expect(server.listening).toBe(true)
  })
})

test('production and the mock wait 15 seconds for headers and bodies', () => {
  const { server } = createHttpServer({ docsUrl: (code) => code })
  expect(server.headersTimeout).toBeLessThanOrEqual(15_000)
  expect(server.requestTimeout).toBeLessThanOrEqual(15_000)
})
