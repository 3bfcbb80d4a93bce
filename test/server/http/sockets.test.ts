import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { route } from '../../../src/contract/route.js'
import { lastResponse } from '../server-harness.js'
import { hasResponses, isWhole, listen, post, request, statuses } from './raw-requests.js'

// test/http/client-error.test.ts tests which data is refused, and with which body.
describe('data that is not HTTP', () => {
  it('is answered after the pipelined responses', async () => {
    const { wire, signIn } = await listen()
    const { cookie } = await signIn()
    const { write, closed } = await wire()
    write(`${post(cookie, '{"name":"One"}')}${post(cookie, '{"name":"Two"}')}GET / HTTP/9\r\n\r\n`)
    const received = await closed
    expect(statuses(received)).toEqual(['201', '201', '400'])
    expect(lastResponse(received)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })

  it('is not answered after a response that closes the connection', async () => {
    const { wire } = await listen()
    const { write, closed } = await wire()
    write(`${request('GET /v1/projects', ['connection: close'])}GET / HTTP/9\r\n\r\n`)
    expect(lastResponse(await closed).status).toBe(401)
  })

  it('is answered once, even if more data arrives', async () => {
    const { app, wire, signIn, store } = await listen()
    const { cookie } = await signIn()
    const { addProject } = store
    const refused = () => new Promise<void>((resolve) => app.server.once('clientError', () => resolve()))
    let goOn = () => {}
    const reached = new Promise<void>((resolve) => {
      store.addProject = async (...project) => {
        resolve()
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
        return addProject(...project)
      }
    })
    const { write, closed } = await wire()
    const first = refused()
    write(`${post(cookie, '{"name":"One"}')}GET / HTTP/9\r\n\r\n`)
    await Promise.all([first, reached])
    const second = refused()
    write('GET / HTTP/9\r\n\r\n')
    await second
    goOn()
    const received = await closed
    expect(statuses(received)).toEqual(['201', '400'])
    expect(lastResponse(received)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })
})

describe('a request that does not arrive', () => {
  it('gets 408 with the error body', async () => {
    const { app, wire, url } = await listen()
    const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve))
    const { write, closed } = await wire()
    write('GET /v1/projects HTTP/1.1\r\n')
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    app.server.emit('clientError', late, await accepted)
    expect(lastResponse(await closed)).toMatchObject({
      status: 408,
      body: { code: 'VALIDATION_FAILED', docsUrl: `${url}/docs/errors/validation-failed` },
    })
  })
})

describe('a raw request', () => {
  it('with thousands of headers is checked with all of them', async () => {
    const { wire, signIn } = await listen()
    const { cookie } = await signIn()
    const fillers = Array<string>(2_000).fill('a:b')
    const cases: [string, string[], number][] = [
      ['GET', [`cookie: ${cookie}`, ...fillers], 200],
      ['POST', [`cookie: ${cookie}`, ...fillers, 'Sec-Fetch-Site: cross-site'], 403],
      ['POST', [`cookie: ${cookie}`, ...fillers, 'Origin: https://elsewhere.example'], 403],
      ['GET', [`cookie: ${cookie}`, ...fillers, `cookie: ${cookie}`], 401],
    ]
    for (const [method, headers, status] of cases) {
      const { write, until } = await wire()
      write(request(`${method} /v1/projects`, headers))
      expect(lastResponse(await until(isWhole)).status).toBe(status)
    }
  })

  it('with a complete URL in the request line, as to a proxy, is routed by its path', async () => {
    const { wire } = await listen()
    const { write, until } = await wire()
    write(request('GET http://elsewhere.example/v1/projects'))
    expect(lastResponse(await until(isWhole)).status).toBe(401)
    write(request('DELETE http://elsewhere.example/v1/projects?a=b'))
    expect(lastResponse(await until((all) => hasResponses(2)(all) && isWhole(all))).status).toBe(405)
  })

  it('is routed as in the contract, for any path', async () => {
    const { app, lines } = await listen()
    const agent = new Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    const { port } = new URL(app.listeningOrigin)
    const send = (method: string, path: string) =>
      new Promise<void>((resolve, reject) => {
        const resume = (response: IncomingMessage) => response.resume().once('end', resolve)
        httpRequest({ host: '127.0.0.1', port, agent, method, path }, resume).once('error', reject).end()
      })
    const base = fc.constantFrom('/', '/v1', '/v1/projects', '/v1/projects/', '/v1/auth/me', '/v1/waitlist')
    const piece = fc.constantFrom(
      ...['v1', 'projects', 'x', '/', '//', '..', '.', ';', '*', ':projectId', '\\', '+', '~', '?a=/v1'],
      ...['%', '%ZZ', '%FF', '%20', '%25', '%2F', '%2e%2e', '%70rojects', '%C3%A9', '%3F'],
    )
    const path = fc
      .tuple(base, fc.array(piece, { maxLength: 5 }))
      .map(([start, rest]) => start + rest.join(''))
    const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE')
    await fc.assert(
      fc.asyncProperty(method, path, async (method, path) => {
        lines.length = 0
        await send(method, path)
        const { operation } = route(method, path.split('?')[0] ?? '')
        expect(lines.map((line) => JSON.parse(line).operation)).toEqual([operation])
      }),
      { numRuns: 1_000 },
    )
  })

  it('is answered after the requests that were pipelined before it', async () => {
    const { wire, signIn } = await listen()
    const { cookie } = await signIn()
    const { write, until } = await wire()
    write(
      post(cookie, '{"name":"One"}') +
        request('GET /v1/nowhere') +
        post('session=x', '{"name":"Two"}') +
        post(cookie, '{"name":"Three"}'),
    )
    const received = await until((all) => hasResponses(4)(all) && isWhole(all))
    expect(statuses(received)).toEqual(['201', '404', '401', '201'])
  })
})
