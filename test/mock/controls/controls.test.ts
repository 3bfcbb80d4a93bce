import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { operationNames } from '../../../src/contract/operations.js'
import { controlEndpoints } from '../../../src/mock/controls/control-endpoints.js'
import type { ControlInput } from '../../../src/mock/controls/control-table.js'
import { type DevServer, startDevServer } from '../../../src/mock/http/dev-server.js'
import { createMockServer } from '../../../src/mock/node.js'
import { createControlClient } from '../../../src/mock/surfaces/control-client.js'
import { parseState, recordsOf } from '../../../src/store/state-file.js'

// Scenarios, delays, the clock and snapshots. Chaos, data, the history and the log have separate files, and
// ../control.test.ts calls every control over HTTP.

let server: DevServer
let call: ReturnType<typeof createControlClient>['call']
beforeAll(async () => {
  server = await startDevServer({ fixtures: parseState(fixture), port: 0, seed: 7, onError: () => {} })
  call = createControlClient(server.url).call
})
beforeEach(() => server.mock.controls.reset())
afterAll(() => server.close())

const send = async (path: string, init: RequestInit = {}, cookie = 'session=acme-owner') => {
  const headers = { cookie, 'content-type': 'application/json', ...init.headers }
  const response = await fetch(server.url + path, { ...init, headers })
  return { status: response.status, body: await response.json() }
}
const list = (cookie?: string) => send('/v1/projects', {}, cookie)
const names = async (): Promise<string[]> =>
  (await list()).body.projects.map(({ name }: { name: string }) => name)
const create = (name: string, cookie?: string) =>
  send('/v1/projects', { method: 'POST', body: JSON.stringify({ name }) }, cookie)
const reasons = async () => (await call('log')).map(({ status, why }) => [status, why])

describe('the controls', () => {
  it('switch the persona that session=active stands for', async () => {
    const before = await call('sessions')
    expect(before.active).toBe('acme-owner')
    expect(before.sessions[2]).toEqual({
      id: 'acme-viewer',
      email: 'vera@acme.example',
      orgCode: 'org_acme',
      role: 'viewer',
      note: expect.any(String),
    })
    expect((await call('useSession', { id: 'globex-owner' })).active).toBe('globex-owner')
    expect((await list('session=active')).body.projects).toHaveLength(2)
    await expect(call('useSession', { id: 'nobody' })).rejects.toMatchObject({
      message: expect.stringContaining('acme-member'),
      status: 404,
      possible: expect.arrayContaining(['acme-viewer']),
    })
  })

  it('force an outcome a number of times, for one persona', async () => {
    const target = 'createProject'
    const scenario = { target, outcome: 'PROJECT_NAME_TAKEN', times: 2, session: 'acme-owner' }
    expect(await call('setScenario', scenario)).toEqual([scenario])
    expect((await create('Not forced', 'session=acme-member')).status).toBe(201)
    expect((await create('Forced')).body.code).toBe('PROJECT_NAME_TAKEN')
    expect((await call('scenarios'))[0]?.times).toBe(1)
    expect((await create('Forced')).status).toBe(409)
    expect(await call('scenarios')).toEqual([])
    expect((await create('Forced')).status).toBe(201)
  })

  it('prefer the scenario of a persona to one for all, and clear by target', async () => {
    await call('setScenario', { target: 'listProjects', outcome: '503', times: null })
    await call('setScenario', {
      target: 'listProjects',
      outcome: 'AUTH_REQUIRED',
      session: 'acme-viewer',
      times: null,
    })
    await call('setScenario', { target: 'getSession', outcome: '500', times: null })
    expect((await list()).body.code).toBe('SERVICE_UNAVAILABLE')
    expect((await list('session=acme-viewer')).body.code).toBe('AUTH_REQUIRED')
    expect(await call('clearScenarios', { target: 'listProjects' })).toHaveLength(1)
    expect((await list()).status).toBe(200)
    expect(await call('clearScenarios')).toEqual([])
  })

  it('refuse invalid scenarios, and list the valid values', async () => {
    const refused: [ControlInput<'setScenario'>, string][] = [
      [{ target: 'listProjects', outcome: 'PROJECT_NAME_TAKEN' }, 'AUTH_REQUIRED'],
      [{ target: 'listProjects', outcome: '201' }, 'INTERNAL_ERROR'],
      [{ target: 'listProjects' }, 'hang'],
      [{ target: 'nothing', outcome: 'drop' }, 'createProject'],
      [{ target: 'empty', outcome: 'drop' }, 'takes no outcome'],
      // A property of every object; such a name once made each request fail with 500.
      [{ target: 'toString' } as never, 'There is no target or scenario "toString"'],
      // The contract has the status, but no code with it.
      [{ target: 'createProject', outcome: '413' }, 'As a custom response it can'],
      [{ target: 'GET /api/gone', outcome: 503 }, 'takes an outcome once it was requested'],
      [{ target: 'empty', times: 0 }, 'whole number'],
      [{ target: 'empty', session: 'nobody' }, 'acme-owner'],
    ]
    for (const [scenario, message] of refused) {
      await expect(call('setScenario', scenario), JSON.stringify(scenario)).rejects.toThrow(message)
    }
    await expect(call('clearScenarios', { target: 'nothing' })).rejects.toThrow('duplicate-names')
    expect(await call('scenarios')).toEqual([])
    const { operations, named } = await call('possibleScenarios')
    expect(Object.keys(operations)).toEqual(operationNames)
    expect(operations.listProjects).toEqual(expect.arrayContaining(['AUTH_REQUIRED', 'drop', 'hang']))
    expect(Object.keys(named)).toEqual(['empty', 'duplicate-names'])
  })

  it('give a custom response a number of times, for one persona', async () => {
    const body = { projects: [] }
    const scenario = { target: 'listProjects', response: { body }, times: 1, session: 'acme-owner' } as const
    expect(await call('setScenario', scenario)).toEqual([{ ...scenario, response: { status: 200, body } }])
    expect((await list('session=acme-member')).body.projects).toHaveLength(4)
    expect(await list()).toEqual({ status: 200, body })
    expect((await list()).body.projects).toHaveLength(4)
    expect(await reasons()).toEqual([
      [200, 'handler'],
      [200, 'scenario listProjects response 200, next request'],
      [200, 'handler'],
    ])
  })

  it('force an outcome or a response for the next request, unless a number or null is given', async () => {
    const target = 'listProjects'
    expect(await call('setScenario', { target, outcome: 503 })).toMatchObject([{ times: 1 }])
    expect(await call('setScenario', { target, response: { body: { projects: [] } } })).toMatchObject([
      { times: 1 },
    ])
    expect((await call('setScenario', { target, outcome: 503, times: null }))[0]).not.toHaveProperty('times')
    expect((await call('setScenario', { target: 'empty' })).at(-1)).not.toHaveProperty('times')
  })

  it('start the named scenarios: an empty dashboard, and duplicate names', async () => {
    await call('setScenario', { target: 'empty' })
    expect(await names()).toEqual([])
    expect((await send('/v1/auth/me')).body.projects).toEqual([])
    await call('clearScenarios')
    expect(await names()).toHaveLength(4)

    await call('setScenario', { target: 'duplicate-names', times: 1 })
    expect((await create('Free')).status).toBe(201)
    expect((await create('mobile APP')).status).toBe(201)
    expect((await create('mobile APP')).status).toBe(409)
    expect((await names()).filter((name) => name.toLowerCase() === 'mobile app')).toHaveLength(2)
  })

  it('break a connection, and leave one open until the client gives up', async () => {
    await call('setScenario', { target: 'joinWaitlist', outcome: 'drop', times: 1 })
    const join = (init = {}) =>
      send('/v1/waitlist', { method: 'POST', body: '{"email":"a@b.example"}', ...init })
    await expect(join()).rejects.toThrow('fetch failed')
    await call('setScenario', { target: 'joinWaitlist', outcome: 'hang', times: 1 })
    const givesUp = new AbortController()
    const hanging = expect(join({ signal: givesUp.signal })).rejects.toThrow(/abort/)
    await vi.waitFor(async () => expect(await call('log')).toHaveLength(2), { timeout: 10_000 })
    givesUp.abort()
    await hanging
    expect((await join()).status).toBe(200)
    expect(await reasons()).toEqual([
      [0, 'scenario joinWaitlist drop, next request'],
      [0, 'scenario joinWaitlist hang, next request'],
      [200, 'handler'],
    ])
  })

  it('delay responses, with another delay for one operation', async () => {
    expect(await call('setDelay', { ms: '59999-60000' })).toEqual({ all: '59999-60000', operations: {} })
    await call('setDelay', { ms: 0, target: 'getSession' })
    const abort = new AbortController()
    const delayed = send('/v1/projects', { signal: abort.signal })
    await send('/v1/auth/me')
    expect(await call('log')).toMatchObject([{ operation: 'getSession' }])
    abort.abort()
    await expect(delayed).rejects.toThrow()
    // Long before the end of the delay.
    const last = async () => (await reasons()).at(-1)
    await expect.poll(last, { timeout: 20_000 }).toEqual([0, 'the client gave up'])
    expect((await call('delay')).operations).toEqual({ getSession: '0' })
    expect((await call('setDelay', { ms: null, target: 'getSession' })).operations).toEqual({})
    for (const ms of ['x', '5-2', '-1', 60_001, '1.5', '', 0.5]) {
      await expect(call('setDelay', { ms }), String(ms)).rejects.toThrow('is not a delay')
    }
    await expect(call('setDelay', { ms: 1, target: 'nothing' })).rejects.toThrow('createProject')
    expect(await call('delay')).toEqual({ all: '59999-60000', operations: {} })
  })

  it('resolve the session after the delay, and log it', async () => {
    await call('setDelay', { ms: 200 })
    const waiting = send('/v1/auth/me', {}, 'session=active')
    await call('useSession', { id: 'globex-owner' })
    expect((await waiting).body.organization.orgCode).toBe('org_globex')
    expect((await call('log')).map(({ session }) => session)).toEqual(['globex-owner'])
  })

  it('stop the clock, let it tick, and restore the real time', async () => {
    expect(await call('setClock', { at: '2025-05-05T05:05:05+02:00' })).toEqual({
      mode: 'fixed',
      now: '2025-05-05T03:05:05.000Z',
    })
    expect((await create('Then')).body.project.createdAt).toBe('2025-05-05T03:05:05.000Z')
    expect((await list('session=expired')).status).toBe(200)
    const { mode, now } = await call('setClock', { at: '2027-01-01T00:00:00Z', ticking: true })
    expect([mode, now.slice(0, 16)]).toEqual(['ticking', '2027-01-01T00:00'])
    expect((await list('session=expired')).status).toBe(401)
    expect((await call('setClock', { at: '2024-02-29T00:00-01:00' })).now).toBe('2024-02-29T01:00:00.000Z')
    const last = await call('setClock', { at: '9999-12-31T23:59:59.999Z', ticking: true })
    expect(last.now).toBe('9999-12-31T23:59:59.999Z')
    expect((await call('setClock')).mode).toBe('real')
    const others = ['2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z']
    others.push('9999-12-31T23:59:59-05:00')
    for (const at of ['', 'now', '2026-01-01', '2026-01-01T00:00:00', ...others]) {
      await expect(call('setClock', { at }), at).rejects.toThrow('is not a time')
    }
    expect((await call('clock')).mode).toBe('real')
  })

  it('reproduce ids and times after a reset, valid and in order', async () => {
    const createTwo = async () => {
      await call('reset')
      await call('setClock', { at: '2026-01-01T00:00:00Z' })
      return [(await create('One')).body.project, (await create('Two')).body.project]
    }
    const first = await createTwo()
    expect(await createTwo()).toEqual(first)
    expect(first[0].id).toMatch(/^019b76da-a800-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(first[1].id > first[0].id).toBe(true)
    const listed = await names()
    expect(listed.indexOf('Two')).toBeLessThan(listed.indexOf('One'))
  })

  it('save snapshots, return to them, and delete only them', async () => {
    await create('Kept')
    expect(await call('saveSnapshot', { name: 'kept-1.0' })).toEqual(['kept-1.0'])
    await call('reset')
    expect(await names()).not.toContain('Kept')
    await call('loadSnapshot', { name: 'kept-1.0' })
    expect(await names()).toContain('Kept')
    await expect(call('loadSnapshot', { name: 'other' })).rejects.toThrow('kept-1.0')
    for (const name of ['', '.', '..', '../x', 'a/b', 'a\\b', '.hidden', 'a b', 'x'.repeat(65), 'ä']) {
      for (const control of ['saveSnapshot', 'loadSnapshot', 'deleteSnapshot'] as const)
        await expect(call(control, { name }), name).rejects.toThrow('is not a snapshot name')
    }
    await call('saveSnapshot', { name: 'gone' })
    expect(await call('deleteSnapshot', { name: 'gone' })).toEqual(['kept-1.0'])
    expect(await names()).toContain('Kept')
    await expect(call('deleteSnapshot', { name: 'gone' })).rejects.toThrow(/no snapshot "gone".*kept-1\.0/)
    expect(await call('deleteSnapshot', { name: 'kept-1.0' })).toEqual([])
  })

  it('reset everything, including the log', async () => {
    await call('useSession', { id: 'acme-viewer' })
    await call('setScenario', { target: 'empty' })
    await call('setDelay', { ms: 1 })
    await call('setChaos', { errorRate: 0.5 })
    await call('setClock', { at: '2020-01-01T00:00:00Z' })
    await create('Gone')
    await call('reset')
    expect((await call('sessions')).active).toBe('acme-owner')
    expect(await call('scenarios')).toEqual([])
    expect((await call('delay')).all).toBe('0')
    expect(await call('chaos')).toEqual({ operations: {} })
    expect((await call('clock')).mode).toBe('real')
    expect(recordsOf(await call('exportState'))).toEqual(parseState(fixture))
    expect(await call('log')).toEqual([])
    expect((await call('targets')).every(({ hits }) => hits === 0)).toBe(true)
  })
})

it('no two controls have the same method and path', () => {
  const addresses: string[] = Object.values(controlEndpoints)
  expect(new Set(addresses).size).toBe(addresses.length)
})

it('say what was given in place of a value of another type', async () => {
  const { scenarios, delay, chaos, sessions, snapshots } = createMockServer({ baseUrl: 'http://api.test' })
  const wrong = (value: unknown) => value as never
  for (const [act, message] of [
    [() => delay.set(wrong({})), '{} is not a delay'],
    [() => delay.set(5, wrong({ target: 'listProjects' })), 'a target, not {"target":"listProjects"}.'],
    [() => chaos.set({ errorRate: wrong('0.5') }), '"0.5" is not an error rate'],
    [() => chaos.set({ errorRate: 1, seed: wrong({}) }), '{} is not a seed'],
    [() => scenarios.set(wrong('createProject')), 'a target, not undefined.'],
    [
      () => scenarios.set(wrong({ target: 'listProjects', outcome: { status: 500 } })),
      'answer {"status":500}.',
    ],
    [() => scenarios.set(wrong({ target: 'listProjects', outcome: 500, times: {} })), 'times is {};'],
    [() => sessions.use(wrong({ id: 'acme-owner' })), 'no persona {"id":"acme-owner"}.'],
    [() => snapshots.load(wrong({})), '{} is not a snapshot name'],
  ] as const) {
    await expect(act()).rejects.toThrow(message)
  }
})
