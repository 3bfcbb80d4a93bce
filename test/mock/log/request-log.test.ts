import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { effectText } from '../../../src/mock/log/effect-text.js'
import type { MockOptions } from '../../../src/mock/log/log-parts.js'
import { createMockApi } from '../../../src/mock/mock-api.js'
import { parseState } from '../../../src/store/state-file.js'

const fixtures = parseState(demo)

function start(options: Partial<MockOptions> = {}) {
  const mock = createMockApi({ fixtures, baseUrl: 'http://mock.test', ...options })
  const send = async (path: string, init: RequestInit = {}) =>
    getResponse(mock.handlers, new Request(`http://mock.test${path}`, init))
  const create = (name: string, headers = {}) =>
    send('/v1/projects', {
      method: 'POST',
      headers: { cookie: 'session=acme-owner', 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name }),
    })
  return { log: mock.controls.log, controls: mock.controls, send, create }
}

describe('an entry of the log', () => {
  it('has, as data, the cause of a response that no check or handler decided', async () => {
    const { log, create, controls, send } = start()
    const list = (prefer?: string) =>
      send('/v1/projects', { headers: { cookie: 'session=acme-owner', ...(prefer && { prefer }) } })
    await list()
    await list('code=INTERNAL_ERROR')
    await list('code=NO_SUCH_CODE')
    await controls.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 })
    await create('Apollo')
    await controls.scenarios.set({
      target: 'createProject',
      response: { status: 418, text: '', unchecked: true },
      times: 1,
    })
    await create('Apollo')
    await controls.scenarios.set({ target: 'empty', times: 1 })
    await list()
    await controls.chaos.set({ errorRate: 1, seed: 1 })
    await list()
    const entries = await log.read()
    const [Prefer, scenario] = ['Prefer', 'scenario']
    const expected = [undefined, Prefer, Prefer, scenario, scenario, scenario, 'chaos']
    expect(entries.map(({ forcedBy }) => forcedBy)).toEqual(expected)
    for (const { why, forcedBy = 'handler' } of entries) expect(why).toMatch(new RegExp(`^${forcedBy}`))
  })

  it('has the request, the response, and the changed records', async () => {
    const { log, create, send } = start()
    await create('Äpfel')
    const project = { id: expect.any(String), name: 'Äpfel', description: null, status: 'active' }
    const entry = await log.entry(1)
    expect(entry).toMatchObject({
      id: 1,
      operation: 'createProject',
      request: {
        url: 'http://mock.test/v1/projects',
        headers: { 'content-type': 'application/json', cookie: 'session=acme-owner' },
        // In characters, as the length of the response.
        body: { length: 16, text: '{"name":"Äpfel"}' },
      },
      response: { headers: { 'content-type': 'application/json; charset=utf-8' } },
      changes: [{ kind: 'projects', after: project }],
    })
    expect(JSON.parse(entry.response?.body?.text ?? '')).toMatchObject({ project })
    expect(entry.changes?.[0]).not.toHaveProperty('before')

    const { id, ...before } = fixtures.projects.find(({ teamId }) => teamId === 'team-acme') ?? { id: '' }
    await send(`/v1/projects/${id}`, {
      method: 'PATCH',
      headers: { cookie: 'session=acme-owner', 'content-type': 'application/json' },
      body: '{"status":"paused by a test"}',
    })
    expect((await log.entry(2)).changes).toEqual([
      {
        kind: 'projects',
        key: id,
        before: { id, ...before },
        after: { id, ...before, status: 'paused by a test' },
      },
    ])
    await send('/v1/projects')
    expect((await log.entry(3)).changes).toEqual([])
    expect((await log.entry(3)).request).not.toHaveProperty('body')
  })

  it('names the changed records, the first fault of a body, and the name in a refused one', async () => {
    const { log, create, send } = start()
    await create('Roadmap')
    await create('ROADMAP')
    await create('')
    const [project] = fixtures.projects.filter(({ teamId }) => teamId === 'team-acme')
    const headers = { cookie: 'session=acme-owner', 'content-type': 'application/json' }
    const patch = (body: string) => send(`/v1/projects/${project?.id}`, { method: 'PATCH', headers, body })
    await patch('{"name":"Renamed","status":"paused"}')
    await patch('{"name":"Renamed"}')
    await patch('{')
    await send('/v1/waitlist', { method: 'POST', headers, body: '{"email":"ada@example.com"}' })
    await send('/v1/waitlist', { method: 'POST', headers, body: '{"email":"no address"}' })
    const summaries = (await log.read()).map((entry) => effectText(entry))
    expect(summaries).toEqual([
      '+ Roadmap',
      '“ROADMAP”',
      'name: must not be empty',
      'Renamed: name, status',
      '',
      expect.stringMatching(/JSON/),
      '+ ada@example.com',
      expect.stringMatching(/./),
    ])
    expect((await log.read())[3]?.changed).toEqual([
      { kind: 'projects', key: project?.id, name: 'Renamed', change: 'changed', fields: ['name', 'status'] },
    ])
  })

  it('has no secrets: of cookies only the name of a persona, no values of unknown headers, no query', async () => {
    const { log, controls, create, send } = start()
    await create('A', {
      cookie: 'session=acme-owner; other=hunter2',
      authorization: 'Bearer hunter2',
      'x-api-key': 'hunter2',
      'x-custom': 'hunter2',
      referer: 'http://localhost:5173/callback?code=hunter2',
    })
    await send('/v1/projects?token=hunter2', { headers: { cookie: 'session=hunter2' } })
    const entries = [await log.entry(1), await log.entry(2), await log.read(), await log.har()]
    expect(JSON.stringify(entries)).not.toContain('hunter2')
    expect((await log.entry(1)).request.headers).toMatchObject({
      authorization: '(not logged)',
      cookie: 'session=acme-owner',
      referer: 'http://localhost:5173/callback',
    })
    await controls.scenarios.set({ target: 'listProjects', outcome: 'drop', times: null })
    await send('/v1/projects')
    expect(await log.entry(3)).toMatchObject({ status: 0 })
    expect(await log.entry(3)).not.toHaveProperty('response')
  })

  it('has the beginning of a long response, and only the length of a request that is too large', async () => {
    const { log, create } = start()
    await create('x'.repeat(65_000))
    await create('x'.repeat(65_000))
    await create('x'.repeat(70_000))
    const created = await log.entry(1)
    expect(created.request.body?.text).toHaveLength(65_011)
    expect(await log.entry(3)).toMatchObject({ status: 413, request: { body: { length: 70_011 } } })
    expect((await log.entry(3)).request.body?.text).toBeUndefined()
    expect((await log.entry(3)).curl).toContain('head -c 65537')
  })

  it('has no bodies if the log is set to have none', async () => {
    const { log, create } = start({ logBodies: false })
    await create('A')
    expect((await log.entry(1)).request.body?.text).toBeUndefined()
    expect((await log.entry(1)).response).not.toHaveProperty('body')
    expect((await log.entry(1)).curl).toMatch(/# without its body, which is no longer stored$/)
    await expect(log.send(1)).rejects.toThrow('The body of request 1 is no longer stored')
    expect(await log.send(1, { method: 'GET', body: '' })).toMatchObject({ status: 200 })
  })
})

describe('the size of the log', () => {
  it('is set at the start', async () => {
    const { log, create } = start({ logSize: 3 })
    for (const name of ['A', 'B', 'C', 'D']) await create(name)
    expect((await log.read()).map(({ id }) => id)).toEqual([2, 3, 4])
    expect((await log.read({ since: 3 })).map(({ id }) => id)).toEqual([4])
    await expect(log.entry(1)).rejects.toThrow('The log has no request 1. It has the requests 2 to 4.')
    for (const logSize of [0, -1, 1.5, 100_001, Number.NaN]) {
      expect(() => start({ logSize })).toThrow('is not a size of the log')
    }
    await log.clear()
    await expect(log.entry(4)).rejects.toThrow('It is empty.')
    await create('E')
    expect((await log.read()).map(({ id }) => id)).toEqual([5])
  })
})

describe('a request that is sent again', () => {
  it('is unchanged, edited, or from another caller', async () => {
    const { log, create, controls } = start()
    await create('Apollo')
    expect(await log.send(1)).toMatchObject({ id: 2, status: 409, code: 'PROJECT_NAME_TAKEN' })
    expect(await log.send(1, { body: '{"name":"Other"}' })).toMatchObject({
      status: 201,
      session: 'acme-owner',
    })
    expect(await log.send(1, { session: 'acme-viewer' })).toMatchObject({
      status: 403,
      session: 'acme-viewer',
      path: '/v1/projects',
    })
    expect(await log.send(1, { session: null })).toMatchObject({ status: 401 })
    expect(await log.send(1, { method: 'GET' })).toMatchObject({ status: 200, operation: 'listProjects' })
    expect(await log.send(6, { method: 'POST', body: '{"name":"Third"}' })).toMatchObject({ status: 201 })
    const id = JSON.parse((await log.entry(7)).response?.body?.text ?? '').project.id
    const patch = { method: 'PATCH', path: `/v1/projects/${id}`, body: '{"status":"paused"}' }
    expect(await log.send(1, patch)).toMatchObject({ status: 200, operation: 'updateProject' })
    expect(await controls.undo()).toMatchObject({ entry: 8 })
    expect(await log.send(1, { path: '/v1/nothing' })).toMatchObject({ status: 404 })
    expect(await log.read()).toHaveLength(9)
  })

  it('is not delayed, and returns although a forced outcome has no response', async () => {
    const { log, create, controls } = start()
    await create('Apollo')
    await controls.delay.set(60_000)
    expect(await log.send(1)).toMatchObject({ status: 409 })
    await controls.scenarios.set({ target: 'createProject', outcome: 'hang', times: null })
    expect(await log.send(1)).toMatchObject({ status: 0, why: 'scenario createProject hang' })
  })

  it('is refused if it cannot be sent again', async () => {
    const { log, create } = start()
    await expect(log.send(1)).rejects.toMatchObject({ status: 404 })
    await create('Apollo')
    await expect(log.send(1, { session: 'nobody' })).rejects.toThrow('There is no persona "nobody"')
    await expect(log.send(1, { path: 'v1/projects' })).rejects.toThrow('"v1/projects" is not a path')
    await expect(log.send(1, { method: 'CONNECT' })).rejects.toThrow('"CONNECT" is not a method')
    expect(await log.read()).toHaveLength(1)
  })
})
