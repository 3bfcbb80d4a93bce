import nodeHttp, { type IncomingHttpHeaders } from 'node:http'
import { createClient } from 'dashboard-api/client'
import { createMockServer } from 'dashboard-api/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import demo from '../../fixtures/demo.json' with { type: 'json' }

const baseUrl = 'http://api.test'
const mock = createMockServer({ baseUrl })
const client = createClient({ baseUrl })

describe('dashboard-api/node, with dashboard-api/client', () => {
  beforeAll(() => mock.listen())
  afterEach(() => mock.reset())
  afterAll(() => mock.close())

  it('has status texts, and sends clients of node:http all headers, also for HEAD', async () => {
    const response = await fetch(`${baseUrl}/v1/projects`)
    expect([response.status, response.statusText]).toEqual([401, 'Unauthorized'])
    const headersOf = (method: string, path: string, body = '') =>
      new Promise<IncomingHttpHeaders>((resolve, reject) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const sent = nodeHttp.request(baseUrl + path, { method, headers }, (received) =>
          resolve(received.resume().headers),
        )
        sent.on('error', reject).end(body)
      })
    const expected = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-length': String((await response.text()).length),
    }
    expect(await headersOf('HEAD', '/v1/projects')).toMatchObject(expected)
    expect(await headersOf('POST', '/auth/sign-in', 'session=acme-owner')).toMatchObject({
      location: '/',
      'set-cookie': [expect.stringContaining('session=')],
    })
  })

  it('returns results that are distinguished by status', async () => {
    await mock.session.use('acme-owner')
    const created = await client.projects.create({ name: 'Roadmap' })
    if (created.status !== 201) throw new Error(`expected 201, got ${created.status}`)
    const renamed = await client.projects.update(created.body.project.id, { name: 'Plan' })
    expect(renamed.ok && renamed.body.project.name).toBe('Plan')

    const invalid = await client.projects.create({ name: '' })
    expect(invalid.status === 422 && invalid.body.details?.fieldErrors.name).toHaveLength(1)
    const refused = await client.waitlist.join('not an address')
    expect(refused.status === 422 && refused.body).toEqual({ error: 'email_required' })
  })

  it('has every control: outcomes, broken connections, delay, clock, snapshots, log, undo', async () => {
    const list = (init?: RequestInit) => fetch(`${baseUrl}/v1/projects`, init)
    const persona = { id: 'newcomer', orgCode: 'org_acme' }
    expect(await mock.session.add(persona)).toMatchObject(persona)
    expect((await mock.session.list()).map(({ id }) => id)).toContain('newcomer')
    await mock.session.remove('newcomer')
    expect((await mock.data.add('projects', { name: 'Aurora' })).record).toMatchObject({ name: 'Aurora' })
    mock.reset()
    await mock.session.use('acme-owner')
    await mock.delay.set(1)
    await mock.scenarios.set({ target: 'listProjects', outcome: 'RATE_LIMITED', times: 1 })
    expect((await list()).status).toBe(429)
    await mock.scenarios.set({ target: 'listProjects', outcome: 'drop', times: 1 })
    await expect(list()).rejects.toThrow('Failed to fetch')
    await mock.scenarios.set({ target: 'listProjects', outcome: 'hang', times: 1 })
    await expect(list({ signal: AbortSignal.timeout(100) })).rejects.toThrow(/abort|timeout/)
    expect(await mock.scenarios.list()).toEqual([])
    expect((await mock.delay.get()).all).toBe('1')
    expect((await mock.clock.set({ at: '2026-01-01T00:00:00Z' })).mode).toBe('fixed')
    await mock.snapshots.save('a')
    const reasons: string[] = []
    const unsubscribe = mock.log.subscribe(({ why }) => reasons.push(why))
    expect((await list({ headers: { prefer: 'code=AUTH_REQUIRED' } })).status).toBe(401)
    unsubscribe()
    expect(reasons).toEqual(['Prefer: code=AUTH_REQUIRED'])
    const entries = await mock.log.read()
    expect(entries).toHaveLength(4)
    const { id = 0 } = entries[1] ?? {}
    expect(await mock.log.send(id)).toMatchObject({ id: id + 3, status: 200 })
    await mock.state.load({ version: 1 })
    expect(await mock.undo()).toMatchObject({ title: 'a state was loaded' })
    await mock.redo()
    await mock.log.rewind(id + 3)
    expect((await mock.state.export()).projects).toHaveLength(6)
    mock.reset()
    expect((await mock.clock.get()).mode).toBe('real')
  })

  it('stores the cookie of a sign-in and removes it at sign-out, as a browser does', async () => {
    const form = new URLSearchParams({ session: 'globex-owner' })
    const signedIn = await fetch(`${baseUrl}/auth/sign-in`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    })
    expect(signedIn.status).toBe(303)
    expect((await client.session.get()).ok).toBe(true)
    expect((await fetch(`${baseUrl}/v1/auth/me`, { credentials: 'omit' })).status).toBe(401)
    await fetch(`${baseUrl}/auth/sign-out`, { method: 'POST', credentials: 'omit' })
    expect((await client.session.get()).ok).toBe(true)
    await client.session.signOut()
    expect((await client.session.get()).status).toBe(401)
  })

  it('loads a state completely or not at all', async () => {
    const state = await mock.state.export()
    await expect(mock.state.load({ ...state, teams: [] })).rejects.toThrow(
      'projects[0].teamId: no team "team-acme"',
    )
    expect((await mock.state.export()).teams).toHaveLength(2)
    await mock.state.load({ ...state, projects: [] })
    await mock.session.use('acme-owner')
    expect(await client.projects.list()).toMatchObject({ status: 200, body: { projects: [] } })
  })

  it('accepts an imported state file as fixtures, and resets to it', async () => {
    const own = createMockServer({ baseUrl, session: 'globex-owner', fixtures: { ...demo, projects: [] } })
    expect((await own.state.export()).projects).toEqual([])
    await own.state.load(demo)
    own.reset()
    expect((await own.state.export()).projects).toEqual([])
    expect(() => createMockServer({ fixtures: { version: 2 } })).toThrow('version: ')
  })

  it('gives a limited outcome to the request that is not aborted, and to one of two', async () => {
    const force = { target: 'getSession', outcome: 'SERVICE_UNAVAILABLE', times: 1 } as const
    await mock.scenarios.set(force)
    const controller = new AbortController()
    const first = fetch(`${baseUrl}/v1/auth/me`, { signal: controller.signal })
    const second = fetch(`${baseUrl}/v1/auth/me`)
    controller.abort()
    await expect(first).rejects.toThrow('abort')
    expect((await second).status).toBe(503)
    expect(await mock.scenarios.list()).toEqual([])

    await mock.scenarios.set(force)
    const both = await Promise.all([1, 2].map(() => fetch(`${baseUrl}/v1/auth/me`)))
    expect(both.filter(({ status }) => status === 503)).toHaveLength(1)
  })

  it('isolates concurrent tests', async () => {
    await mock.session.use('acme-owner')
    const names = ['one', 'two', 'three']
    const isolated = mock.isolate(async (own, name: string) => {
      await own.session.use('globex-owner')
      await client.projects.create({ name })
      await client.projects.create({ name: `${name} again` })
      const list = await client.projects.list()
      return list.ok ? list.body.projects.map((project) => project.name).slice(0, 2) : []
    })
    expect(await Promise.all(names.map((name) => isolated(name)))).toEqual(
      names.map((name) => [`${name} again`, name]),
    )
    expect((await mock.state.export()).projects).toHaveLength(6)
    const session = await client.session.get()
    expect(session.ok && session.body.teamId).toBe('team-acme')
  })
})
