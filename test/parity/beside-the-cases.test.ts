import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorDocsPath } from '../../src/contract/errors.js'
import { type StartedTarget, startDevServer } from '../conformance/start-dev-server.js'
import { startProduction } from '../conformance/start-production.js'

// Behaviour of both modes at addresses that are not in the cases of the suite.

const send = (baseUrl: string, method: string, path: string, headers: Record<string, string>) =>
  new Promise<{ status?: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const sent = request(baseUrl + path, { method, headers }, async (response) => {
        const { statusCode, headers } = response
        resolve({ ...(statusCode && { status: statusCode }), headers, body: await text(response) })
      })
      sent.on('error', reject)
      sent.end()
    },
  )

describe.each([
  { name: 'the dev server', start: startDevServer },
  { name: 'production', start: startProduction },
])('$name', ({ start }) => {
  let target: StartedTarget
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target?.close())

  test('responds to HEAD with the Content-Length of GET, also for pages and documents', async () => {
    const { baseUrl } = target
    const headers = { cookie: target.cookieOf('owner') }
    for (const path of [
      '/nothing',
      '/docs',
      '/openapi.json',
      '/auth/sign-in',
      errorDocsPath('AUTH_REQUIRED'),
    ]) {
      const get = await send(baseUrl, 'GET', path, headers)
      const head = await send(baseUrl, 'HEAD', path, headers)
      expect(head, path).toMatchObject({ status: get.status, body: '' })
      expect(head.headers['content-length'], path).toBe(String(Buffer.byteLength(get.body)))
      expect(head.headers['content-type'], path).toBe(get.headers['content-type'])
    }
  })

  test('derives docsUrl from the address that the client requested', async () => {
    const { baseUrl } = target
    const { port } = new URL(baseUrl)
    const docsUrl = async (host: string): Promise<string> =>
      JSON.parse((await send(baseUrl, 'GET', '/v1/projects', { host })).body).docsUrl
    const page = errorDocsPath('AUTH_REQUIRED')
    expect(await docsUrl(`localhost:${port}`)).toBe(`http://localhost:${port}${page}`)
    expect(await docsUrl('dashboard.example')).toBe(`http://dashboard.example${page}`)
    for (const host of [`0.0.0.0:${port}`, '[::]', 'a/b', 'a@b', 'a b', 'a?', ''])
      expect(await docsUrl(host), host).toBe(`${baseUrl}${page}`)
  })
})
