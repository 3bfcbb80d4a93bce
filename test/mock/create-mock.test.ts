import { createHandlers, createMock } from 'dashboard-api/msw'
import { createMockServer } from 'dashboard-api/node'
import { HttpResponse, http } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import demo from '../../fixtures/demo.json' with { type: 'json' }

const baseUrl = 'http://api.test'
const noSessions = { ...demo, sessions: [] }
const withoutViewer = { ...demo, sessions: demo.sessions.filter(({ id }) => id !== 'acme-viewer') }

function listen(...handlers: Parameters<typeof setupServer>): SetupServer {
  const server = setupServer(...handlers)
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  return server
}

const get = (path: string, init?: RequestInit) => fetch(baseUrl + path, init)
const me = async (init?: RequestInit) => {
  const response = await get('/v1/auth/me', init)
  return response.ok ? (await response.json()).user.email : response.status
}

describe('createMock', () => {
  it('starts in a document without an origin, such as about:blank', () => {
    vi.stubGlobal('location', { href: 'about:blank', origin: 'null', hostname: '' })
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(createMock().handlers).toHaveLength(1)
  })

  it.each(['api.test', 'localhost:4010', 'ftp://api.test'])('refuses %s as a base URL', (given) => {
    expect(() => createMock({ baseUrl: given })).toThrow(
      `"${given}" is not a base URL: give one such as http://api.test.`,
    )
  })

  it('answers requests that earlier handlers leave, and has controls', async () => {
    const mock = createMock({ baseUrl, session: 'acme-owner' })
    const own = Array.from({ length: 200 }, (_, i) =>
      http.get(`${baseUrl}/own/${i}`, () => HttpResponse.text(`own ${i}`)),
    )
    const override = http.get(`${baseUrl}/v1/projects`, () => HttpResponse.json({ projects: ['own'] }))
    listen(...own, override, ...mock.handlers)
    expect(await (await get('/v1/projects')).json()).toEqual({ projects: ['own'] })
    for (const i of own.keys()) expect(await (await get(`/own/${i}`)).text()).toBe(`own ${i}`)
    expect(await me()).toBe('ada@acme.example')
    await mock.scenarios.set({ target: 'getSession', outcome: 'RATE_LIMITED', times: 1 })
    expect(await me()).toBe(429)
    expect((await mock.log.read()).map(({ status }) => status)).toEqual([200, 429])
  })

  it('notifies listeners of each change by a control, until they unsubscribe', async () => {
    const mock = createMock({ baseUrl })
    const listener = vi.fn()
    const unsubscribe = mock.onChange(listener)
    await mock.delay.set(1)
    await mock.scenarios.set({ target: 'empty' })
    expect(listener).toHaveBeenCalledTimes(2)
    unsubscribe()
    await mock.reset()
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('reports errors of listeners and callbacks, and continues', async () => {
    const onError = vi.fn()
    const fail = () => {
      throw new Error('on purpose')
    }
    const mock = createMock({ baseUrl, onError, onRequest: async () => fail(), onStateChange: fail })
    mock.onChange(fail)
    mock.log.subscribe(fail)
    await mock.delay.set(0)
    expect(onError).toHaveBeenCalledTimes(1)
    listen(...mock.handlers)
    expect((await get('/v1/projects')).status).toBe(401)
    expect(onError).toHaveBeenCalledTimes(3)
    await mock.reset()
    expect(onError.mock.calls).toEqual(Array(5).fill([new Error('on purpose')]))
  })

  it.each([new Date(0), { time: '2026-01-01T00:00:00Z' }, 1767225600000])(
    'refuses %j as the time of the clock, which does not change',
    async (setting) => {
      const mock = createMock({ baseUrl, clock: { at: '2026-01-01T00:00:00Z' } })
      await expect(mock.clock.set(setting as never)).rejects.toThrow('The clock is set with { at: ')
      expect(await mock.clock.get()).toEqual({ mode: 'fixed', now: '2026-01-01T00:00:00.000Z' })
      expect(await mock.clock.set({} as never)).toMatchObject({ mode: 'real' })
      expect(() => createMock({ clock: setting as never })).toThrow('The clock is set with { at: ')
    },
  )

  it('is signed in beside custom handlers that set cookies, which MSW adds to later requests', async () => {
    const headers = { 'set-cookie': 'theme=dark; Path=/' }
    const handlers = [http.get(`${baseUrl}/theme`, () => HttpResponse.text('dark', { headers }))]
    const mock = createMock({ baseUrl, session: 'acme-owner', handlers })
    listen(...mock.handlers)
    await get('/theme')
    expect(await me()).toBe('ada@acme.example')
    expect(await me({ headers: { cookie: 'session=acme-viewer' } })).toBe('vera@acme.example')
    expect(await me({ headers: { cookie: 'session=acme-viewer; session=acme-viewer' } })).toBe(401)
  })

  it('is signed in as `session` at the start, and again after a reset', async () => {
    const mock = createMock({ baseUrl, session: 'acme-owner' })
    listen(...mock.handlers)
    expect(await me()).toBe('ada@acme.example')
    expect(await me({ credentials: 'omit' })).toBe(401)
    await mock.session.use('acme-viewer')
    expect(await me()).toBe('vera@acme.example')
    mock.session.signOut()
    expect(await me()).toBe(401)
    await mock.reset()
    expect(await me()).toBe('ada@acme.example')
  })

  it('is signed out at the start without `session`', async () => {
    const mock = createMock({ baseUrl })
    listen(...mock.handlers)
    expect(await me()).toBe(401)
    expect(await me({ headers: { cookie: 'session=of-something-else' } })).toBe(401)
    expect((await mock.sessions.list()).you).toBeUndefined()
    expect(await mock.sessions.use('acme-viewer')).toMatchObject({
      you: 'acme-viewer',
      withoutCookie: 'acme-viewer',
    })
    await mock.reset()
    expect(await me()).toBe(401)
  })

  it('is also signed in by createHandlers', async () => {
    listen(...createHandlers({ baseUrl, session: 'globex-owner' }))
    expect(await me()).toBe('gus@globex.example')
  })

  it('answers unknown paths below /v1/, or passes them on', async () => {
    const own = http.get(`${baseUrl}/v1/invoices`, () => HttpResponse.text('own'))
    const server = listen(...createHandlers({ baseUrl }), own)
    expect((await get('/v1/invoices')).status).toBe(404)
    server.resetHandlers(...createHandlers({ baseUrl, unknown: 'pass' }), own)
    expect(await (await get('/v1/invoices')).text()).toBe('own')
    expect((await get('/v1/projects', { method: 'DELETE' })).status).toBe(405)
    await expect(get('/v1/other')).rejects.toThrow()
  })
})

describe('a loaded state or snapshot', () => {
  it('keeps the persona if it contains it', async () => {
    const warn = vi.spyOn(console, 'warn')
    onTestFinished(() => warn.mockRestore())
    const mock = createMock({ baseUrl })
    listen(...mock.handlers)
    await mock.session.use('acme-viewer')
    await mock.snapshots.save('later')
    expect(await mock.state.load({ ...demo, sessions: [...demo.sessions].reverse() })).toEqual({
      active: 'acme-viewer',
    })
    expect(await me()).toBe('vera@acme.example')
    expect(await mock.snapshots.load('later')).toEqual({ active: 'acme-viewer' })
    expect(await me()).toBe('vera@acme.example')
    expect(warn).not.toHaveBeenCalled()
  })

  it('is reported if it lacks the persona; the initial one becomes active', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const mock = createMock({ baseUrl, session: 'acme-member' })
    listen(...mock.handlers)
    await mock.session.use('acme-viewer')
    const warning = 'The state has no persona "acme-viewer": session=active stands for "acme-member" now.'
    expect(await mock.state.load(withoutViewer)).toEqual({ active: 'acme-member', warning })
    expect(await me()).toBe('max@acme.example')
    expect(warn.mock.calls).toEqual([[warning]])
    expect((await mock.state.load(noSessions)).warning).toBe(
      'The state has no persona "acme-member": session=active stands for no persona now.',
    )
    expect(await me()).toBe(401)
    expect(await mock.state.load(demo)).toEqual({ active: 'acme-member' })
  })
})

describe('the handlers of createMockServer', () => {
  it('come first, also in isolated tests', async () => {
    const own = http.get(`${baseUrl}/v1/projects`, () => HttpResponse.text('own'))
    const mock = createMockServer({ baseUrl, session: 'acme-owner', handlers: [own] })
    mock.listen()
    onTestFinished(() => mock.close())
    const seen = async () => [await (await get('/v1/projects')).text(), await me()]
    expect(await seen()).toEqual(['own', 'ada@acme.example'])
    const isolated = mock.isolate(async (space) => {
      await space.session.use('acme-viewer')
      return seen()
    })
    expect(await isolated()).toEqual(['own', 'vera@acme.example'])
    expect(await seen()).toEqual(['own', 'ada@acme.example'])
  })

  it('restart in each isolated test, with generators and `once`, if a function creates them', async () => {
    const handlers = () => [
      http.get(`${baseUrl}/api/job`, () => HttpResponse.text('once'), { once: true }),
      http.get(`${baseUrl}/api/job`, function* () {
        yield HttpResponse.text('pending')
        return HttpResponse.text('done')
      }),
    ]
    const mock = createMockServer({ baseUrl, handlers })
    mock.listen()
    onTestFinished(() => mock.close())
    const next = async () => (await get('/api/job')).text()
    const isolated = mock.isolate(async (space) => {
      const seen = [await next(), await next()]
      await space.reset()
      return [...seen, await next(), await next()]
    })
    expect([await next(), await next()]).toEqual(['once', 'pending'])
    expect(await isolated()).toEqual(['once', 'pending', 'once', 'pending'])
  })
})

it('a delayed request does not keep the process alive once the mock is closed', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const mock = createMockServer({ baseUrl, delay: 60_000 })
  mock.listen()
  const before = timers()
  void get('/v1/projects').catch(() => {})
  await expect.poll(timers).toBeGreaterThan(before)
  mock.close()
  expect(timers()).toBe(before)
})
