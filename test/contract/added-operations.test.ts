import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectStatus } from '../../src/conformance/expect.js'
import { play } from '../../src/conformance/play.js'
import { openApiDocument } from '../../src/contract/openapi.js'
import { operationMethods } from '../../src/contract/route.js'
import { createMock } from '../../src/mock/create-mock.js'
import { docsPage } from '../../src/pages/docs-page.js'
import { type StartedTarget, startDevServer } from '../conformance/start-dev-server.js'
import { startProduction } from '../conformance/start-production.js'

vi.mock('../../src/contract/operations.js', async (load) => {
  const contract = await load<typeof import('../../src/contract/operations.js')>()
  const { addedOperations } = await import('./added-operations.js')
  const operations = { ...contract.operations, ...addedOperations }
  return { ...contract, operations, operationNames: Object.keys(operations) }
})
vi.mock('../../src/handlers/handlers.js', async (load) => {
  const { handlers } = await load<typeof import('../../src/handlers/handlers.js')>()
  const { addedHandlers } = await import('./added-handlers.js')
  return { handlers: { ...handlers, ...addedHandlers } }
})

describe.each([
  ['the dev server', startDevServer],
  ['production', startProduction],
])('an operation that was added to the table and to the handlers, in %s', (_, start) => {
  let target: StartedTarget
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target.close())

  const send = (method: string, path: string, cookie = target.cookieOf('acme-owner')) =>
    fetch(target.baseUrl + path, { method, headers: { cookie } })
  const idOfProject = async () => (await (await send('GET', '/v1/projects')).json()).projects[0].id

  it('succeeds without a body', async () => {
    const response = await send('DELETE', `/v1/removed/${await idOfProject()}`)
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    for (const absent of ['content-type', 'content-length']) {
      expect(response.headers.has(absent), absent).toBe(false)
    }
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('has the checks and the errors of the table, and its own method', async () => {
    const refused = async (path: string, cookie?: string) => (await send('DELETE', path, cookie)).json()
    expect(await refused('/v1/removed/unknown', '')).toMatchObject({ code: 'AUTH_REQUIRED' })
    expect(await refused('/v1/removed/x', target.cookieOf('acme-viewer'))).toMatchObject({
      code: 'INSUFFICIENT_PERMISSIONS',
    })
    expect(await refused('/v1/removed/%20')).toMatchObject({
      error: 'Name the project to remove: the project id is blank.',
    })
    expect(await refused('/v1/removed/unknown')).toMatchObject({ code: 'PROJECT_NOT_FOUND' })
    const allowed = await send('PUT', '/v1/removed/unknown')
    expect(allowed.headers.get('allow')).toBe('DELETE')
    expect(operationMethods).toContain('DELETE')
  })

  it('has query parameters, which are part of the cache key', async () => {
    const namesOf = async (query: string) => {
      const { projects } = await (await send('GET', `/v1/search?${query}`)).json()
      return projects.map(({ name }: { name: string }) => name)
    }
    const all = await namesOf('text=e')
    expect(all.length).toBeGreaterThan(1)
    expect(await namesOf('text=e&limit=1')).toEqual(all.slice(0, 1))
    expect(await namesOf('limit=1&text=e')).toEqual(all.slice(0, 1))
    expect(await namesOf('text=e&other=x')).toEqual(all)
    expect(await namesOf('text=%F0%9F%8D%8F')).toEqual([])
    expect(await namesOf('text=+')).toEqual(all.filter((name: string) => name.includes(' ')))
    expect(await namesOf('text=e')).toEqual(all)
  })

  it.each([
    ['', 'text'],
    ['?', 'text'],
    ['?text=', 'text'],
    ['?text=a&text=b', 'text'],
    ['?text=a&limit=x', 'limit'],
  ])('refuses query parameters that break their schema: %j', async (query, field) => {
    const response = await send('GET', `/v1/search${query}`)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      error: 'The query parameters are not valid.',
      code: 'VALIDATION_FAILED',
      details: { formErrors: [], fieldErrors: { [field]: [expect.any(String)] } },
    })
    expect((await send('GET', `/v1/search${query}`, '')).status).toBe(401)
  })

  it('is checked by a case of the conformance suite', async () => {
    const outcome = (status: number) =>
      play(target, {
        title: 'A project is removed',
        requirement: '4.3 update a project',
        write: true,
        async play({ send, newProject }) {
          const { id } = await newProject()
          expectStatus(await send({ method: 'DELETE', path: `/v1/removed/${id}`, as: 'owner' }), status)
        },
      })
    expect(await outcome(204)).toEqual({})
    expect((await outcome(200)).failure).toContain('status 204, expected 200')
  })
})

describe('an operation that was added to the table', () => {
  it('is in the OpenAPI document and on the docs page', () => {
    const { paths } = openApiDocument()
    expect(paths['/v1/removed/{projectId}']?.delete?.responses[204]).toEqual({ description: 'Success.' })
    expect(paths['/v1/search']?.get?.parameters).toEqual([
      {
        name: 'text',
        in: 'query',
        required: true,
        description: 'A part of the name.',
        schema: { type: 'string', minLength: 1 },
        example: 'app',
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'How many projects at most.',
        schema: { type: 'string', pattern: '^[1-9]\\d*$' },
        example: '10',
      },
    ])
    expect(Object.keys(paths['/v1/search']?.get?.responses ?? {})).toContain('422')
    const html = docsPage()
    expect(html).toContain('<code>?limit=</code> Optional. How many projects at most.')
    expect(html).toMatch(/curl -i .*\/v1\/search\?text=app/)
    expect(html).toContain('No body.')
  })

  it('is logged by the mock with its query, sent again, and can be given a response', async () => {
    const mock = createMock({ baseUrl: 'http://added.test', session: 'acme-owner' })
    const { getResponse } = await import('msw')
    const send = (method: string, path: string) =>
      getResponse(mock.handlers, new Request(`http://added.test${path}`, { method }))
    const found = await send('GET', '/v1/search?text=e&limit=1')
    expect((await found?.json())?.projects).toHaveLength(1)
    const [{ id = 0, curl = '' } = {}] = await mock.log.read()
    expect(curl).toContain('/v1/search?text=e&limit=1')
    const again = await mock.log.send(id)
    expect(again).toMatchObject({ status: 200, operation: 'findProjects' })
    expect(again.response?.body).toEqual((await mock.log.entry(id)).response?.body)

    await mock.scenarios.set({ target: 'removeProject' as never, response: { status: 204 }, times: null })
    expect((await send('DELETE', '/v1/removed/unknown'))?.status).toBe(204)
  })
})
