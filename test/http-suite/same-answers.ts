import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Target } from '../../src/conformance/runner/target.js'
import { errorDocsPath } from '../../src/contract/errors.js'
import { errorFormAt } from '../../src/contract/route.js'
import { startDevServer } from './start-dev-server.js'

type Headers = Record<string, string>
type Received = { status: number; headers: NodeJS.Dict<string | string[]>; text: string }

const send = (baseUrl: string, method: string, path: string, headers: Headers = {}, body = '') =>
  new Promise<Received>((resolve, reject) => {
    const all = { ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) }
    const sent = request(baseUrl + path, { method, headers: all }, async (response) => {
      const { statusCode = 0 } = response
      resolve({ status: statusCode, headers: response.headers, text: String(await buffer(response)) })
    })
    sent.on('error', reject)
    sent.end(body)
  })

const json = { 'content-type': 'application/json' }

/**
 * Tests what a client can tell apart only with headers and methods that fetch does not send.
 * @param start starts production, which is compared with the dev server
 */
export function testSameAnswers(start: () => Promise<Target>): void {
  let targets: Target[]
  beforeAll(async () => {
    targets = await Promise.all([startDevServer(), start()])
  })
  beforeEach(() => Promise.all(targets.map((target) => target.reset())))
  afterAll(() => Promise.all(targets.map((target) => target.close())))

  /** The answers of the mock and of production to a request, without what depends on their address. */
  async function answers(method: string, path: string, headers: Headers = {}, body = '') {
    const received = targets.map(async ({ baseUrl, cookieOf }) => {
      const cookie = cookieOf('acme-owner')
      const answer = await send(baseUrl, method, path, { ...headers, cookie }, body)
      const { status, headers: all } = answer
      const compared = Object.entries(all).filter(([name]) =>
        /^(allow|access-control-.*|content-type)$/.test(name),
      )
      return { status, headers: Object.fromEntries(compared), text: answer.text.replaceAll(baseUrl, '') }
    })
    const [mock, production] = await Promise.all(received)
    return { mock, production }
  }

  describe('the mock and production give the same answer', () => {
    const foreign: Headers[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' },
    ]
    const changes = [
      ['POST', '/v1/projects', 403],
      ['PATCH', '/v1/projects/%zz', 403],
      ['DELETE', '/v1/auth/me', 403],
      ['POST', '/v1/waitlist', 403],
      ['POST', '/auth/sign-out', 403],
      ['PUT', '/nothing', 403],
    ] as const

    test.each(foreign)('to a change of a page of another site: %j', async (headers) => {
      for (const [method, path, status] of changes) {
        const { mock, production } = await answers(method, path, { ...headers, ...json }, '{}')
        expect(mock, `${method} ${path}`).toEqual(production)
        expect(mock?.status).toBe(status)
        const fields = Object.keys(JSON.parse(mock?.text ?? ''))
        expect(fields).toEqual(errorFormAt(path) === 'short' ? ['error'] : ['error', 'code', 'docsUrl'])
      }
    })

    test.each([
      ['/v1/projects', 405],
      ['/v1/waitlist', 405],
      ['/v1/nothing', 404],
      ['/auth/sign-out', 404],
    ] as const)('to the preflight request of another site for %s', async (path, status) => {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
      const { mock, production } = await answers('OPTIONS', path, headers)
      expect(mock).toEqual(production)
      expect(mock?.status).toBe(status)
    })

    test.each([
      ['GET', '/v1/waitlist', 405],
      ['DELETE', '/v1/auth/me', 405],
      ['POST', '/v1/waitlist', 413],
      ['GET', '/v1/projects/%zz', 405],
      ['PATCH', '/v1/projects/%zz', 404],
      ['PATCH', '/v1/projects/%25%', 404],
      ['PATCH', '/v1/%zz', 404],
    ] as const)('to %s %s', async (method, path, status) => {
      const body = status === 413 ? JSON.stringify({ email: 'a'.repeat(70_000) }) : '{"name":"Fresh"}'
      const { mock, production } = await answers(method, path, json, method === 'GET' ? '' : body)
      expect(mock).toEqual(production)
      expect(mock?.status).toBe(status)
      expect('code' in JSON.parse(mock?.text ?? '')).toBe(errorFormAt(path) === 'full')
    })
  })

  test('HEAD has the Content-Length of its GET', async () => {
    const paths = ['/v1/projects', '/v1/auth/me', '/v1/waitlist', '/v1/nothing', '/nothing', '/docs']
    for (const { baseUrl, cookieOf } of targets) {
      for (const cookie of [cookieOf('acme-owner'), 'session=nobody']) {
        for (const path of [...paths, '/openapi.json', '/auth/sign-in', errorDocsPath('AUTH_REQUIRED')]) {
          const [get, head] = await Promise.all(
            ['GET', 'HEAD'].map((method) => send(baseUrl, method, path, { cookie })),
          )
          expect(head, path).toMatchObject({ status: get?.status, text: '' })
          expect(head?.headers['content-length'], path).toBe(String(Buffer.byteLength(get?.text ?? '')))
          expect(head?.headers['content-type'], path).toBe(get?.headers['content-type'])
        }
      }
    }
  })

  test('docsUrl opens at the address that the client asked for', async () => {
    for (const { baseUrl } of targets) {
      const { port } = new URL(baseUrl)
      const docsUrl = async (host: string): Promise<string> =>
        JSON.parse((await send(baseUrl, 'GET', '/v1/projects', { host })).text).docsUrl
      const page = errorDocsPath('AUTH_REQUIRED')
      expect(await docsUrl(`localhost:${port}`)).toBe(`http://localhost:${port}${page}`)
      expect(await docsUrl('dashboard.example')).toBe(`http://dashboard.example${page}`)
      for (const host of [`0.0.0.0:${port}`, '[::]', 'a/b', 'a@b', 'a b', 'a?', '']) {
        expect(await docsUrl(host), host).toBe(`${baseUrl}${page}`)
      }
    }
  })

  test('of two concurrent creations with one name both succeed, or one (4.1, rule 2)', async () => {
    for (const { baseUrl, cookieOf } of targets) {
      const headers = { ...json, cookie: cookieOf('acme-owner') }
      const seen = new Set<string>()
      // The second request is sent up to five milliseconds after the first, so that either outcome is likely in some round.
      for (let round = 0; seen.size < 2; round += 1) {
        expect(round, `only ${[...seen]}`).toBeLessThan(1_000)
        const body = JSON.stringify({ name: `Twice ${round}` })
        const first = send(baseUrl, 'POST', '/v1/projects', headers, body)
        await new Promise((resolve) => setTimeout(resolve, round % 6))
        const second = send(baseUrl, 'POST', '/v1/projects', headers, body)
        const statuses = (await Promise.all([first, second])).map(({ status }) => status).sort()
        expect(['201,201', '201,409']).toContain(statuses.join())
        seen.add(statuses.join())
      }
    }
  })
}
