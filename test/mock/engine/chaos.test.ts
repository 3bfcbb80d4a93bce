import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { type OperationName, operationNames } from '../../../src/contract/operations.js'
import { createMock, type HandlerOptions } from '../../../src/mock/create-mock.js'
import { type ChaosDraw, createChaos } from '../../../src/mock/engine/chaos.js'
import { createTargets } from '../../../src/mock/engine/targets.js'
import { recordsOf } from '../../../src/store/state-file.js'

const baseUrl = 'http://chaos.test'

/** Draws the outcomes of a number of requests to an operation. */
const drawMany = (
  chaos: ReturnType<typeof createChaos>,
  count: number,
  operation: OperationName = 'listProjects',
) => Array.from({ length: count }, () => chaos.draw(operation) as ChaosDraw)

describe('chaos', () => {
  it('draws failures at its error rate, of every outcome, and delays over the whole range', () => {
    const drawn = drawMany(
      createChaos(createTargets(), { errorRate: 0.1, delay: '200-209', seed: 7 }),
      20_000,
    )
    const failed = drawn.filter(({ outcome }) => outcome)
    // Four standard deviations of a binomial distribution: 170.
    expect(Math.abs(failed.length - 2000)).toBeLessThan(170)
    const unavailable = failed.filter(({ outcome }) => outcome === 'SERVICE_UNAVAILABLE').length
    expect(Math.abs(unavailable / failed.length - 0.5)).toBeLessThan(0.05)
    const delays = drawn.map(({ delay = -1 }) => delay)
    expect([...new Set(delays)].sort()).toEqual([200, 201, 202, 203, 204, 205, 206, 207, 208, 209])
    expect(Math.abs(delays.filter((ms) => ms === 204).length - 2000)).toBeLessThan(170)
  })

  it('repeats its draws with the same seed, and draws other outcomes with another seed', () => {
    const draws = (seed: number) =>
      drawMany(createChaos(createTargets(), { errorRate: 0.5, delay: '0-999', seed }), 100)
    expect(draws(7)).toEqual(draws(7))
    const differ = draws(7).filter(({ delay }, i) => delay !== draws(8)[i]?.delay)
    expect(differ.length).toBeGreaterThan(90)
  })

  it('draws for each operation separately: requests to others do not matter', () => {
    const alone = drawMany(createChaos(createTargets(), { errorRate: 0.5, seed: 7 }), 50)
    const chaos = createChaos(createTargets(), { errorRate: 0.5, seed: 7 })
    const among = alone.map(() => {
      drawMany(chaos, 3, 'getSession')
      return chaos.draw('listProjects')
    })
    expect(among).toEqual(alone)
    const outcomes = operationNames.map((name) =>
      drawMany(chaos, 30, name)
        .map(({ outcome }) => outcome)
        .join(),
    )
    expect(new Set(outcomes).size).toBe(operationNames.length)
  })

  it('fails the same requests, and more, with a higher error rate', () => {
    const failing = (errorRate: number) =>
      drawMany(createChaos(createTargets(), { errorRate, seed: 7 }), 200).flatMap(({ outcome }, i) =>
        outcome ? [i] : [],
      )
    expect(failing(0)).toEqual([])
    expect(failing(1)).toHaveLength(200)
    expect(failing(0.3)).toEqual(expect.arrayContaining(failing(0.1)))
  })

  it('uses the profile of one operation instead of that of all', () => {
    const chaos = createChaos(createTargets(), { errorRate: 1, seed: 7 })
    chaos.set({ errorRate: 0 }, 'listProjects')
    expect(chaos.draw('listProjects')?.outcome).toBeUndefined()
    expect(chaos.draw('getSession')?.outcome).toBeDefined()
    expect(chaos.draw('GET /v1/nothing')).toBeUndefined()
    chaos.clear('listProjects')
    expect(chaos.draw('listProjects')?.outcome).toBeDefined()
    chaos.set({ errorRate: 1 }, 'createProject')
    chaos.clear()
    expect(chaos.get()).toEqual({ operations: {} })
    expect(chaos.draw('listProjects')).toBeUndefined()
  })

  it('uses the seed of the mock, else a seed that it shows', () => {
    expect(createChaos(createTargets(), { errorRate: 1 }, 3).get().all?.seed).toBe(3)
    const { seed = -1 } = createChaos(createTargets(), { errorRate: 1 }).get().all ?? {}
    expect(seed).toBeGreaterThanOrEqual(0)
    expect(createChaos(createTargets(), { errorRate: 1, seed }).get().all?.seed).toBe(seed)
  })

  it.each<[Parameters<ReturnType<typeof createChaos>['set']>[0], RegExp, string?]>([
    [{}, /error rate from 0 to 1, a delay, or both/],
    [{ errorRate: 1.1 }, /1.1 is not an error rate/],
    [{ errorRate: Number.NaN }, /NaN is not an error rate/],
    [{ errorRate: '0.1' as never }, /"0.1" is not an error rate/],
    [{ delay: '5-2' }, /"5-2" is not a delay/],
    [{ errorRate: 0.1, seed: -1 }, /-1 is not a seed/],
    [{ errorRate: 0.1, seed: 1.5 }, /1.5 is not a seed/],
    [{ errorRate: 0.1, outcomes: [] }, /a list of at least one/],
    [{ errorRate: 0.1, outcomes: ['PROJECT_NAME_TAKEN'] }, /Not every operation.*INTERNAL_ERROR.*drop/],
    [{ errorRate: 0.1, outcomes: ['PROJECT_NOT_FOUND'] }, /createProject cannot answer/, 'createProject'],
    [{ errorRate: 0.1 }, /There is no target "nothing"/, 'nothing'],
  ])('refuses %j, and does not change', (setting, message, operation) => {
    const chaos = createChaos(createTargets(), { errorRate: 0.5, seed: 1 })
    const before = chaos.get()
    expect(() => chaos.set(setting, operation as OperationName)).toThrow(message)
    expect(chaos.get()).toEqual(before)
    expect(() => createChaos(createTargets(), operation === undefined ? setting : { errorRate: 2 })).toThrow()
  })
})

describe('a mock with chaos', () => {
  const start = (options: HandlerOptions) => {
    const mock = createMock({ baseUrl, session: 'acme-owner', ...options })
    const get = async (path: string, init?: RequestInit) =>
      (await getResponse(mock.handlers, new Request(baseUrl + path, init)))?.status
    return { mock, get }
  }
  const many = async (get: (path: string) => Promise<number | undefined>, count = 20) => {
    const statuses: unknown[] = []
    for (let i = 0; i < count; i++) statuses.push(await get('/v1/projects'))
    return statuses
  }

  it('repeats its failures after a reset, which restores the profile of the options', async () => {
    const chaos = { errorRate: 0.5, seed: 7 }
    const { mock, get } = start({ chaos })
    const first = await many(get)
    expect(new Set(first)).toEqual(new Set([200, 500, 503]))
    await mock.chaos.set({ errorRate: 0, target: 'listProjects' })
    await mock.reset()
    expect(await mock.chaos.get()).toEqual({ all: expect.objectContaining(chaos), operations: {} })
    expect(await many(get)).toEqual(first)
  })

  it('counts every request to the operation, but Prefer and scenarios take precedence', async () => {
    const { mock, get } = start({ chaos: { errorRate: 1, outcomes: ['SERVICE_UNAVAILABLE'], seed: 7 } })
    expect(await get('/v1/projects', { headers: { prefer: 'code=401' } })).toBe(401)
    await mock.scenarios.set({ target: 'listProjects', outcome: 'RATE_LIMITED', times: 1 })
    expect(await get('/v1/projects')).toBe(429)
    await mock.scenarios.set({ target: 'listProjects', response: { body: { projects: [] } }, times: 1 })
    expect(await get('/v1/projects')).toBe(200)
    await mock.scenarios.set({ target: 'empty', times: 1 })
    expect(await get('/v1/projects')).toBe(503)
    expect(await mock.scenarios.list()).toHaveLength(1)
    expect((await mock.log.read()).at(-1)?.why).toBe('chaos SERVICE_UNAVAILABLE, request 4 of seed 7')
    expect(await get('/v1/nothing')).toBe(404)
  })

  it('changes nothing with a request that fails', async () => {
    const { mock, get } = start({ chaos: { errorRate: 1 } })
    const before = recordsOf(await mock.state.export())
    const body = '{"name":"New"}'
    const headers = { 'content-type': 'application/json' }
    expect(await get('/v1/projects', { method: 'POST', headers, body })).toBeGreaterThanOrEqual(500)
    expect(recordsOf(await mock.state.export())).toEqual(before)
  })

  it('delays by its own range; other requests have the ordinary delay', async () => {
    const { mock, get } = start({ delay: 60_000, chaos: { delay: 1, seed: 7 } })
    expect(await get('/v1/projects')).toBe(200)
    await mock.chaos.set({ errorRate: 0, target: 'listProjects' })
    const abort = new AbortController()
    const delayed = get('/v1/projects', { signal: abort.signal })
    expect(await get('/v1/auth/me')).toBe(200)
    abort.abort()
    await delayed
    expect((await mock.log.read()).map(({ operation, why }) => [operation, why])).toEqual([
      ['listProjects', 'handler'],
      ['getSession', 'handler'],
      ['listProjects', 'the client gave up'],
    ])
  })

  it('breaks connections only if that is set', async () => {
    const { mock, get } = start({ chaos: { errorRate: 1, outcomes: ['drop'] } })
    expect(await get('/v1/projects')).toBe(0)
    expect((await mock.log.read())[0]).toMatchObject({
      status: 0,
      why: expect.stringMatching(/^chaos drop,/),
    })
  })

  it('draws once for a request that several handlers receive', () => {
    const chaos = createChaos(createTargets(), { errorRate: 1, delay: 0, seed: 7 })
    const request = {}
    expect(chaos.draw('getSession', request)).toMatchObject({ delay: 0, outcome: expect.any(String) })
    expect(chaos.draw('listProjects', request)).toBeUndefined()
    expect(chaos.draw('listProjects', {})).toHaveProperty('outcome')
  })
})
