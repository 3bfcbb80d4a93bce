import { ControlError, connectToMock, type MockEvent, NoMockError } from 'dashboard-api/control'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { type DevServer, startDevServer } from '../../src/mock/http/dev-server.js'
import { parseState } from '../../src/store/state-file.js'

let server: DevServer
let mock: ReturnType<typeof connectToMock>
beforeAll(async () => {
  server = await startDevServer({ fixtures: parseState(fixture), port: 0 })
  mock = connectToMock(server.url)
})
afterEach(async () => {
  await mock.reset()
  for (const name of await mock.spaces.list()) await mock.spaces.remove(name)
})
afterAll(() => server.close())

const list = async (headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}/v1/projects`, {
    headers: { cookie: 'session=active', ...headers },
  })
  const body = (await response.json()) as { code?: string; projects?: unknown[] }
  return { status: response.status, code: body.code, projects: body.projects?.length }
}

describe('dashboard-api/control', () => {
  it('expects requests, also by a body that no URL could hold', async () => {
    await list()
    expect(await mock.expectCalls('listProjects', { times: 1 })).toMatchObject([{ target: 'listProjects' }])
    const description = 'x'.repeat(20_000)
    await fetch(`${server.url}/v1/projects`, {
      method: 'POST',
      headers: { cookie: 'session=active', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Apollo', description }),
    })
    const body = { name: 'Apollo', description }
    expect(await mock.expectCalls('createProject', { body, timeout: 0 })).toMatchObject([{ body }])
    expect(await mock.calls('createProject', { body })).toHaveLength(1)
    expect(await mock.waitForRequest('createProject', { body })).toMatchObject({ body })
    await expect(mock.expectCalls('createProject', { timeout: 99_999_999_999 })).rejects.toThrow(
      'Expected a whole number from 0 to 300000.',
    )
    await expect(mock.calls('createProject', { status: '4x' })).rejects.toThrow(
      'Expected a status: one such as 409, 4xx for all from 400 to 499, or 0 for no response.',
    )
  })

  it('has every control of the mock', async () => {
    expect((await mock.sessions.use('globex-owner')).active).toBe('globex-owner')
    expect((await mock.sessions.list()).sessions).toHaveLength(10)
    expect((await mock.sessions.add({ id: 'newcomer', orgCode: 'org_acme' })).sessions).toHaveLength(11)
    expect((await mock.sessions.remove('newcomer')).sessions).toHaveLength(10)
    const { record } = await mock.data.add('projects', { name: 'Aurora', teamId: 'team-acme' })
    expect((await mock.data.set('projects', record.id, { status: 'paused' })).record.status).toBe('paused')
    const { matched, records } = await mock.data.list('projects', { search: 'aurora', limit: 5 })
    expect({ matched, names: records.map(({ name }) => name) }).toEqual({ matched: 1, names: ['Aurora'] })
    expect((await mock.data.remove('projects', record.id, { dependants: true })).removed.projects).toBe(1)
    await mock.scenarios.set({ target: 'listProjects', outcome: 'RATE_LIMITED', times: 1 })
    expect(await mock.scenarios.list()).toEqual([
      { target: 'listProjects', outcome: 'RATE_LIMITED', times: 1 },
    ])
    expect((await mock.scenarios.possible()).operations.listProjects).toContain('RATE_LIMITED')
    expect(await list()).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
    expect(await mock.scenarios.set({ target: 'empty' })).toHaveLength(1)
    expect(await mock.scenarios.clear('empty')).toEqual([])
    expect((await mock.delay.set(3)).all).toBe('3')
    expect((await mock.delay.set('1-2', 'listProjects')).operations).toEqual({ listProjects: '1-2' })
    expect(await mock.delay.get()).toMatchObject({ all: '3' })
    const response = { body: { projects: [] } }
    expect(await mock.scenarios.set({ target: 'listProjects', response, times: 1 })).toEqual([
      { target: 'listProjects', response: { status: 200, ...response }, times: 1 },
    ])
    expect(await mock.scenarios.clear()).toEqual([])
    expect((await mock.chaos.set({ errorRate: 0.1, delay: 3, seed: 7 })).all).toMatchObject({
      errorRate: 0.1,
      delay: '3',
      seed: 7,
    })
    await mock.chaos.set({ delay: 3, target: 'listProjects' })
    expect(Object.keys((await mock.chaos.clear('listProjects')).operations)).toEqual([])
    expect((await mock.chaos.get()).all?.seed).toBe(7)
    expect(await mock.chaos.clear()).toEqual({ operations: {} })
    expect(await mock.clock.set({ at: '2030-01-01T00:00:00Z' })).toMatchObject({ mode: 'fixed' })
    expect(await mock.clock.set()).toMatchObject({ mode: 'real' })
    expect(await mock.clock.get()).toMatchObject({ mode: 'real' })
    expect(await mock.log.read()).toEqual([
      expect.objectContaining({ operation: 'listProjects', status: 429 }),
    ])
    expect(await mock.log.clear()).toBeUndefined()
    expect(await mock.log.read()).toEqual([])
    expect(await mock.reset()).toBeUndefined()
    expect((await mock.sessions.list()).active).toBe('acme-owner')
  })

  it('replaces and exports the state, and keeps snapshots', async () => {
    expect(await mock.snapshots.save('before')).toEqual(['before'])
    expect(await mock.state.load({ ...parseState(fixture), projects: [] })).toEqual({ active: 'acme-owner' })
    expect((await mock.state.export()).projects).toEqual([])
    expect(await mock.snapshots.load('before')).toEqual({ active: 'acme-owner' })
    expect((await mock.state.export()).projects).toHaveLength(6)
    expect(await mock.snapshots.list()).toEqual(['before'])
    expect(await mock.snapshots.delete('before')).toEqual([])
    expect(await mock.snapshots.list()).toEqual([])
  })

  it('undoes and redoes changes, returns to a request, and sends it again', async () => {
    await mock.log.clear()
    await fetch(`${server.url}/v1/waitlist`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"undo@example.com"}',
    })
    const [{ id } = { id: 0 }] = await mock.log.read()
    const count = async () => (await mock.state.export()).waitlist.length
    const after = await count()
    expect(await mock.undo()).toMatchObject({
      title: 'undo@example.com joined the waitlist',
      entry: id,
      changed: 1,
    })
    expect(await mock.redo()).toMatchObject({ entry: id })
    expect(await mock.log.rewind(id)).toMatchObject({ changed: 1 })
    expect(await count()).toBe(after - 1)
    await mock.log.rewind(id, { after: true })
    expect(await count()).toBe(after)
    expect((await mock.log.entry(id)).changes).toHaveLength(1)
    expect(await mock.log.send(id, { body: '{}' })).toMatchObject({ status: 422 })
    expect(await mock.log.read({ since: id })).toHaveLength(1)
    expect((await mock.log.har()).log.entries).toHaveLength(2)
    await mock.log.clear()
  })

  it('rejects calls that the mock refuses, with the valid values', async () => {
    await expect(mock.sessions.use('nobody')).rejects.toMatchObject({
      name: 'ControlError',
      status: 404,
      possible: expect.arrayContaining(['acme-owner']),
    })
    await expect(mock.state.load({ version: 2 })).rejects.toBeInstanceOf(ControlError)
    await expect(connectToMock('http://127.0.0.1:1').reset()).rejects.toBeInstanceOf(NoMockError)
  })

  it('follows the log', async () => {
    await list()
    const controller = new AbortController()
    const events: MockEvent[] = []
    for await (const event of mock.log.follow(controller.signal, 0)) {
      events.push(event)
      break
    }
    controller.abort()
    expect(events).toEqual([{ request: expect.objectContaining({ operation: 'listProjects' }) }])
  })
})

describe('the spaces of a mock, through dashboard-api/control', () => {
  const inSpace = (name: string) => list({ 'x-mock-space': name })

  it('are created, controlled and removed', async () => {
    expect(await mock.spaces.list()).toEqual([])
    expect(await mock.spaces.create('a')).toEqual(['a'])
    expect(await mock.spaces.create('b')).toEqual(['a', 'b'])
    await connectToMock(server.url, { space: 'a' }).scenarios.set({ target: 'empty' })
    expect(await Promise.all([inSpace('a'), inSpace('b'), list()])).toMatchObject([
      { projects: 0 },
      { projects: 4 },
      { projects: 4 },
    ])
    expect(await mock.spaces.remove('a')).toEqual(['b'])
  })

  it('start from the fixtures when they are created again', async () => {
    await connectToMock(server.url, { space: 'a' }).state.load({ version: 1, sessions: [] })
    expect(await inSpace('a')).toMatchObject({ status: 401 })
    expect(await mock.spaces.list()).toEqual(['a'])
    await mock.spaces.create('a')
    expect(await inSpace('a')).toMatchObject({ status: 200, projects: 4 })
  })

  it('refuse an invalid name, and the removal of an unknown space', async () => {
    await expect(mock.spaces.create('a b')).rejects.toThrow('x-mock-space takes 1 to 64')
    await mock.spaces.create('a')
    await expect(mock.spaces.remove('b')).rejects.toMatchObject({ status: 404, possible: ['a'] })
    expect(await mock.spaces.list()).toEqual(['a'])
  })
})
