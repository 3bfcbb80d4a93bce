import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { createMockApi } from '../../../src/mock/mock-api.js'
import { parseState, type State, StateError } from '../../../src/store/state-file.js'

const fixtures = parseState(demo)

function start(state: State = fixtures) {
  const mock = createMockApi({ fixtures: state, baseUrl: 'http://mock.test' })
  const { controls } = mock
  const request = async (path: string, init: RequestInit = {}, session = 'acme-owner') => {
    const headers = { cookie: `session=${session}`, 'content-type': 'application/json' }
    return getResponse(mock.handlers, new Request(`http://mock.test${path}`, { ...init, headers }))
  }
  const create = (name: string) => request('/v1/projects', { method: 'POST', body: JSON.stringify({ name }) })
  /** Everything that a file has, without ids of requests. */
  const everything = async () => JSON.parse(JSON.stringify(await controls.state.export())) as State
  return { controls, request, create, everything }
}

/** A mock in which every part differs from the start. */
async function busy() {
  const mock = start()
  const { controls, create, request } = mock
  await create('Roadmap')
  await request('/v1/projects', { method: 'POST', body: new Uint8Array([0xff, 0]) })
  await controls.sessions.use('acme-viewer')
  await controls.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 2 })
  await controls.scenarios.set({
    target: 'listProjects',
    outcome: 503,
    times: null,
    session: 'acme-member',
  } as never)
  await controls.delay.set('1-2', 'getSession')
  await controls.chaos.set({ errorRate: 0.5, seed: 3, target: 'joinWaitlist' })
  await controls.clock.set({ at: '2026-01-01T00:00:00Z' })
  await controls.snapshots.save('before')
  return mock
}

it('a file has the whole state, and another mock that loads it is the same', async () => {
  const source = await busy()
  const file = await source.everything()
  expect(Object.keys(file.mock ?? {})).toEqual([
    ...['persona', 'forced', 'delay', 'chaos', 'clock', 'snapshots', 'log'],
  ])
  expect(file.mock?.log?.map(({ exchange }) => exchange.request.body)).toEqual([
    { length: 18, text: '{"name":"Roadmap"}' },
    { length: 2, base64: '/wA=' },
  ])
  const target = start()
  await target.controls.state.load(file)
  expect(await target.everything()).toEqual(file)
  // The log can be read, and its requests sent again.
  const { log } = target.controls
  expect((await log.entry(1)).request.body?.text).toBe('{"name":"Roadmap"}')
  expect((await log.entry(1)).changes).toBeUndefined()
  await expect(log.rewind(1)).rejects.toThrow('are not stored')
  const { rewindableFrom = 0 } = await target.controls.history()
  expect(rewindableFrom).toBeGreaterThan((await log.read()).at(-1)?.id ?? 0)
  expect((await target.create('Another'))?.status).toBe(409)
  expect((await target.request('/v1/projects', {}, 'acme-member'))?.status).toBe(503)
})

it('a load is one step, which undo takes back with every part, and redo makes again', async () => {
  const file = await (await busy()).everything()
  const target = start()
  await target.create('Own')
  await target.controls.scenarios.set({ target: 'empty' })
  await target.controls.snapshots.save('before')
  const before = await target.everything()
  const { step } = await target.controls.run('loadState', file)
  expect(step).toMatchObject({ done: 'A state was loaded.' })
  expect(await target.everything()).toEqual(file)
  await target.controls.undo(step?.id)
  expect(await target.everything()).toEqual(before)
  await target.controls.redo(step?.id)
  expect(await target.everything()).toEqual(file)
})

it('is a fixture: a mock starts with it, and a reset returns to it, with an empty log', async () => {
  const file = parseState(await (await busy()).everything())
  const mock = start(file)
  expect(await mock.everything()).toEqual(JSON.parse(JSON.stringify(file)))
  await mock.controls.scenarios.clear()
  await mock.controls.delay.set(null)
  await mock.controls.clock.set()
  await mock.controls.reset()
  const { log: _, ...others } = file.mock ?? {}
  expect((await mock.everything()).mock).toEqual(JSON.parse(JSON.stringify(others)))
})

it('a file without the part of the mock replaces the records alone', async () => {
  const mock = await busy()
  const before = await mock.everything()
  await mock.controls.state.load({ ...fixtures, waitlist: [] })
  const after = await mock.everything()
  expect(after.mock).toEqual(before.mock)
  expect(after.projects).toEqual(fixtures.projects)
})

it.each([
  ['mock.forced[1]', { forced: [{ target: 'empty' }, { target: 'dropProjects', outcome: 500 }] }],
  ['mock.forced[0]', { forced: [{ target: 'listProjects', outcome: 'PROJECT_NAME_TAKEN' }] }],
  ['mock.forced[0].session', { forced: [{ target: 'empty', session: 'nobody' }] }],
  ['mock.persona', { persona: 'nobody' }],
  ['mock.delay', { delay: { all: 'slow', operations: {} } }],
  ['mock.chaos', { chaos: { operations: { listProjects: { errorRate: 7 } } } }],
  ['mock.clock', { clock: { at: 'yesterday' } }],
  ['mock.snapshots.a b', { snapshots: { 'a b': { version: 1 } } }],
  ['mock.snapshots.old.version', { snapshots: { old: { version: 2 } } }],
  ['mock.log[0].method', { log: [{}] }],
  ['mock', { forcd: [] }],
])('refuses a bad part with its path, %s, and loses nothing', async (path, part) => {
  const mock = await busy()
  const before = await mock.everything()
  const refusal = await mock.controls.state.load({ ...demo, mock: part }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StateError)
  expect((refusal as StateError).faults.map((fault) => fault.path)).toContain(path)
  expect(await mock.everything()).toEqual(before)
})
