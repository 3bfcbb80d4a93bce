import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import fastifyAccepts from '@fastify/accepts'
import fastifyAuth from '@fastify/auth'
import fastifyCompress from '@fastify/compress'
import { fastifyCookie } from '@fastify/cookie'
import fastifyCors from '@fastify/cors'
import fastifyCsrf from '@fastify/csrf-protection'
import fastifyEtag from '@fastify/etag'
import fastifyFormbody from '@fastify/formbody'
import fastifyHelmet from '@fastify/helmet'
import fastifyProxy from '@fastify/http-proxy'
import fastifyJwt from '@fastify/jwt'
import fastifyMultipart from '@fastify/multipart'
import fastifyRateLimit from '@fastify/rate-limit'
import fastifySecureSession from '@fastify/secure-session'
import fastifySensible from '@fastify/sensible'
import fastifySession from '@fastify/session'
import fastifyStatic from '@fastify/static'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import fastifyUnderPressure from '@fastify/under-pressure'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import fastifyRawBody from 'fastify-raw-body'
import { expect } from 'vitest'

// Applications that use a plugin of Fastify as its documentation shows, beside the dashboard API.

/** Sends a request to the application, by default to the list of projects, with the session of a caller. */
export type Send = (options?: InjectOptions) => Promise<LightMyRequestResponse>

export type Host = {
  /** Registers the plugin, with routes that use it. */
  register(app: FastifyInstance): unknown
  /** Checks what the application has of its plugin, and what the operations get of it. */
  check?(send: Send, app: FastifyInstance, isBefore: boolean): Promise<void>
}

const list = '/api/v1/projects'
const key = randomBytes(32)
const secret = key.toString('hex')

export const hosts: Record<string, Host> = {
  '@fastify/cors': {
    register: (app) => app.register(fastifyCors, { origin: 'https://app.example', credentials: true }),
    async check(send) {
      const origin = 'https://app.example'
      const listed = await send({ headers: { origin } })
      expect(listed.headers['access-control-allow-origin']).toBe(origin)
      const preflight = { origin, 'access-control-request-method': 'POST' }
      expect((await send({ method: 'OPTIONS', url: list, headers: preflight })).statusCode).toBe(204)
    },
  },
  '@fastify/helmet': {
    register: (app) => app.register(fastifyHelmet),
    async check(send, _app, isBefore) {
      if (isBefore) expect((await send()).headers['x-frame-options']).toBe('SAMEORIGIN')
      // A page of the plugin has a policy of its own.
      expect((await send({ url: '/api/docs' })).headers['content-security-policy']).toContain(
        "default-src 'none'",
      )
    },
  },
  '@fastify/cookie': {
    register(app) {
      app.register(fastifyCookie, {
        secret,
        hook: false,
        parseOptions: { signed: true, domain: 'example.com' },
      })
    },
  },
  '@fastify/session': {
    async register(app) {
      await app.register(fastifyCookie)
      await app.register(fastifySession, { secret, cookie: { secure: false } })
      app.get('/visit', async ({ session }) => {
        const visits = (Number(session.get('visits' as never)) || 0) + 1
        session.set('visits' as never, visits as never)
        return { visits }
      })
    },
    async check(send) {
      const { cookies } = await send({ url: '/visit' })
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      expect((await send({ url: '/visit', headers: { cookie } })).json()).toEqual({ visits: 2 })
    },
  },
  '@fastify/secure-session': {
    async register(app) {
      await app.register(fastifySecureSession, { key, cookieName: 'own-session' })
      app.get('/set', async ({ session }) => void session.set('user' as never, 'ada' as never))
      app.get('/get', async ({ session }) => ({ user: session.get('user' as never) }))
    },
    async check(send) {
      const [{ name, value } = { name: '', value: '' }] = (await send({ url: '/set' })).cookies
      const cookie = `${name}=${encodeURIComponent(value)}`
      expect((await send({ url: '/get', headers: { cookie } })).json()).toEqual({ user: 'ada' })
    },
  },
  '@fastify/jwt': {
    async register(app) {
      await app.register(fastifyJwt, { secret })
      app.get('/me', async (request) => request.jwtVerify())
    },
    async check(send, app) {
      const token = app.jwt.sign({ name: 'ada' })
      const headers = { authorization: `Bearer ${token}` }
      expect((await send({ url: '/me', headers })).json()).toMatchObject({ name: 'ada' })
      expect((await send({ url: '/me' })).statusCode).toBe(401)
    },
  },
  '@fastify/auth': {
    async register(app) {
      await app.register(fastifyAuth)
      const refuse = async () => {
        throw Object.assign(new Error('no'), { statusCode: 403 })
      }
      app.get('/closed', { preHandler: app.auth([refuse]) }, async () => 'open')
    },
    check: async (send) => expect((await send({ url: '/closed' })).statusCode).toBe(403),
  },
  '@fastify/csrf-protection': {
    async register(app) {
      await app.register(fastifyCookie)
      await app.register(fastifyCsrf)
      app.get('/token', async (_request, reply) => ({ token: reply.generateCsrf() }))
      app.post('/own', { onRequest: app.csrfProtection }, async () => 'ok')
    },
    async check(send) {
      expect((await send({ method: 'POST', url: '/own' })).statusCode).toBe(403)
      const given = await send({ url: '/token' })
      const cookie = given.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const headers = { cookie, 'csrf-token': given.json().token }
      expect((await send({ method: 'POST', url: '/own', headers })).body).toBe('ok')
    },
  },
  '@fastify/rate-limit': {
    register: (app) => app.register(fastifyRateLimit, { max: 40, timeWindow: '1 minute' }),
    async check(send, _app, isBefore) {
      if (!isBefore) return
      const replies = await Promise.all(Array.from({ length: 41 }, () => send()))
      const refused = replies.find(({ statusCode }) => statusCode === 429)
      expect(refused?.json()).toMatchObject({ code: 'RATE_LIMITED' })
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(30)
      expect(refused?.headers['x-ratelimit-limit']).toBe('40')
    },
  },
  '@fastify/under-pressure': {
    register(app) {
      let isFull = false
      app.post('/fill', async () => {
        isFull = true
      })
      return app.register(fastifyUnderPressure, {
        retryAfter: 60,
        healthCheck: async () => !isFull,
        healthCheckInterval: 10,
      })
    },
    async check(send) {
      await send({ method: 'POST', url: '/fill' })
      await expect.poll(async () => (await send()).statusCode).toBe(503)
      const refused = await send()
      expect(refused.headers['retry-after']).toBe('60')
      expect(refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    },
  },
  '@fastify/compress': {
    register: (app) => app.register(fastifyCompress, { threshold: 0 }),
    async check(send, _app, isBefore) {
      if (!isBefore) return
      const listed = await send({ headers: { 'accept-encoding': 'gzip' } })
      expect(listed.headers['content-encoding']).toBe('gzip')
      expect(JSON.parse(gunzipSync(listed.rawPayload).toString())).toEqual((await send()).json())
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      const create = (payload: Buffer) => send({ method: 'POST', url: list, headers, payload })
      expect((await create(gzipSync('{"name":"Compressed"}'))).statusCode).toBe(201)
      expect((await create(Buffer.from('no gzip'))).statusCode).toBe(400)
    },
  },
  '@fastify/multipart': {
    async register(app) {
      await app.register(fastifyMultipart, { attachFieldsToBody: true })
      app.post('/form', async ({ body }) => Object.keys(body as object))
    },
    async check(send) {
      const payload = '--a\r\ncontent-disposition: form-data; name="f"\r\n\r\nhi\r\n--a--\r\n'
      const form = { headers: { 'content-type': 'multipart/form-data; boundary=a' }, payload }
      expect((await send({ method: 'POST', url: '/form', ...form })).json()).toEqual(['f'])
      expect((await send({ method: 'POST', url: list, ...form })).statusCode).toBe(415)
    },
  },
  '@fastify/formbody': {
    async register(app) {
      await app.register(fastifyFormbody)
      app.post('/form', async ({ body }) => body)
    },
    async check(send) {
      const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=1' }
      expect((await send({ method: 'POST', url: '/form', ...form })).json()).toEqual({ a: '1' })
      expect((await send({ method: 'POST', url: list, ...form })).statusCode).toBe(415)
    },
  },
  '@fastify/static': {
    register: (app) => app.register(fastifyStatic, { root: import.meta.dirname, prefix: '/files/' }),
    check: async (send) =>
      expect((await send({ url: '/files/fastify-hosts.ts' })).body).toContain('// Applications that use'),
  },
  '@fastify/swagger and swagger-ui': {
    async register(app) {
      await app.register(fastifySwagger, { openapi: {} })
      await app.register(fastifySwaggerUi, { routePrefix: '/own-docs' })
    },
    async check(send, app, isBefore) {
      const { paths = {} } = (await send({ url: '/own-docs/json' })).json()
      expect(Object.keys(paths).includes(list)).toBe(isBefore)
      expect((await send({ url: '/own-docs' })).statusCode).toBe(200)
      expect(app.hasDecorator('swagger')).toBe(true)
    },
  },
  '@fastify/sensible': {
    async register(app) {
      await app.register(fastifySensible)
      app.addHook('onRequest', async ({ headers }) => {
        if (headers['x-closed']) throw app.httpErrors.paymentRequired('a secret')
      })
    },
    async check(send) {
      const refused = await send({ headers: { 'x-closed': '1' } })
      expect([refused.statusCode, refused.json().code]).toEqual([402, 'VALIDATION_FAILED'])
      expect(refused.body).not.toContain('secret')
    },
  },
  '@fastify/etag': {
    register: (app) => app.register(fastifyEtag),
    async check(send, _app, isBefore) {
      if (!isBefore) return
      const { etag } = (await send()).headers
      expect((await send({ headers: { 'if-none-match': String(etag) } })).statusCode).toBe(304)
    },
  },
  '@fastify/websocket': {
    async register(app) {
      await app.register(fastifyWebsocket)
      app.get('/socket', { websocket: true }, (socket) => socket.on('message', () => socket.send('pong')))
    },
    async check(_send, app) {
      const socket = await app.injectWS('/socket')
      const received = new Promise((resolve) =>
        socket.once('message', (data: unknown) => resolve(String(data))),
      )
      socket.send('ping')
      expect(await received).toBe('pong')
      socket.terminate()
    },
  },
  '@fastify/http-proxy': {
    async register(app) {
      const upstream = createServer((request, response) => request.pipe(response))
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
      app.addHook('onClose', () => void upstream.close())
      const { port } = upstream.address() as { port: number }
      await app.register(fastifyProxy, { upstream: `http://127.0.0.1:${port}`, prefix: '/upstream' })
    },
    async check(send) {
      const echoed = await send({ method: 'POST', url: '/upstream/a', payload: { a: 1 } })
      expect(echoed.body).toBe('{"a":1}')
    },
  },
  'fastify-raw-body': {
    async register(app) {
      await app.register(fastifyRawBody, { global: true, runFirst: true })
      app.post('/raw', async ({ rawBody }) => ({ rawBody }))
    },
    check: async (send) =>
      expect((await send({ method: 'POST', url: '/raw', payload: { a: 1 } })).json()).toEqual({
        rawBody: '{"a":1}',
      }),
  },
  '@fastify/accepts': {
    async register(app) {
      await app.register(fastifyAccepts)
      app.get('/accepts', async (request) => ({ type: request.accepts().types(['json', 'html']) }))
    },
    check: async (send) =>
      expect((await send({ url: '/accepts', headers: { accept: 'text/html' } })).json()).toEqual({
        type: 'html',
      }),
  },
}
