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
  it('step over every change, by requests and controls', async () => {
    const mock = start()
    const first = await mock.exported()
    expect(await mock.history()).toEqual({})
    await mock.create('A')
    expect(await mock.history()).toMatchObject({ undo: { title: 'A was created', entry: 1, changed: 1 } })
    await mock.send('PATCH', `/v1/projects/${fixtures.projects[0]?.id}`, { name: 'Renamed' })
    await mock.send('POST', '/v1/waitlist', { email: 'new@example.com' })
    await mock.state.load({ ...fixtures, projects: [] })
    await mock.sessions.use('acme-viewer')
    await mock.clock.set({ at: '2030-01-01T00:00:00Z' })
    await mock.scenarios.set({ target: 'listProjects', outcome: 'drop', times: 1 })
    const last = await mock.exported()
    const titles = [
      'drop was forced on listProjects (next request)',
      'the clock was stopped at 2030-01-01T00:00:00Z',
      'you became acme-viewer',
      'a state was loaded',
      'new@example.com joined the waitlist',
      `${fixtures.projects[0]?.name} was renamed to Renamed`,
      'A was created',
    ]
    for (const title of titles)
      expect(await mock.undo()).toMatchObject({ title, undone: `Went back to before ${title}.` })
    expect(await mock.exported()).toBe(first)
    expect([await mock.scenarios.list(), (await mock.clock.get()).mode]).toEqual([[], 'real'])
    expect((await mock.sessions.list()).active).toBe('acme-owner')
    await expect(mock.undo()).rejects.toMatchObject({ name: 'ControlError', status: 409 })

    for (const title of titles.toReversed())
      expect(await mock.redo()).toMatchObject({ title, redone: `Made again: ${title}.` })
    expect(await mock.exported()).toBe(last)
    expect((await mock.sessions.list()).active).toBe('acme-viewer')
    await expect(mock.redo()).rejects.toMatchObject({ name: 'ControlError', status: 409 })
  })

  it('undo a reset of everything', async () => {
    const mock = start()
    await mock.create('A')
    const before = await mock.exported()
    await mock.sessions.use('acme-viewer')
    await mock.delay.set('5')
    await mock.reset()
    expect(await mock.log.read()).toEqual([])
    expect(await mock.undo()).toMatchObject({ title: 'everything was reset', changed: 1 })
    expect(await mock.exported()).toBe(before)
    expect((await mock.sessions.list()).active).toBe('acme-viewer')
    expect((await mock.delay.get()).all).toBe('5')
    expect(await mock.log.read()).toHaveLength(1)
  })

  it('undo one step by its id while it is the last of its parts, and else say what came since', async () => {
    const mock = start()
    const force = async (target: 'createProject' | 'listProjects') =>
      (await mock.run('setScenario', { target, outcome: 503, times: null })).step
    const first = await force('createProject')
    await mock.create('A')
    const change = (await mock.history()).undo
    const second = await force('listProjects')
    await expect(mock.undo(first?.id)).rejects.toThrow(
      '503 SERVICE_UNAVAILABLE was forced on listProjects (until cleared). Undo that first.',
    )
    expect(change?.title).toMatch(/forced on createProject/)
    expect(await mock.undo(second?.id)).toMatchObject({ title: second?.title })
    expect(await mock.scenarios.list()).toMatchObject([{ target: 'createProject' }])
    await expect(mock.undo(second?.id)).rejects.toThrow(`There is no step ${second?.id} to undo.`)
    await mock.data.add('projects', { name: 'B' })
    await mock.undo(first?.id)
    expect([await mock.scenarios.list(), (await mock.names()).at(-1)]).toEqual([[], 'B'])
    expect(await mock.redo(first?.id)).toMatchObject({ title: first?.title })
    expect((await mock.steps()).map(({ isUndone }) => isUndone)).toEqual([false, true, false])
  })

  it('undo a request together with the forced outcome that it used', async () => {
    const mock = start()
    await mock.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 })
    await mock.create('A')
    expect(await mock.scenarios.list()).toEqual([])
    expect(await mock.undo()).toMatchObject({
      title: 'createProject answered the forced 409 PROJECT_NAME_TAKEN',
      entry: 1,
    })
    expect(await mock.scenarios.list()).toMatchObject([{ times: 1 }])
    await mock.redo()
    const response = { status: 418, body: {}, unchecked: true }
    await mock.scenarios.set({ target: 'createProject', response })
    await mock.create('A')
    expect((await mock.steps()).at(-1)?.title).toBe('createProject answered the custom 418')
    await mock.scenarios.set({ target: 'duplicate-names', times: 1 })
    await mock.create('Mobile app')
    expect(await mock.undo()).toMatchObject({ title: 'Mobile app was created', parts: ['forced', 'data'] })
    expect(await mock.scenarios.list()).toMatchObject([{ target: 'duplicate-names', times: 1 }])
  })

  it('record nothing for a control that changes nothing', async () => {
    const mock = start()
    await mock.create('A')
    for (const [name, input] of [
      ['rewind', { id: 1, after: true }],
      ['clearScenarios', {}],
      ['setDelay', { ms: null }],
      ['setClock', {}],
      ['useSession', { id: 'acme-owner' }],
    ] as const) {
      await mock.run(name, input)
      if (name !== 'useSession') expect([name, (await mock.steps()).length]).toEqual([name, 1])
    }
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
    // The other parts do not depend on the records.
    await mock.delay.set('5')
    await mock.redo((await mock.steps()).find(({ title }) => title === 'B was created')?.id)
    expect((await mock.names()).at(-1)).toBe('B')
  })

  it('warn if the restored state lacks the active persona', async () => {
    const mock = start()
    const extra = { ...fixtures.sessions[0], id: 'extra' }
    await mock.state.load({ ...fixtures, sessions: [...fixtures.sessions, extra] })
    const [loaded] = await mock.steps()
    await mock.sessions.use('extra')
    expect(await mock.undo(loaded?.id)).toMatchObject({
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
    expect(await mock.log.rewind(2)).toMatchObject({
      done: 'Went back to before B was created.',
      undone: 'Undone: went back to before B was created.',
      changed: 2,
    })
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
    // Nothing is to be undone where nothing changed.
    expect(await mock.log.rewind(id, { after: true })).not.toHaveProperty('id')
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

it('brings a cleared log back, with the unhandled requests', async () => {
  const mock = start()
  await mock.create('A')
  await mock.askNobody()
  const before = await mock.log.read()
  await mock.log.clear()
  expect(await mock.log.read()).toEqual([])
  await expect(mock.log.entry(1)).rejects.toThrow('It is empty.')
  await mock.send('GET', '/v1/projects')
  await mock.undo()
  expect((await mock.log.read()).map(({ id }) => id)).toEqual([1, 2, 3])
  expect((await mock.log.read()).slice(0, 2)).toEqual(before)
  expect((await mock.targets.list()).find(({ target }) => target === 'GET /api/nobody')?.hits).toBe(1)
  await mock.redo()
  expect((await mock.log.read()).map(({ id }) => id)).toEqual([3])
})

it('brings a replaced or deleted snapshot back', async () => {
  const { snapshots, ...mock } = start()
  await snapshots.save('one')
  await mock.create('A')
  await snapshots.save('one')
  expect(await mock.undo()).toMatchObject({ title: 'the snapshot one was replaced' })
  await snapshots.load('one')
  expect((await mock.state.export()).projects).toHaveLength(fixtures.projects.length)
  await snapshots.delete('one')
  expect(await snapshots.list()).toEqual([])
  await mock.undo()
  expect(await snapshots.list()).toEqual(['one'])
})

it('returns to each state of 50 random sequences of controls and requests, backwards and forwards', async () => {
  const action = fc.record({
    kind: fc.constantFrom(
      ...([
        'create',
        'list',
        'rename',
        'use',
        'signOut',
        'force',
        'once',
        'named',
        'clear',
        'delay',
      ] as const),
      ...(['chaos', 'noChaos', 'clock', 'real', 'save', 'delete', 'load', 'emptyLog', 'reset'] as const),
      ...(['add', 'set', 'remove', 'persona', 'expire', 'noPersona', 'rewind', 'again', 'state'] as const),
    ),
    number: fc.nat(10_000),
  })
  const sequences = fc.sample(fc.array(action, { minLength: 30, maxLength: 30 }), { seed: 57, numRuns: 50 })
  for (const sequence of sequences) {
    const mock = start()
    const everything = async () => ({
      state: await mock.exported(),
      scenarios: await mock.scenarios.list(),
      delay: await mock.delay.get(),
      chaos: await mock.chaos.get(),
      clock: (await mock.clock.get()).mode,
      active: (await mock.sessions.list()).active,
      snapshots: await mock.snapshots.list(),
      log: (await mock.log.read()).map(({ id }) => id),
    })
    const target = 'createProject'
    const run = async (kind: string, number: number): Promise<unknown> => {
      const state = await mock.mock.export()
      const project = state.projects[number % Math.max(1, state.projects.length)]
      const entries = await mock.log.read()
      const id = entries[number % Math.max(1, entries.length)]?.id ?? 0
      const persona = state.sessions[number % Math.max(1, state.sessions.length)]?.id ?? ''
      const operation = number % 2 ? target : undefined
      const name = `s${number % 3}`
      const actions: Record<string, () => Promise<unknown>> = {
        create: () => mock.create(`P${number}`),
        list: () => mock.send('GET', '/v1/projects'),
        rename: () => mock.send('PATCH', `/v1/projects/${project?.id}`, { name: `R${number}` }),
        use: () => mock.sessions.use(persona),
        signOut: () => mock.sessions.use(null),
        force: () => mock.scenarios.set({ target, outcome: 'INTERNAL_ERROR', times: null }),
        once: () => mock.scenarios.set({ target, outcome: 'PROJECT_NAME_TAKEN', times: 1 + (number % 2) }),
        named: () => mock.scenarios.set({ target: 'duplicate-names', times: 2 }),
        clear: () => mock.scenarios.clear(operation),
        delay: () => mock.delay.set(number % 3 ? 1 : null, operation),
        chaos: () => mock.chaos.set({ errorRate: 0.3, ...(operation && { operation }) }),
        noChaos: () => mock.chaos.clear(operation),
        clock: () =>
          mock.clock.set({ at: `20${10 + (number % 80)}-01-01T00:00:00Z`, ticking: number % 2 > 0 }),
        real: () => mock.clock.set(),
        save: () => mock.snapshots.save(name),
        delete: () => mock.snapshots.delete(name),
        load: () => mock.snapshots.load(name),
        emptyLog: () => mock.log.clear(),
        reset: () => mock.reset(),
        add: () => mock.data.add('projects', { name: `A${number}`, teamId: 'team-globex' }),
        set: () => mock.data.set('projects', project?.id ?? '', { description: `${number}` }),
        remove: () => mock.data.remove('projects', project?.id ?? ''),
        persona: () => mock.sessions.add({ id: `p${number}`, teamName: 'T' }),
        expire: () => mock.sessions.expire(persona),
        noPersona: () => mock.sessions.remove(persona),
        rewind: () => mock.log.rewind(id),
        again: () => mock.log.send(id),
        state: () => mock.state.load({ ...state, waitlist: [] }),
      }
      return actions[kind]?.().catch((error: Error) => expect(error.name).toMatch(/Error$/))
    }
    const states = [await everything()]
    for (const { kind, number } of sequence) {
      const before = (await mock.steps()).length
      await run(kind, number)
      const made = (await mock.steps()).length - before
      expect([kind, made]).toEqual([kind, Math.min(made, 1)])
      if (made === 1) states.push(await everything())
    }
    // Requests stay in the log: only what hides them is undone.
    const known = (log: readonly number[], then: { log: readonly number[] }) =>
      log.filter((id) => id <= Math.max(0, ...then.log))
    const expectAt = async (at: number) => {
      const then = states[at] as (typeof states)[number]
      const now = await everything()
      expect({ ...now, log: then.log.length === 0 ? [] : known(now.log, then) }).toEqual(then)
    }
    for (let at = states.length - 2; at >= 0; at--) {
      await mock.undo()
      await expectAt(at)
    }
    await expect(mock.undo()).rejects.toThrow('nothing to undo')
    for (let at = 1; at < states.length; at++) {
      await mock.redo()
      await expectAt(at)
    }
  }
}, 120_000)
