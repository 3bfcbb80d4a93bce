import fc from 'fast-check'
import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { sentBy } from '../../../src/mock/engine/sent-request.js'
import { createMockApi } from '../../../src/mock/mock-api.js'
import { parseState, type State } from '../../../src/store/state-file.js'

const fixtures = parseState(demo)

function start(options: { session?: string } = {}) {
  const mock = createMockApi({ fixtures, baseUrl: 'http://mock.test', ...options })
  const send = async (method: string, path: string, body?: object, session = 'acme-owner') => {
    const request = new Request(`http://mock.test${path}`, {
      method,
      headers: { cookie: `session=${session}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const response = await getResponse(mock.handlers, request)
    return { status: response?.status, body: await response?.json() }
  }
  const create = (name: string) => send('POST', '/v1/projects', { name })
  const exported = async () => JSON.stringify(await mock.export())
  const names = async () => (await mock.export()).projects.map(({ name }) => name)
  const askNobody = () => mock.logUnanswered(sentBy({ request: new Request('http://mock.test/api/nobody') }))
  return { ...mock.controls, mock, send, create, exported, names, askNobody }
}

const lastId = async ({ log }: ReturnType<typeof start>) => (await log.read()).at(-1)?.id ?? 0

describe('undo and redo', () => {
  it('step over changes by requests and controls, and change only the state', async () => {
    const mock = start()
    const first = await mock.exported()
    expect(await mock.history()).toEqual({})
    await mock.create('A')
    expect(await mock.history()).toEqual({ undo: 'createProject', steps: 1 })
    await mock.send('PATCH', `/v1/projects/${fixtures.projects[0]?.id}`, { name: 'Renamed' })
    await mock.send('POST', '/v1/waitlist', { email: 'new@example.com' })
    await mock.state.load({ ...fixtures, projects: [] })
    await mock.sessions.use('acme-viewer')
    await mock.clock.set({ at: '2030-01-01T00:00:00Z' })
    await mock.scenarios.set({ target: 'listProjects', outcome: 'drop' })
    const last = await mock.exported()

    expect(await mock.undo()).toMatchObject({ title: 'state load', entry: undefined })
    expect(await mock.undo()).toMatchObject({ title: 'joinWaitlist', entry: 3, changed: 1 })
    expect(await mock.undo()).toMatchObject({ title: 'updateProject', entry: 2, changed: 1 })
    expect(await mock.undo()).toMatchObject({ title: 'createProject', entry: 1, changed: 1 })
    expect(await mock.exported()).toBe(first)
    expect(await mock.history()).toMatchObject({ redo: 'createProject' })
    await expect(mock.undo()).rejects.toMatchObject({ name: 'ControlError', status: 409 })
    expect((await mock.sessions.list()).active).toBe('acme-viewer')
    expect((await mock.clock.get()).mode).toBe('fixed')
    expect(await mock.scenarios.list()).toHaveLength(1)

    for (const title of ['createProject', 'updateProject', 'joinWaitlist', 'state load']) {
      expect(await mock.redo()).toMatchObject({ title })
    }
    expect(await mock.exported()).toBe(last)
    await expect(mock.redo()).rejects.toMatchObject({ name: 'ControlError', status: 409 })
  })

  it('undo a reset of the state, but not of the persona and scenarios', async () => {
    const mock = start()
    await mock.create('A')
    const before = await mock.exported()
    await mock.sessions.use('acme-viewer')
    await mock.reset()
    expect(await mock.undo()).toMatchObject({ title: 'reset', changed: 1 })
    expect(await mock.exported()).toBe(before)
    expect((await mock.sessions.list()).active).toBe('acme-owner')
  })

  it('skip requests that changed nothing, and redo nothing after another change', async () => {
    const mock = start()
    await mock.create('A')
    await mock.send('GET', '/v1/projects')
    await mock.create('A')
    await mock.send('PATCH', `/v1/projects/${fixtures.projects[0]?.id}`, {})
    expect(await mock.undo()).toMatchObject({ entry: 1 })
    await mock.create('B')
    await expect(mock.redo()).rejects.toThrow('There is nothing to redo.')
    await mock.undo()
    await mock.redo()
    expect((await mock.names()).at(-1)).toBe('B')
  })

  it('warn if the restored state lacks the active persona', async () => {
    const mock = start()
    const extra = { ...fixtures.sessions[0], id: 'extra' }
    await mock.state.load({ ...fixtures, sessions: [...fixtures.sessions, extra] })
    await mock.sessions.use('extra')
    expect(await mock.undo()).toMatchObject({
      active: 'acme-owner',
      warning: expect.stringContaining('no persona "extra"'),
    })
  })

  it('undo 1,000 random changes, to the first state byte for byte, and redo them', async () => {
    const shuffled = (state: State, random: number): Partial<State> => ({
      ...state,
      projects: state.projects
        .filter((_, i) => (i * 7 + random) % 5 > 0)
        .sort((a, b) => ((a.name.length + random) % 3) - ((b.name.length + random) % 3)),
      waitlist: random % 2 ? [] : state.waitlist,
      sessions: random % 3 ? state.sessions : [...state.sessions].reverse(),
    })
    const change = fc.record({
      kind: fc.constantFrom(
        ...(['create', 'create', 'create', 'create', 'update', 'update', 'join', 'join'] as const),
        ...(['load', 'reset', 'rewind', 'undo', 'redo', 'add', 'set', 'remove', 'persona'] as const),
      ),
      text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }),
      number: fc.nat(10_000),
    })
    const changes = fc.sample(change, { seed: 20, numRuns: 1000 })
    const mock = start()
    const first = await mock.exported()
    for (const { kind, text, number } of changes) {
      const state = await mock.mock.export()
      const project = state.projects[number % Math.max(1, state.projects.length)]
      if (kind === 'create') await mock.create(text)
      if (kind === 'update' && project) {
        const session = project.teamId === 'team-acme' ? 'acme-owner' : 'globex-owner'
        await mock.send('PATCH', `/v1/projects/${project.id}`, { description: text }, session)
      }
      if (kind === 'join') await mock.send('POST', '/v1/waitlist', { email: `a${number}@example.com` })
      if (kind === 'load') await mock.state.load(shuffled(state, number))
      if (kind === 'reset') await mock.reset()
      const entries = await mock.log.read()
      const entry = entries[Math.max(0, entries.length - 1 - (number % 50))]
      if (kind === 'rewind' && entry) await mock.log.rewind(entry.id)
      if (kind === 'add')
        await mock.data.add('projects', { name: text, teamId: 'team-globex' }).catch(() => {})
      if (kind === 'set' && project)
        await mock.data.set('projects', project.id, { name: text, description: null })
      if (kind === 'remove') {
        const user = state.users[number % Math.max(1, state.users.length)]
        if (number % 9 === 0 && user) await mock.data.remove('users', user.id, { dependants: true })
        else if (project) await mock.data.remove('projects', project.id)
      }
      if (kind === 'persona') await mock.sessions.add({ id: `p${number}`, teamName: text }).catch(() => {})
      if (kind === 'undo' || kind === 'redo') await mock[kind]().catch(() => {})
    }
    const last = await mock.exported()
    const states = [last]
    while (await mock.undo().catch(() => undefined)) states.push(await mock.exported())
    expect(states.length).toBeGreaterThan(500)
    expect(states.at(-1)).toBe(first)
    for (const state of states.slice(0, -1).reverse()) {
      await mock.redo()
      expect(await mock.exported()).toBe(state)
    }
    expect(states[0]).toBe(last)
  })
})

describe('rewind', () => {
  it('returns to just before a request or just after it, and can be undone', async () => {
    const mock = start()
    const states: string[] = [await mock.exported()]
    for (const name of ['A', 'B', 'C']) {
      await mock.create(name)
      states.push(await mock.exported())
    }
    expect(await mock.log.rewind(2)).toMatchObject({ title: 'rewind to before request 2', changed: 2 })
    expect(await mock.exported()).toBe(states[1])
    await mock.log.rewind(3)
    expect(await mock.exported()).toBe(states[2])
    await mock.log.rewind(3, { after: true })
    expect(await mock.exported()).toBe(states[3])
    await mock.undo()
    expect(await mock.exported()).toBe(states[2])
    await mock.undo()
    expect(await mock.exported()).toBe(states[1])
    await mock.undo()
    expect(await mock.exported()).toBe(states[3])
  })

  it('returns to the time of a request that changed nothing, over undone changes and a loaded state', async () => {
    const mock = start()
    await mock.create('A')
    await mock.send('GET', '/v1/projects')
    const then = await mock.exported()
    const id = await lastId(mock)
    await mock.undo()
    await mock.create('B')
    await mock.state.load(fixtures)
    await mock.create('C')
    await mock.log.rewind(id)
    expect(await mock.exported()).toBe(then)
    expect(await mock.log.rewind(id, { after: true })).toMatchObject({ changed: 0 })
  })

  it('refuses a request that the log does not have, or whose changes are no longer stored', async () => {
    const mock = start()
    await expect(mock.log.rewind(1)).rejects.toMatchObject({ name: 'ControlError', status: 404 })
    await mock.create('A')
    mock.mock.load(fixtures)
    await expect(mock.log.rewind(1)).rejects.toMatchObject({ name: 'ControlError', status: 410 })
  })
})

it('names the undone requests after steps back and forward, and none without steps', async () => {
  const mock = start()
  for (const name of ['A', 'B', 'C', 'D']) await mock.create(name)
  const undone = async () => (await mock.history()).undone
  expect(await undone()).toBeUndefined()
  await mock.log.rewind(3)
  expect(await undone()).toEqual([[3, 4]])
  await mock.create('E')
  expect(await undone()).toEqual([[3, 4]])
  await mock.log.rewind(5)
  expect(await undone()).toEqual([
    [3, 4],
    [5, 5],
  ])
  // The moment after request 4 comes before the first step back.
  await mock.log.rewind(4, { after: true })
  expect(await undone()).toEqual([[5, 5]])
  for (let steps = 0; steps < 2; steps++) await mock.undo()
  expect(await undone()).toEqual([[3, 4]])
  await mock.undo()
  expect(await undone()).toEqual([
    [3, 4],
    [5, 5],
  ])
  await mock.undo()
  expect(await undone()).toEqual([[5, 5]])
})

it('shows the differences at the moment of a request, without a rewind', async () => {
  const mock = start()
  await mock.create('A')
  await mock.create('B')
  const before = await mock.state.export()
  const { changed, changes } = await mock.log.diff(1)
  expect([changed, changes.map(({ before }) => before && Reflect.get(before, 'name'))]).toEqual([
    2,
    ['A', 'B'],
  ])
  expect((await mock.log.diff(2, { after: true })).changed).toBe(0)
  expect(await mock.state.export()).toEqual(before)
  await expect(mock.log.diff(9)).rejects.toThrow('no request 9')
})

it('restores a cleared or reset log, once, with the unhandled requests', async () => {
  const mock = start()
  await mock.create('A')
  await mock.askNobody()
  const before = await mock.log.read()
  await mock.log.clear()
  expect(await mock.log.read()).toEqual([])
  await mock.send('GET', '/v1/projects')
  await mock.log.restore()
  expect((await mock.log.read()).map(({ id }) => id)).toEqual([1, 2, 3])
  expect((await mock.log.read()).slice(0, 2)).toEqual(before)
  expect((await mock.targets.list()).find(({ target }) => target === 'GET /api/nobody')?.hits).toBe(1)
  await expect(mock.log.restore()).rejects.toMatchObject({ name: 'ControlError', status: 409 })
  await mock.reset()
  await mock.undo()
  await mock.log.restore()
  expect(await mock.log.read()).toHaveLength(3)
  await mock.log.clear()
  for (let sent = 0; sent <= 100; sent++) await mock.send('GET', '/v1/projects')
  await expect(mock.log.restore()).rejects.toThrow('no cleared log')
})

it('restores a replaced or deleted snapshot', async () => {
  const { snapshots, ...mock } = start()
  await snapshots.save('one')
  await mock.create('A')
  await snapshots.save('one')
  await snapshots.restore('one')
  await snapshots.load('one')
  expect((await mock.state.export()).projects).toHaveLength(fixtures.projects.length)
  await snapshots.delete('one')
  expect(await snapshots.restore('one')).toEqual(['one'])
  await expect(snapshots.restore('one')).rejects.toMatchObject({ status: 404 })
})
