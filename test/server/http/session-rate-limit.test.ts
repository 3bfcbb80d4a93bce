import { describe, expect, it } from 'vitest'
import { errors } from '../../../src/contract/errors.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { type createTestApp, openTestApp } from '../server-harness.js'

describe('a session that sends too many requests for projects', () => {
  const open = (options = {}) => openTestApp({ projectsRate: { max: 3, ms: 60_000 }, ...options })
  type App = ReturnType<typeof createTestApp>['app']
  const list = (app: App, cookie = '') => app.inject({ url: '/v1/projects', headers: { cookie } })
  const statusesOf = async (count: number, send: () => Promise<{ statusCode: number }>) => {
    const statuses = []
    for (let i = 0; i < count; i += 1) statuses.push((await send()).statusCode)
    return statuses
  }

  it('gets 429 with Retry-After and the error body; other sessions do not, of the same user either', async () => {
    const { app, signIn, lines } = open()
    const [first, second] = [await signIn(), await signIn()]
    expect(await statusesOf(3, () => list(app, first.cookie))).toEqual([200, 200, 200])
    const refused = await list(app, first.cookie)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.json()).toEqual({
      error: errors.RATE_LIMITED.message,
      code: 'RATE_LIMITED',
      docsUrl: 'https://api.example.com/docs/errors/rate-limited',
    })
    expect(await statusesOf(3, () => list(app, second.cookie))).toEqual([200, 200, 200])
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({
      method: 'GET',
      operation: 'listProjects',
      status: 429,
      code: 'RATE_LIMITED',
      sessionId: first.session.id,
    })
    expect(lines.join('')).not.toContain(first.value)
  })

  it('has the requests of all operations of projects counted together, and no others', async () => {
    const { app, signIn, lines } = open()
    const { cookie } = await signIn()
    const headers = { cookie }
    const created = await app.inject({
      method: 'POST',
      url: '/v1/projects',
      headers,
      payload: { name: 'New' },
    })
    const { id } = created.json().project
    const update = { method: 'PATCH', url: `/v1/projects/${id}`, headers, payload: {} } as const
    expect((await app.inject(update)).statusCode).toBe(200)
    expect((await app.inject({ method: 'HEAD', url: '/v1/projects', headers })).statusCode).toBe(200)
    const refused = [
      await app.inject(update),
      await app.inject({ method: 'POST', url: '/v1/projects', headers, payload: { name: 'Newer' } }),
      await app.inject({ method: 'HEAD', url: '/v1/projects', headers }),
      await list(app, cookie),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429, 429])
    const logged = lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 429)
    expect(logged.map(({ operation }) => operation)).toEqual([
      'updateProject',
      'createProject',
      'listProjects',
      'listProjects',
    ])
    expect((await app.inject({ url: '/v1/auth/me', headers })).statusCode).toBe(200)
    const waitlist = {
      method: 'POST',
      url: '/v1/waitlist',
      headers,
      payload: { email: 'a@b.example' },
    } as const
    expect(await statusesOf(4, () => app.inject(waitlist))).toEqual([200, 200, 200, 200])
  })

  it('is the session of a signed cookie: others are 401, however many', async () => {
    const { app, signIn } = open()
    const { cookie, value } = await signIn()
    for (const other of ['', 'session=forged', `session=${value}x`, `${cookie}; ${cookie}`]) {
      expect(await statusesOf(5, () => list(app, other))).toEqual([401, 401, 401, 401, 401])
    }
    expect((await list(app, cookie)).statusCode).toBe(200)
  })

  it('is not limited if the limit is off', async () => {
    const { app, signIn } = open({ projectsRate: 'off' })
    const { cookie } = await signIn()
    expect(new Set(await statusesOf(100, () => list(app, cookie)))).toEqual(new Set([200]))
  })

  it('goes on reading while requests cannot be counted, and writes nothing', async () => {
    const requestCounts = {
      add: () => Promise.reject(new StoreUnavailableError('gone')),
      removePast: async () => 0,
    }
    const { app, signIn } = open({ requestCounts })
    const { cookie } = await signIn()
    expect(await statusesOf(5, () => list(app, cookie))).toEqual([200, 200, 200, 200, 200])
    const create = {
      method: 'POST',
      url: '/v1/projects',
      headers: { cookie },
      payload: { name: 'New' },
    } as const
    expect((await app.inject(create)).statusCode).toBe(503)
    expect((await list(app, cookie)).json().projects.map(({ name }: { name: string }) => name)).not.toContain(
      'New',
    )
  })
})
