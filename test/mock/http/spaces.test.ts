import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { ErrorBody } from '../../../src/contract/schemas.js'
import { connectToMock } from '../../../src/mock/control.js'
import { type DevServer, startDevServer } from '../../../src/mock/http/dev-server.js'
import { createSpaces } from '../../../src/mock/http/spaces.js'
import { createMockApi } from '../../../src/mock/mock-api.js'
import { createControlClient } from '../../../src/mock/surfaces/control-client.js'
import { parseState, recordsOf } from '../../../src/store/state-file.js'

const fixtures = parseState(fixture)

describe('spaces of one dev server', () => {
  let server: DevServer
  beforeAll(async () => {
    server = await startDevServer({ fixtures, port: 0 })
  })
  afterAll(() => server.close())

  const inSpace =
    (space: string) =>
    async (path: string, init: RequestInit = {}) => {
      const headers = { cookie: 'session=active', 'content-type': 'application/json', 'x-mock-space': space }
      const response = await fetch(server.url + path, { ...init, headers })
      return { status: response.status, body: await response.json() }
    }

  it('are isolated from each other, forty at once', async () => {
    const useSpace = async (i: number) => {
      const space = `test.${i}`
      const send = inSpace(space)
      // Forty simultaneous first calls may take longer than the limit of a command on a busy machine.
      const { call } = createControlClient(server.url, space, 120_000)
      const persona = i % 2 ? 'acme-owner' : 'globex-owner'
      await call('useSession', { id: persona })
      await call('setClock', { at: `20${10 + i}-01-01T00:00:00Z` })
      const created = (i % 3) + 1
      for (let n = 0; n < created; n++) {
        const body = JSON.stringify({ name: `Project ${n}` })
        const { status, body: response } = await send('/v1/projects', { method: 'POST', body })
        expect(status).toBe(201)
        expect(response.project.createdAt).toBe(`20${10 + i}-01-01T00:00:00.000Z`)
      }
      await call('setScenario', { target: 'getSession', outcome: '503', times: 1 })
      await call('setDelay', { ms: i })
      expect((await send('/v1/auth/me')).status).toBe(503)
      const { body } = await send('/v1/projects')
      expect(body.projects).toHaveLength((i % 2 ? 4 : 2) + created)
      const log = await call('log')
      expect(log).toHaveLength(created + 2)
      expect(log.every((entry) => entry.space === space && entry.session === persona)).toBe(true)
      expect(log[0]?.curl).toContain(`-H 'x-mock-space: ${space}'`)
      expect(await call('delay')).toEqual({ all: String(i), operations: {} })
    }
    await Promise.all(Array.from({ length: 40 }, (_, i) => useSpace(i)))

    const common = createControlClient(server.url)
    expect(await common.call('log')).toEqual([])
    expect(recordsOf(await common.call('exportState'))).toEqual(fixtures)
    expect((await common.call('sessions')).active).toBe('acme-owner')
  })

  it('are selected by a header or a cookie; the header takes precedence', async () => {
    await createControlClient(server.url, 'by-cookie').call('useSession', { id: 'globex-owner' })
    const headers = { cookie: 'session=active; x-mock-space=by-cookie' }
    const me = await (await fetch(`${server.url}/v1/auth/me`, { headers })).json()
    expect(me.organization.orgCode).toBe('org_globex')
    const both = { ...headers, 'x-mock-space': 'by-header' }
    const other = await (await fetch(`${server.url}/v1/auth/me`, { headers: both })).json()
    expect(other.organization.orgCode).toBe('org_acme')
  })

  it('share the snapshots', async () => {
    const { call } = createControlClient(server.url, 'saving')
    await call('useSession', { id: 'globex-owner' })
    await inSpace('saving')('/v1/projects', { method: 'POST', body: '{"name":"Shared"}' })
    await call('saveSnapshot', { name: 'shared' })
    const other = createControlClient(server.url, 'loading')
    expect(await other.call('snapshots')).toEqual(['shared'])
    await other.call('loadSnapshot', { name: 'shared' })
    expect((await other.call('exportState')).projects.map(({ name }) => name)).toContain('Shared')
  })

  it.each(['', 'a b', 'a/b', 'x'.repeat(65), 'a;b'])('refuse the name "%s"', async (name) => {
    const { status, body } = await inSpace(name)('/v1/projects')
    expect([status, ErrorBody.parse(body)]).toEqual([
      400,
      {
        error: expect.stringContaining('x-mock-space takes 1 to 64'),
        code: 'VALIDATION_FAILED',
        docsUrl: `${server.url}/docs/errors/validation-failed`,
      },
    ])
  })

  it('beyond 200 take the place of the oldest, which is said once', async () => {
    const said: string[] = []
    const onFullSpaces = (advice: string) => said.push(advice)
    const { url, close } = await startDevServer({ fixtures, port: 0, onFullSpaces })
    onTestFinished(close)
    const headers = (space: string) => ({ 'x-mock-space': space, cookie: 'session=acme-owner' })
    const list = (space: string) => fetch(`${url}/v1/projects`, { headers: headers(space) })
    for (let i = 0; i < 200; i++) await list(`s${i}`)
    // It is used again, so that it is not the oldest.
    await list('s0')
    expect(said).toEqual([])
    for (const space of ['one-more', 'another']) expect((await list(space)).status).toBe(200)
    expect(said).toEqual([expect.stringMatching(/^There were 200 spaces.* "s1", was removed$/)])
    const spaces = await connectToMock(url).spaces.list()
    expect(spaces).toHaveLength(200)
    expect(spaces).toEqual(expect.arrayContaining(['s0', 's3', 'one-more', 'another']))
  })
})

describe('the spaces of a server', () => {
  const create = (time: { now: number }) =>
    createSpaces((space) => createMockApi({ fixtures, space, baseUrl: 'http://a.test', onError: () => {} }), {
      idleMs: 1000,
      max: 3,
      now: () => time.now,
    })
  const named = (name: string) => ({ 'x-mock-space': name })

  it('are dropped when idle, and created again', () => {
    const time = { now: 0 }
    const spaces = create(time)
    const first = spaces.forRequest(named('a'))
    time.now = 900
    expect(spaces.forRequest(named('a'))).toBe(first)
    time.now = 1800
    expect(spaces.forRequest(named('a'))).toBe(first)
    time.now = 2801
    expect(spaces.forRequest(named('a'))).not.toBe(first)
    expect(spaces.forRequest({})).toBe(spaces.common)
  })

  it('are limited in number: the one that was not used for the longest time goes', () => {
    const spaces = create({ now: 0 })
    const [a, b] = ['a', 'b', 'c', 'a'].map((name) => spaces.forRequest(named(name)))
    spaces.forRequest(named('d'))
    expect(spaces.all()).toHaveLength(4)
    expect(spaces.forRequest(named('a'))).toBe(a)
    expect(spaces.forRequest(named('b'))).not.toBe(b)
  })
})

it('a space with letters that a header cannot have is refused by name, not as an unreachable mock', async () => {
  const client = createControlClient('http://127.0.0.1:1', 'проект')
  await expect(client.call('reset')).rejects.toThrow(
    '"проект" is not the name of a space: x-mock-space takes 1 to 64 of',
  )
})
