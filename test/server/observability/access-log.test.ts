import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AppOptions } from '../../../src/server/app.js'
import { type Store, StoreUnavailableError } from '../../../src/store/store.js'
import { createTestApp, openTestApp, openWire, secret } from '../server-harness.js'

describe('the access log', () => {
  it('has one line for each request, with the operation, and with the URL only for 404', async () => {
    const { app, lines, signIn, store } = openTestApp()
    const { cookie } = await signIn()
    const headers = { cookie }
    const [project] = (await store.listProjects('team-acme')).projects
    await app.inject({ url: '/v1/projects?token=canary-query', headers })
    await app.inject({ method: 'PATCH', url: `/v1/projects/${project?.id}`, payload: {}, headers })
    await app.inject({ method: 'PATCH', url: '/v1/projects/no-such-id', payload: {}, headers })
    await app.inject({ method: 'PATCH', url: '/v1/projects/', payload: {}, headers })
    await app.inject({ method: 'PUT', url: '/v1/projects', headers })
    await app.inject('/nowhere?token=canary-query#canary-fragment')
    await app.inject('/%ZZ')
    await app.inject('/docs/errors/not-found')
    await app.inject('/auth/sign-in')
    await app.inject({ method: 'POST', url: '/auth/sign-out' })
    expect(lines.join('')).not.toContain('canary')
    const logged = lines.map((line) => JSON.parse(line))
    expect(
      logged.map(({ method, operation, status, code, path }) => [method, operation, status, code, path]),
    ).toEqual([
      ['GET', 'listProjects', 200, undefined, undefined],
      ['PATCH', 'updateProject', 200, undefined, undefined],
      ['PATCH', 'updateProject', 404, 'PROJECT_NOT_FOUND', '/v1/projects/no-such-id'],
      ['PATCH', 'updateProject', 400, 'EMPTY_QUERY_FILTER', undefined],
      ['PUT', undefined, 405, 'METHOD_NOT_ALLOWED', undefined],
      ['GET', undefined, 404, 'NOT_FOUND', '/nowhere'],
      ['GET', undefined, 404, 'NOT_FOUND', '/%ZZ'],
      ['GET', 'errorPage', 200, undefined, undefined],
      ['GET', 'signIn', 501, undefined, undefined],
      ['POST', 'signOut', 204, undefined, undefined],
    ])
    expect(new Set(logged.map(({ requestId }) => requestId)).size).toBe(10)
    for (const line of logged) {
      expect(line.requestId).toMatch(/^[\da-f-]{36}$/)
      expect(line.ms).toBeGreaterThanOrEqual(0)
    }
  })

  it('has at most 200 characters of the path of a 404, and no address or control character', async () => {
    const { app, lines } = openTestApp()
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const send = async (path: string) => {
      lines.length = 0
      const wire = await openWire(url)
      wire.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
      await wire.closed
      return lines.map((line) => JSON.parse(line))
    }
    for (const [path, logged] of [
      ['/ada@acme.example/x', '/…/x'],
      ['/x/ada%40acme.example?a', '/x/…'],
      [`/${'x'.repeat(300)}`, `/${'x'.repeat(199)}`],
      ['http://user@host/a', '/a'],
    ] as const)
      expect(await send(path)).toMatchObject([{ status: 404, code: 'NOT_FOUND', path: logged }])
    // These requests are not valid HTTP.
    for (const text of ['\u001b[31m', '\u007f', '\u009b31m', '\u202e', '\t'])
      expect(await send(`/canary${text}`)).toEqual([])
  })

  it('has the ids of a trace of the caller', async () => {
    const { app, lines, signIn, store } = openTestApp()
    const { cookie } = await signIn()
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const parentSpanId = '00f067aa0ba902b7'
    store.listProjects = async () => {
      throw new Error('a fault')
    }
    const send = (traceparent: string) =>
      app.inject({ url: '/v1/projects', headers: { cookie, traceparent } })
    await send(`00-${traceId}-${parentSpanId}-01`)
    const logged = lines.map((line) => JSON.parse(line))
    expect(logged.map(({ msg }) => msg)).toEqual(['fault', 'request'])
    for (const line of logged) {
      expect(line).toMatchObject({ traceId, parentSpanId, requestId: expect.stringMatching(/./) })
    }
    await send('canary')
    expect(JSON.parse(lines.at(-1) ?? '')).not.toHaveProperty('traceId')
    expect(lines.join('')).not.toContain('canary')
  })

  it('has the reason of an unavailable database in one line, without a stack trace', async () => {
    const { app, lines, signIn, store } = openTestApp()
    const { cookie } = await signIn()
    const away = () => Promise.reject(new StoreUnavailableError('it is away'))
    Object.assign(store, { addProject: away, listProjects: away })
    const create = {
      method: 'POST',
      url: '/v1/projects',
      headers: { cookie },
      payload: { name: 'New' },
    } as const
    for (const request of [create, { url: '/v1/projects', headers: { cookie } }]) {
      lines.length = 0
      expect((await app.inject(request)).statusCode).toBe(503)
      const faults = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'fault')
      expect(faults).toMatchObject([{ level: 50, reason: 'it is away' }])
      expect(lines.join('')).not.toContain('stack')
    }
  })

  it('contains no secret, cookie, client address, email or name', async () => {
    const { app, lines, signIn, store } = openTestApp()
    const { cookie, value } = await signIn()
    const headers = { cookie, 'x-forwarded-for': '203.0.113.7', 'user-agent': 'canary-agent' }
    const options = { headers, remoteAddress: '203.0.113.8' }
    await app.inject({ ...options, url: '/v1/auth/me' })
    await app.inject({ ...options, url: '/v1/projects', headers: { cookie: `session=${value}x` } })
    await app.inject({ ...options, method: 'POST', url: '/v1/projects', payload: { name: 'canary-name' } })
    await app.inject({
      ...options,
      method: 'POST',
      url: '/v1/waitlist',
      payload: { email: 'canary@example.com' },
    })
    store.listProjects = async () => {
      throw new Error('a fault')
    }
    await app.inject({ ...options, url: '/v1/projects' })
    await app.inject({ ...options, method: 'POST', url: '/auth/sign-out' })
    const log = lines.join('')
    expect(lines).toHaveLength(7)
    for (const canary of [secret, value, 'ada@', 'canary', '203.0.113', 'localhost']) {
      expect(log).not.toContain(canary)
    }
  })

  it('has successful health checks only at debug level', async () => {
    let reason: 'database' | undefined
    const { app, lines } = createTestApp({
      health: { selfCheck: { readiness: async () => reason, clockSkewMs: () => 0 } },
    })
    await app.inject('/healthz')
    await app.inject('/readyz')
    reason = 'database'
    await app.inject('/readyz')
    await app.inject('/docs/errors/not-found')
    const levels = lines.map((line) => JSON.parse(line)).map(({ operation, level }) => [operation, level])
    expect(levels).toEqual([
      ['health', 20],
      ['readiness', 20],
      ['readiness', 30],
      ['errorPage', 30],
    ])
  })

  it('has the time of a request in milliseconds, with one decimal', async () => {
    const { app, lines, signIn, store } = openTestApp()
    const { cookie } = await signIn()
    const time = vi.spyOn(performance, 'now').mockReturnValue(1_000)
    onTestFinished(() => time.mockRestore())
    store.listProjects = async () => {
      time.mockReturnValue(1_030.26)
      return { projects: [] }
    }
    await app.inject({ url: '/v1/projects', headers: { cookie } })
    const { ms } = JSON.parse(lines.at(-1) ?? '')
    expect(ms).toBe(30.3)
  })

  it('marks a request as aborted if its client disconnected during the response', async () => {
    const onRequestComplete = vi.fn()
    const { app, lines, signIn, store } = openTestApp({ onRequestComplete })
    const { cookie } = await signIn()
    const [project] = (await store.listProjects('team-acme')).projects
    if (!project) throw new Error('the fixture has no project')
    for (let i = 0; i < 300; i += 1) {
      await store.addProject({ ...project, id: `large-${i}`, description: 'x'.repeat(100_000) })
    }
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`)
    const [head] = await once(socket, 'data')
    expect(String(head)).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
    const requests = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    await expect
      .poll(requests)
      .toEqual([expect.objectContaining({ operation: 'listProjects', aborted: true })])
    expect(requests()[0]).not.toHaveProperty('status')
    expect(onRequestComplete.mock.calls).toEqual([
      [{ operation: 'listProjects', status: 499, ms: expect.any(Number) }],
    ])
  })
})

describe('the caller', () => {
  const open = async (options: Parameters<typeof openTestApp>[0] = {}) => {
    const opened = openTestApp(options)
    const { session, cookie } = await opened.signIn()
    const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
      const response = await opened.app.inject({ method, url, payload, headers: { cookie } })
      const line = opened.lines.map((each) => JSON.parse(each)).findLast(({ msg }) => msg === 'request')
      return { response, line }
    }
    return { ...opened, session, send }
  }

  it('is in the line of each operation: the session, the team, and for a change the project', async () => {
    const { session, send } = await open()
    const caller = { sessionId: session.id, teamId: 'team-acme' }
    // The second request of each is served from the cache, if there is one.
    for (const url of ['/v1/projects', '/v1/projects', '/v1/auth/me', '/v1/auth/me']) {
      const { line } = await send('GET', url)
      expect(line).toMatchObject({ status: 200, ...caller })
      expect(line).not.toHaveProperty('projectId')
    }
    const created = await send('POST', '/v1/projects', { name: 'New' })
    const { id } = created.response.json().project
    expect(created.line).toMatchObject({ status: 201, ...caller, projectId: id })
    const path = `/v1/projects/${id}`
    expect((await send('PATCH', path, { name: 'Newer' })).line).toMatchObject({ ...caller, projectId: id })
    const refused = await send('PATCH', path, { name: 5 })
    expect(refused.line).toMatchObject({ status: 422, ...caller, projectId: id })
  })

  it('is never replaced by a text of the request', async () => {
    const { send } = await open()
    expect((await send('PATCH', '/v1/projects/ada%40acme.example', {})).line).not.toHaveProperty('projectId')
    expect((await send('PATCH', `/v1/projects/${'x'.repeat(65)}`, {})).line).not.toHaveProperty('projectId')
  })

  it.each<[number, AppOptions['maxPendingPerSession'], Partial<Store>]>([
    [429, 0, {}],
    [503, 9, { caller: () => Promise.reject(new StoreUnavailableError('gone')) }],
  ])('is in the line of a %i', async (status, maxPendingPerSession, fault) => {
    const { session, store, send } = await open({ maxPendingPerSession })
    // The team is known from an earlier request of the session.
    await send('GET', '/v1/projects')
    Object.assign(store, fault)
    const { line } = await send('PATCH', '/v1/projects/project-1', {})
    const caller = { sessionId: session.id, teamId: 'team-acme' }
    expect(line).toMatchObject({ status, ...caller, projectId: 'project-1' })
  })

  it('is in the line of a 503 of an overloaded service', async () => {
    const { app, session, send } = await open({ overload: { maxRssBytes: 1, sampleInterval: 1 } })
    await app.ready()
    await expect
      .poll(async () => (await send('GET', '/v1/projects')).line)
      .toMatchObject({ status: 503, sessionId: session.id })
  })

  it('is known for an ended session, but not for a forged one', async () => {
    const { app, session, store, lines, send } = await open()
    await store.revokeSession(session.id, '2026-03-01T12:00:00.000Z')
    expect((await send('GET', '/v1/projects')).line).toMatchObject({ status: 401, sessionId: session.id })
    await app.inject({ url: '/v1/projects', headers: { cookie: `session=${session.id}` } })
    expect(JSON.parse(lines.at(-1) ?? '')).not.toHaveProperty('sessionId')
  })
})

describe('the id of a request', () => {
  const send = async (id: string | string[] | undefined, url = '/v1/projects') => {
    const { app, lines } = openTestApp()
    const headers = id === undefined ? {} : { 'x-request-id': id }
    const returned = (await app.inject({ url, headers })).headers['x-request-id']
    expect(returned).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    const { requestId, clientRequestId } = JSON.parse(lines.at(-1) ?? '{}')
    expect(requestId).toBe(returned)
    return clientRequestId
  }

  it.each(['/v1/projects', '/nowhere', '/%ZZ'])(
    'is created by the service for %s, and returned',
    async (url) => {
      expect(await send(undefined, url)).toBeUndefined()
    },
  )

  it.each(['a', '4bf92f3577b34da6a3ce929d0e0e4736', 'Id_with-marks', 'x'.repeat(64)])(
    'is logged beside the id that the client chose, and never replaced by it: %s',
    async (id) => {
      expect(await send(id)).toBe(id)
    },
  )

  it.each(['', 'x'.repeat(65), 'ada@example.com', '10.0.0.1', 'a b', 'session.abc.def', 'ä', ['a', 'b']])(
    'is logged without %j beside it',
    async (id) => {
      expect(await send(id)).toBeUndefined()
    },
  )
})
