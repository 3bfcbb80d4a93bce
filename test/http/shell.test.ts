import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { unreadableReply } from '../../src/handlers/reply.js'
import { prepareReply } from '../../src/http/send-reply.js'
import { createShell, type ShellOptions } from '../../src/http/shell.js'
import { exchange } from '../conformance/raw-exchange.js'

const docsUrl: ShellOptions['docsUrl'] = (code, requested) => `http://${requested?.host ?? 'docs'}/${code}`

async function serve(options: Partial<ShellOptions>) {
  const shell = createShell({ docsUrl, ...options })
  onTestFinished(() => shell.app.close())
  const baseUrl = await shell.app.listen({ host: '127.0.0.1', port: 0 })
  return { shell, baseUrl, cookieOf: () => '' }
}

describe('a request without a route', () => {
  test.each(['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE'])(
    'is answered by the adapter, without reading its body (%s)',
    async (method) => {
      const target = await serve({
        answerUnrouted: async ({ raw, body }) => ({ read: body, sent: await text(raw) }),
      })
      const body = method === 'GET' ? '' : '{ no JSON'
      const [response] = await exchange(
        target,
        `${method} /a HTTP/1.1\r\nhost: a\r\ncontent-type: no type\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      )
      expect(JSON.parse(response?.body ?? '')).toEqual({ sent: body })
    },
  )

  test.each(['/v1/./projects', '/a//b', '/%zz?a=%zz', '/a%2Fb', '//a/b'])(
    'keeps its path as it was sent (%s)',
    async (path) => {
      const target = await serve({ answerUnrouted: async ({ originalUrl }) => originalUrl })
      const [response] = await exchange(
        target,
        `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
      )
      expect(response?.body).toBe(path)
    },
  )

  test('may be answered on the raw response, with a status that Fastify refuses, and the headers of the shell', async () => {
    const target = await serve({
      headers: { 'x-common': 'yes' },
      async answerUnrouted(_request, reply) {
        reply.hijack()
        reply.raw
          .writeHead(799, 'Own', {
            'x-common': String(reply.getHeader('x-common')),
            'content-length': 3,
          })
          .end('own')
      },
    })
    const [response] = await exchange(target, 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    expect(response?.head).toMatch(/^HTTP\/1\.1 799 Own\r\n/)
    expect(response?.head).toContain('x-common: yes')
  })

  test('gets 404 if the adapter does not answer, and 500 if it fails', async () => {
    const target = await serve({})
    const missing = await fetch(target.baseUrl)
    expect(missing.status).toBe(404)
    expect(await missing.json()).toMatchObject({ code: 'NOT_FOUND' })
    const failing = await serve({ answerUnrouted: () => Promise.reject(new Error('a secret')) })
    const failed = await fetch(failing.baseUrl)
    expect(failed.status).toBe(500)
    expect(await failed.text()).not.toContain('secret')
  })
})

test('an unknown host is refused with the reason', async () => {
  const target = await serve({
    refuseHost: (host) => (host === 'evil.example' ? 'The server does not know this host.' : undefined),
    answerUnrouted: async () => 'ok',
  })
  const get = async (host: string) =>
    (await exchange(target, `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`))[0]
  expect((await get('good.example'))?.status).toBe(200)
  const refused = await get('evil.example')
  expect(refused?.status).toBe(403)
  expect(JSON.parse(refused?.body ?? '')).toMatchObject({ error: 'The server does not know this host.' })
})

describe('requests of other sites', () => {
  const crossSite = {
    isAllowed: (origin: string) => origin === 'https://app.example',
    isOwn: () => false,
    coversReads: ({ originalUrl }: { originalUrl: string }) => originalUrl.startsWith('/private'),
  }
  const open = () => serve({ crossSite, answerUnrouted: async () => 'ok' })
  const send = async (baseUrl: string, path: string, method: string, origin: string, more = {}) =>
    fetch(baseUrl + path, { method, headers: { origin, ...more } })

  test('are refused if they are changes, and reads if the adapter refuses them', async () => {
    const { baseUrl } = await open()
    const evil = 'https://evil.example'
    expect((await send(baseUrl, '/', 'POST', evil)).status).toBe(403)
    expect((await send(baseUrl, '/', 'GET', evil)).status).toBe(200)
    expect((await send(baseUrl, '/private', 'GET', evil)).status).toBe(403)
    expect((await send(baseUrl, '/private', 'GET', 'https://app.example')).status).toBe(200)
  })

  test('of an allowed origin may read, and their preflight is answered', async () => {
    const { baseUrl } = await open()
    const allowed = 'https://app.example'
    const response = await send(baseUrl, '/', 'POST', allowed)
    expect(response.headers.get('access-control-allow-origin')).toBe(allowed)
    const preflight = await send(baseUrl, '/', 'OPTIONS', allowed, {
      'access-control-request-method': 'PATCH',
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
  })
})

test('a guest leaves requests to its host, without reading or writing', async () => {
  const shell = createShell({
    docsUrl,
    headers: { 'x-common': 'yes' },
    async answerUnrouted(request, reply) {
      if (request.originalUrl === '/host' && reply.leave()) return
      return prepareReply(reply, unreadableReply(400, 'own'))
    },
  })
  onTestFinished(() => shell.app.close())
  await shell.app.ready()
  const host = createServer((incoming, outgoing) =>
    shell.handle(incoming, outgoing, () => {
      void text(incoming).then((body) => outgoing.end(`the host has ${body}`))
    }),
  )
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  onTestFinished(() => void host.close())
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  const left = await fetch(`${url}/host`, { method: 'POST', body: 'a body' })
  expect(await left.text()).toBe('the host has a body')
  expect(left.headers.get('x-common')).toBeNull()
  const own = await fetch(`${url}/own`, { method: 'POST', body: 'a body' })
  expect(own.status).toBe(400)
  expect(own.headers.get('x-common')).toBe('yes')
})
