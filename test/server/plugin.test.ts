import { fastifyCookie } from '@fastify/cookie'
import fastifyCors from '@fastify/cors'
import fastifyHelmet from '@fastify/helmet'
import fastifyMultipart from '@fastify/multipart'
import fastifySwagger from '@fastify/swagger'
import fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DashboardApiOptions, dashboardApi, openStore, startServer } from '../../src/server/server.js'
import { issueSession } from '../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'
import { demo, hour, secret } from './server-harness.js'

type Setup = {
  options?: Partial<DashboardApiOptions>
  /** Prepares the application before the plugin is registered. */
  before?(app: FastifyInstance): unknown
  /** Receives the lines of the log. */
  log?: string[]
}

/** An application with the plugin, and the cookie of a session. */
async function applicationWith({ options, before, log }: Setup = {}) {
  const store = createMemoryStore(demo())
  const app = fastify({
    logger: { level: 'error', ...(log && { stream: { write: (line) => void log.push(line) } }) },
  })
  onTestFinished(() => app.close())
  await before?.(app)
  await app.register(dashboardApi, {
    store,
    prefix: '/api',
    ...(options?.session ? {} : { sessions: { sessionSecret: secret } }),
    ...options,
  } as DashboardApiOptions)
  const user = await store.user('user-ada')
  if (!user) throw new Error('the fixture has no user-ada')
  const { cookie } = await issueSession(
    { store, cookies: createSessionCookies([secret]), now: () => new Date() },
    { user, orgCode: 'org_acme', permissions: ['create:projects', 'update:projects'], ttlMs: hour },
  )
  return { app, store, user, headers: { cookie: `session=${cookie}` } }
}

const projects = '/api/v1/projects'

describe('the plugin', () => {
  test('has the operations below its prefix, and nowhere else', async () => {
    const { app, headers } = await applicationWith()
    expect((await app.inject({ url: projects, headers })).statusCode).toBe(200)
    expect((await app.inject({ method: 'HEAD', url: projects, headers })).statusCode).toBe(200)
    expect((await app.inject({ url: '/v1/projects', headers })).json()).toEqual({
      error: 'Not Found',
      message: 'Route GET:/v1/projects not found',
      statusCode: 404,
    })
    const unknown = await app.inject('/api/v1/nowhere')
    expect(unknown.json()).toMatchObject({ code: 'NOT_FOUND' })
    const refused = await app.inject({ method: 'DELETE', url: projects })
    expect(refused.statusCode).toBe(405)
    expect(refused.headers.allow).toBe('POST, GET, HEAD')
    // The session operation has the short error body (section 7).
    expect(Object.keys((await app.inject({ method: 'DELETE', url: '/api/v1/auth/me' })).json())).toEqual([
      'error',
    ])
  })

  test('without a prefix leaves all other paths to the application', async () => {
    const { app } = await applicationWith({ options: { prefix: '' } })
    expect((await app.inject('/v1/projects')).json()).toMatchObject({ code: 'AUTH_REQUIRED' })
    expect((await app.inject('/v1/nowhere')).json()).toMatchObject({ code: 'NOT_FOUND' })
    expect((await app.inject('/nowhere')).json()).toMatchObject({ message: 'Route GET:/nowhere not found' })
  })

  test('refuses changes of other sites', async () => {
    const { app, headers } = await applicationWith({ options: { allowedOrigins: ['https://app.example'] } })
    const create = (origin: string, name: string) =>
      app.inject({ method: 'POST', url: projects, payload: { name }, headers: { ...headers, origin } })
    expect((await create('https://evil.example', 'a')).json()).toMatchObject({ code: 'CROSS_SITE_REFUSED' })
    expect((await create('https://app.example', 'b')).statusCode).toBe(201)
  })

  test('limits rates below its prefix', async () => {
    const { app } = await applicationWith({ options: { waitlistRate: '2/1m' } })
    const join = () =>
      app.inject({ method: 'POST', url: '/api/v1/waitlist', payload: { email: 'a@b.example' } })
    expect([await join(), await join(), await join()].map(({ statusCode }) => statusCode)).toEqual([
      200, 200, 429,
    ])
  })

  test('refuses invalid options by name, with the expected values', async () => {
    const refused = applicationWith({ options: { waitlistRate: 'often', maxProjectsPerTeam: 0 } })
    await expect(refused).rejects.toThrow(/^waitlistRate: expected .*\nmaxProjectsPerTeam: expected /)
    await expect(
      applicationWith({ options: { sessions: { sessionSecret: 'short' } } as never }),
    ).rejects.toThrow(/^sessionSecret: /)
  })

  test('refuses unknown options by their names', async () => {
    const refused = (options: object) => expect(applicationWith({ options: options as never })).rejects
    await refused({ waitListRate: '5/1m' }).toThrow(
      /^waitListRate: there is no such option\. Possible: .*waitlistRate/,
    )
    await refused({ sessions: { sessionSecret: secret, sesionTtl: '1h' } }).toThrow(
      /^sessions\.sesionTtl: there is no such option\. Possible: .*sessionTtl/,
    )
    await refused({ sessionTtl: '1h' }).toThrow('sessionTtl: it is an option of `sessions`.')
    await expect(startServer({ sessionSecret: secret, prt: 0 } as never)).rejects.toThrow(
      /^prt: there is no such option\. Possible: .*port/,
    )
    // Fastify's own option of plugins.
    await applicationWith({ options: { logLevel: 'silent' } as never })
  })

  test('says what is missing', async () => {
    for (const store of [undefined, Promise.resolve()]) {
      const options = { store } as never
      await expect(applicationWith({ options })).rejects.toThrow(
        'dashboardApi needs `store`: await openStore(',
      )
    }
    const open = openStore as () => Promise<unknown>
    await expect(open()).rejects.toThrow('Expected the path of a SQLite file or a PostgreSQL address')
    const start = startServer as () => Promise<unknown>
    await expect(start()).rejects.toThrow(/^sessionSecret: expected .* it is not set/)
  })
})

describe('an application', () => {
  test('can resolve the session with its own authentication', async () => {
    let given: 'none' | 'ada' | 'fails' = 'none'
    const { app, user, store } = await applicationWith({
      before: (host) => {
        host.decorateRequest('account', '')
        host.addHook('onRequest', async (request) => void request.setDecorator('account', given))
      },
      options: {
        session(request) {
          const account = request.getDecorator<string>('account')
          if (account === 'fails') throw new Error('a secret')
          return account === 'none'
            ? undefined
            : { user, orgCode: 'org_acme', permissions: ['create:projects'] }
        },
      },
    })
    const list = () => app.inject(projects)
    expect((await list()).statusCode).toBe(401)
    given = 'ada'
    expect((await list()).json().projects).toHaveLength(
      (await store.listProjects('team-acme')).projects.length,
    )
    expect((await app.inject('/api/v1/auth/me')).json()).toMatchObject({ user, teamId: 'team-acme' })
    const created = await app.inject({ method: 'POST', url: projects, payload: { name: 'New' } })
    expect(created.statusCode).toBe(201)
    expect((await list()).json().projects[0]).toEqual(created.json().project)
    // The application handles sign-in.
    expect((await app.inject('/api/auth/sign-in')).statusCode).toBe(404)
    given = 'fails'
    const failed = await list()
    expect(failed.json()).toMatchObject({ code: 'INTERNAL_ERROR' })
    expect(failed.body).not.toContain('secret')
  })

  test.each([
    [401, 'AUTH_REQUIRED'],
    [403, 'INSUFFICIENT_PERMISSIONS'],
    [429, 'RATE_LIMITED'],
    [418, 'VALIDATION_FAILED'],
  ])('refuses a caller with %i', async (statusCode, code) => {
    const refusal = Object.assign(new Error('a secret'), { statusCode })
    let refusesInHook = true
    const logged: string[] = []
    const { app } = await applicationWith({
      log: logged,
      before(host) {
        host.addHook('preHandler', async () => {
          if (refusesInHook) throw refusal
        })
      },
      options: {
        session() {
          throw refusal
        },
      },
    })
    for (refusesInHook of [true, false]) {
      const refused = await app.inject(projects)
      expect({ status: refused.statusCode, body: refused.json() }).toEqual({
        status: statusCode,
        body: { error: expect.not.stringContaining('secret'), code, docsUrl: expect.any(String) },
      })
      const short = await app.inject('/api/v1/auth/me')
      expect(short.statusCode).toBe(statusCode)
      expect(Object.keys(short.json())).toEqual(['error'])
    }
    expect(logged).toEqual([])
  })

  test('keeps its content types, methods, error handler and 404', async () => {
    const { app } = await applicationWith({
      before: (host) => {
        host.setErrorHandler((_error, _request, reply) => reply.code(599).send('own error'))
        host.setNotFoundHandler((_request, reply) => reply.code(404).send('own 404'))
        host.addContentTypeParser('text/own', { parseAs: 'string' }, (_request, body, done) =>
          done(null, `own ${body}`),
        )
        host.post('/own', async ({ body }) => ({ body }))
      },
    })
    const post = async (type: string, payload: string) =>
      (await app.inject({ method: 'POST', url: '/own', headers: { 'content-type': type }, payload })).body
    expect(await post('application/json', '{"a":1}')).toBe('{"body":{"a":1}}')
    expect(await post('text/own', 'text')).toBe('{"body":"own text"}')
    expect(await post('text/unknown', 'text')).toBe('own error')
    expect((await app.inject('/nowhere')).body).toBe('own 404')
    expect((await app.inject('/api/v1/nowhere')).json()).toMatchObject({ code: 'NOT_FOUND' })
    expect((await app.inject('/own')).headers['content-security-policy']).toBeUndefined()
  })

  test.each(['before', 'after'])('may use other plugins, multipart %s this one', async (when) => {
    const origin = 'https://app.example'
    const addForms = async (host: FastifyInstance) => {
      await host.register(fastifyMultipart)
      host.post('/form', async (request) => (await request.file())?.filename)
    }
    const { app, headers } = await applicationWith({
      async before(host) {
        await host.register(fastifyCookie)
        await host.register(fastifyHelmet)
        await host.register(fastifySwagger, { openapi: {} })
        await host.register(fastifyCors, { origin, credentials: true })
        if (when === 'before') await addForms(host)
        host.get('/own', async ({ cookies }) => cookies)
      },
      // The application handles CORS, and the plugin has the same allowed origins.
      options: { allowedOrigins: [origin] },
    })
    if (when === 'after') await addForms(app)
    expect((await app.inject({ url: '/own', headers: { cookie: 'a=b' } })).json()).toEqual({ a: 'b' })
    expect(Object.keys(app.swagger().paths ?? {})).toContain('/own')

    const preflight = { origin, 'access-control-request-method': 'POST' }
    expect((await app.inject({ method: 'OPTIONS', url: projects, headers: preflight })).statusCode).toBe(204)
    const listed = await app.inject({ url: projects, headers: { ...headers, origin } })
    expect(listed.statusCode).toBe(200)
    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'x-frame-options': 'SAMEORIGIN',
    })
    expect((await app.inject('/api/docs')).statusCode).toBe(200)

    const payload = '--a\r\ncontent-disposition: form-data; name="f"; filename="x.txt"\r\n\r\nhi\r\n--a--\r\n'
    const form = { 'content-type': 'multipart/form-data; boundary=a' }
    expect((await app.inject({ method: 'POST', url: '/form', headers: form, payload })).body).toBe('x.txt')
    const sent = { method: 'POST', url: projects, headers: { ...headers, ...form }, payload } as const
    expect((await app.inject(sent)).statusCode).toBe(415)

    expect((await app.inject({ method: 'POST', url: '/api/auth/sign-out', headers })).statusCode).toBe(204)
    expect((await app.inject({ url: projects, headers })).statusCode).toBe(401)
  })
})
