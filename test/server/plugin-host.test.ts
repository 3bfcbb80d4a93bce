import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createGunzip, gzipSync } from 'node:zlib'
import fastifySwagger from '@fastify/swagger'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DashboardApiOptions, dashboardApi } from '../../src/server/server.js'
import { issueSession } from '../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'
import { demo, hour, openWire, secret } from './server-harness.js'

type Setup = {
  options?: Partial<DashboardApiOptions>
  server?: FastifyServerOptions
  /** Prepares the application before the plugin is registered. */
  before?(app: FastifyInstance): unknown
}

/** An application with the plugin below /api, and the headers of a session. */
async function hostWith({ options, server, before }: Setup = {}) {
  const store = createMemoryStore(demo())
  const lines: string[] = []
  const app = fastify({
    logger: { level: 'debug', stream: { write: (line: string) => void lines.push(line) } },
    ...server,
  })
  onTestFinished(() => app.close())
  await before?.(app)
  const sessions = options?.session ? {} : { sessions: { sessionSecret: secret } }
  await app.register(dashboardApi, { store, prefix: '/api', ...sessions, ...options } as DashboardApiOptions)
  const user = await store.user('user-ada')
  if (!user) throw new Error('the fixture has no user-ada')
  const { cookie } = await issueSession(
    { store, cookies: createSessionCookies([secret]), now: () => new Date() },
    { user, orgCode: 'org_acme', permissions: ['create:projects', 'update:projects'], ttlMs: hour },
  )
  const headers = { cookie: `session=${cookie}`, authorization: 'Bearer a-secret-token' }
  const faults = () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  return { app, store, user, headers, lines, faults }
}

const projects = '/api/v1/projects'
const create = (app: FastifyInstance, headers: object, payload: object | Buffer = { name: 'New' }) =>
  app.inject({
    method: 'POST',
    url: projects,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  })

describe('a body of a request', () => {
  test.each<[string, (payload: Readable) => Readable]>([
    ['reads along', (payload) => payload.on('data', () => {})],
    ['has paused', (payload) => payload.pause()],
    [
      'has read and replaced',
      (payload) =>
        Readable.from(
          (async function* () {
            yield Buffer.from(await text(payload))
          })(),
        ),
    ],
    ['passes on', (payload) => payload.pipe(new PassThrough())],
  ])('that a hook of the application %s is read', async (_, hook) => {
    const { app, headers, faults } = await hostWith({
      before: (host) =>
        void host.addHook('preParsing', async (_request, _reply, payload) => hook(payload as Readable)),
    })
    expect((await create(app, headers)).statusCode).toBe(201)
    expect(faults()).toEqual([])
  })

  test('may be compressed, if the application decompresses; one that cannot be is refused', async () => {
    const { app, headers } = await hostWith({
      before: (host) =>
        void host.addHook('preParsing', async ({ headers }, _reply, payload) =>
          headers['content-encoding'] === 'gzip'
            ? Object.assign(payload.pipe(createGunzip()), {
                receivedEncodedLength: Number(headers['content-length']),
              })
            : payload,
        ),
    })
    const gzip = { ...headers, 'content-encoding': 'gzip' }
    expect((await create(app, gzip, gzipSync('{"name":"New"}'))).statusCode).toBe(201)
    const bomb = await create(app, gzip, gzipSync(Buffer.alloc(1_000_000, 'a')))
    expect([bomb.statusCode, bomb.json().error]).toEqual([413, 'The request body is larger than 64 KiB.'])
    const broken = await create(app, gzip, Buffer.from('no gzip'))
    expect([broken.statusCode, broken.json().code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('that a hook of the application logs has no secrets', async () => {
    const { app, headers, lines } = await hostWith({
      before: (host) =>
        void host.addHook('preHandler', async ({ log, body }) => log.info({ body }, 'a body')),
    })
    expect((await create(app, headers)).statusCode).toBe(201)
    expect(lines.join('')).toContain('a body')
    expect(lines.join('')).not.toMatch(/a-secret-token|session=/)
  })

  test.each(['json', '', 'a b/c'])(
    'with the malformed type "%s" is refused after the checks of the caller',
    async (type) => {
      const { app, headers } = await hostWith()
      const send = async (more: object) =>
        (await create(app, { 'content-type': type, ...more }, Buffer.from('x'))).json().code
      expect([await send({}), await send(headers)]).toEqual(['AUTH_REQUIRED', 'VALIDATION_FAILED'])
      const unknown = { method: 'POST', headers: { 'content-type': type }, payload: 'x' } as const
      expect((await app.inject({ ...unknown, url: '/api/v1/nowhere' })).json().code).toBe('NOT_FOUND')
      expect((await app.inject({ ...unknown, url: '/api/auth/sign-out' })).statusCode).toBe(204)
    },
  )

  test('ends with its client: no fault is logged', async () => {
    const { app, headers, lines, faults } = await hostWith()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const wire = await openWire(app.listeningOrigin)
    const admitted = new Promise<void>((resolve) => {
      app.server.once('request', () => setImmediate(resolve))
    })
    wire.write(
      `POST ${projects} HTTP/1.1\r\nhost: a\r\ncookie: ${headers.cookie}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`,
    )
    await admitted
    wire.reset()
    await expect.poll(() => lines.join('')).toContain('the client went away')
    expect(faults()).toEqual([])
  })
})

describe('an error of the application', () => {
  const failing = (fields: object) => Object.assign(new Error('a secret'), fields)
  test.each<[number, string | undefined, object, object]>([
    [503, '60', { statusCode: 503, headers: { 'Retry-After': '60' } }, { code: 'SERVICE_UNAVAILABLE' }],
    [429, '7', { status: 429, headers: { 'retry-after': '7' } }, { code: 'RATE_LIMITED' }],
    [503, undefined, { statusCode: 503 }, { code: 'SERVICE_UNAVAILABLE' }],
    [502, undefined, { statusCode: 502 }, { code: 'INTERNAL_ERROR' }],
    [402, undefined, { statusCode: 402 }, { code: 'VALIDATION_FAILED' }],
    [
      401,
      undefined,
      { statusCode: 401, headers: { 'www-authenticate': 'Bearer' } },
      { code: 'AUTH_REQUIRED' },
    ],
    [500, undefined, {}, { code: 'INTERNAL_ERROR' }],
  ])('keeps its status %i and its headers (retry-after: %s)', async (status, retryAfter, fields, body) => {
    for (const at of ['onRequest', 'preHandler', 'session'] as const) {
      const refuse = () => {
        throw failing(fields)
      }
      const { app, headers, faults } = await hostWith({
        before: (host) => at !== 'session' && host.addHook(at as 'preHandler', async () => refuse()),
        ...(at === 'session' && { options: { session: refuse } }),
      })
      const refused = await app.inject({ url: projects, headers })
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([status, retryAfter])
      expect(refused.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
      expect(refused.json()).toMatchObject(body)
      expect(refused.body).not.toContain('secret')
      expect(faults()).toHaveLength(status >= 500 ? 1 : 0)
    }
  })

  test('keeps the headers that a hook has set before it', async () => {
    const { app } = await hostWith({
      before: (host) =>
        void host.addHook('onRequest', async (_request, reply) => {
          reply.code(429).headers({ 'retry-after': '9', 'x-limit': '3' })
          throw failing({})
        }),
    })
    const refused = await app.inject(projects)
    expect(refused.headers).toMatchObject({ 'retry-after': '9', 'x-limit': '3' })
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED'])
  })
})

describe('the caller of `session`', () => {
  const user = { id: 'u', email: 'u@b.example', givenName: 'U', familyName: 'V', picture: '' }
  test.each<[string, unknown, string]>([
    [
      'a partial user',
      { user: { id: 'u' }, permissions: [] },
      'user.email: .*user.givenName: .*user.picture: ',
    ],
    ['no permissions', { user }, 'permissions: .*expected array'],
    ['permissions as text', { user, permissions: 'a b' }, 'permissions: .*expected array'],
    ['a number as its organisation', { user, orgCode: 5, permissions: [] }, 'orgCode: .*expected string'],
  ])('with %s is refused in words, in the log', async (_, given, words) => {
    const { app, faults } = await hostWith({ options: { session: () => given as never } })
    const refused = await app.inject('/api/v1/auth/me')
    expect([refused.statusCode, Object.keys(refused.json())]).toEqual([500, ['error']])
    expect(faults()).toHaveLength(1)
    expect(faults()[0].err.message).toMatch(new RegExp(`\`session\` returned an invalid caller\\. ${words}`))
  })

  test.each([null, undefined, '', ' '])('may have %j as its organisation', async (orgCode) => {
    const { app } = await hostWith({ options: { session: () => ({ user, orgCode, permissions: [] }) } })
    const bundle = (await app.inject('/api/v1/auth/me')).json()
    expect(bundle).toMatchObject({ organization: { orgCode: '' }, teamId: '', projects: [] })
  })

  test('has the fields of the interface in the bundle, and no others', async () => {
    const given = { ...user, passwordHash: 'x' }
    const { app } = await hostWith({ options: { session: () => ({ user: given, permissions: [] }) } })
    expect((await app.inject('/api/v1/auth/me')).json().user).toEqual(user)
  })
})

describe('an application', () => {
  test('may listen on a Unix socket, without a public URL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'socket-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { app, headers, faults } = await hostWith()
    const socketPath = join(folder, 'app.sock')
    await app.listen({ path: socketPath })
    const send = async (method: string, path: string) => {
      const sent = httpRequest({
        socketPath,
        method,
        path,
        headers: { ...headers, host: 'api.example.com' },
      }).end()
      const [response] = await once(sent, 'response')
      return { status: response.statusCode, headers: response.headers, body: await text(response) }
    }
    expect((await send('GET', projects)).status).toBe(200)
    const unknown = await send('GET', '/api/v1/nowhere')
    expect(JSON.parse(unknown.body).docsUrl).toBe('http://api.example.com/api/docs/errors/not-found')
    const signedOut = await send('POST', '/api/auth/sign-out?returnTo=/bye')
    expect([signedOut.status, signedOut.headers['set-cookie']]).toEqual([
      204,
      ['session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax'],
    ])
    expect(faults()).toEqual([])
  })

  test.each<[string, FastifyServerOptions, string]>([
    ['ignores slashes at the end', { routerOptions: { ignoreTrailingSlash: true } }, '/api/v1/auth/me/'],
    ['ignores duplicate slashes', { routerOptions: { ignoreDuplicateSlashes: true } }, '//api//v1//auth/me'],
    ['ignores the case of paths', { routerOptions: { caseSensitive: false } }, '/API/V1/Auth/Me'],
    [
      'rewrites paths',
      { rewriteUrl: ({ url = '' }) => url.replace(/^\/tenant/, '') },
      '/tenant/api/v1/auth/me',
    ],
  ])('that %s gets the errors of the interface', async (_, server, url) => {
    const { app, headers } = await hostWith({ server })
    expect((await app.inject({ url, headers })).json()).toMatchObject({ teamId: 'team-acme' })
    const refused = await app.inject(url)
    expect([refused.statusCode, Object.keys(refused.json())]).toEqual([401, ['error']])
  })

  test('that rewrites paths gets 404 and 405 of the interface', async () => {
    const { app } = await hostWith({ server: { rewriteUrl: ({ url = '' }) => url.replace(/^\/tenant/, '') } })
    const refused = await app.inject({ method: 'DELETE', url: '/tenant/api/v1/auth/me' })
    expect([refused.statusCode, refused.headers.allow, Object.keys(refused.json())]).toEqual([
      405,
      'GET, HEAD',
      ['error'],
    ])
    expect((await app.inject('/tenant/api/v1/nowhere')).json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('may serialize its replies in its own way', async () => {
    const { app, headers } = await hostWith({
      before: (host) => {
        host.setReplySerializer((payload) => JSON.stringify({ wrapped: payload }))
        host.get('/own', async () => ({ a: 1 }))
      },
    })
    expect((await app.inject('/own')).json()).toEqual({ wrapped: { a: 1 } })
    expect((await app.inject({ url: projects, headers })).json()).toHaveProperty('projects')
    expect((await app.inject(projects)).json()).toMatchObject({ code: 'AUTH_REQUIRED' })
    expect((await app.inject('/api/v1/nowhere')).json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('has links with the prefix on every page, and the address in the documents', async () => {
    const { app } = await hostWith()
    for (const path of ['/docs', '/docs/errors/not-found', '/docs/errors/none']) {
      const page = await app.inject({ url: `/api${path}`, headers: { accept: 'text/html' } })
      const links = [...page.body.matchAll(/href="(\/[^"]*)"/g)].map(([, link = '']) => link)
      expect(links.length).toBeGreaterThan(1)
      expect(links.filter((link) => !link.startsWith('/api/'))).toEqual([])
    }
    expect((await app.inject('/api/openapi.json')).json().servers).toEqual([{ url: '/api' }])
    expect((await app.inject('/api/docs')).body).toContain('/api/v1/projects</code>')
    const missing = await app.inject('/api/docs/errors/none')
    expect([missing.statusCode, missing.json().code]).toEqual([404, 'NOT_FOUND'])
  })

  test('that adds a limit to each route keeps it on those with a rate of the service', async () => {
    const limited: string[] = []
    const { app } = await hostWith({
      before: (host) =>
        void host.addHook('onRoute', (route) => {
          route.onRequest = async () => void limited.push(route.url)
        }),
    })
    await app.inject({ method: 'POST', url: '/api/v1/waitlist', payload: { email: 'a@b.example' } })
    await app.inject(projects)
    expect(limited).toEqual(['/api/v1/waitlist', projects])
  })

  test('whose session cookie may have the name of ours is told so, once', async () => {
    const { app, faults } = await hostWith({
      before: (host) => void host.decorateRequest('session', null),
    })
    for (const _ of [1, 2])
      expect((await app.inject({ url: projects, headers: { cookie: 'session=other' } })).statusCode).toBe(401)
    expect(faults()).toMatchObject([
      { msg: expect.stringContaining('a cookie "session" was not signed here') },
    ])
  })

  test.each([true, false])(
    'with @fastify/swagger has the operations in its document (%s)',
    async (swagger) => {
      const { app, headers } = await hostWith({
        before: (host) => host.register(fastifySwagger, { openapi: {} }),
        options: { swagger },
      })
      await app.ready()
      const { paths = {} } = app.swagger()
      expect(Object.keys(paths).sort()).toEqual(
        swagger
          ? ['/api/v1/auth/me', '/api/v1/projects', '/api/v1/projects/{projectId}', '/api/v1/waitlist']
          : [],
      )
      const { post } = paths['/api/v1/projects'] ?? {}
      if (swagger)
        expect(JSON.stringify(post)).toMatch(
          /"operationId":"createProject".*"minLength":1.*"201".*"createdAt"/,
        )
      // The pipeline validates, not these schemas.
      expect((await create(app, headers, { name: 5 })).json().details.fieldErrors).toHaveProperty('name')
      expect((await create(app, headers)).statusCode).toBe(201)
    },
  )
})
