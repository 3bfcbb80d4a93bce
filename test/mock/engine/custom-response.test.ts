import { describe, expect, it } from 'vitest'
import openapi from '../../../openapi.json' with { type: 'json' }
import { type OperationName, operationNames, operations } from '../../../src/contract/operations.js'
import { createMock } from '../../../src/mock/create-mock.js'
import { type CustomResponse, responseSchema, statusesOf } from '../../../src/mock/engine/custom-response.js'

type Described = {
  content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>
}

/** The examples of an operation's responses in the OpenAPI document, by status. */
function described(name: OperationName): [status: number, example: unknown][] {
  const { path, method } = operations[name]
  const paths = openapi.paths as unknown as Record<
    string,
    Record<string, { responses: Record<string, Described & { $ref?: string }> }>
  >
  const shared = openapi.components.responses as unknown as Record<string, Described>
  return Object.entries(paths[path]?.[method.toLowerCase()]?.responses ?? {}).flatMap(
    ([status, response]) => {
      const { content = {} } = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response
      return Object.values(content).flatMap(({ example, examples = {} }) =>
        [example, ...Object.values(examples).map(({ value }) => value)]
          .filter((value) => value !== undefined)
          .map((value): [number, unknown] => [status === 'default' ? 400 : Number(status), value]),
      )
    },
  )
}

describe.each(operationNames)('a custom response for %s', (name) => {
  it('may be any of the examples of the OpenAPI document', () => {
    const examples = described(name)
    expect(examples.length).toBeGreaterThan(3)
    for (const [status, example] of examples) {
      expect(statusesOf(name)).toContain(status)
      expect(
        responseSchema(name, status)?.safeParse(example).error,
        `${status} ${JSON.stringify(example)}`,
      ).toBe(undefined)
    }
  })

  it('must have the error body of a failure, with a code of its status', () => {
    for (const status of statusesOf(name).filter((status) => status >= 400)) {
      const schema = responseSchema(name, status)
      expect(schema?.safeParse({}).success, String(status)).toBe(false)
      const other = { error: 'x', code: 'NOT_FOUND', docsUrl: 'https://x.example' }
      expect(schema?.safeParse(other).success, String(status)).toBe(false)
    }
  })
})

const baseUrl = 'http://own.test'
const request = async (
  mock: ReturnType<typeof createMock>,
  path = '/v1/projects',
  init: RequestInit = {},
) => {
  const { getResponse } = await import('msw')
  const response = await getResponse(mock.handlers, new Request(baseUrl + path, init))
  if (!response) throw new Error('There is no response.')
  return response
}

describe('a custom response', () => {
  it.each<[string, CustomResponse, RegExp]>([
    [
      'a missing field',
      { body: { projects: [{ id: 'a' }] } },
      /status 200 of listProjects.*projects\[0\]\.name: /,
    ],
    ['another field', { body: { projects: [], next: 1 } }, /the body: .*"next"/],
    ['many faults', { body: { projects: Array(20).fill(1) } }, /projects\[9\]: [^;]*; and 10 more$/],
    [
      'a status of another operation',
      { status: 201, body: {} },
      /no response with status 201.*Possible: 200, 400, 401/,
    ],
    ['another code', { status: 401, body: { error: 'a', code: 'NOT_FOUND', docsUrl: 'http://a' } }, /code: /],
    ['neither body nor text', { status: 200 }, /either a body/],
    ['a body that JSON does not have', { body: () => 1 }, /either a body/],
    [
      'a body that is nested too deep',
      { body: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) },
      /as JSON/,
    ],
    ['body and text', { body: 1, text: '', unchecked: true }, /either a body/],
    ['a text that is checked', { text: '{"projects":[' }, /add unchecked/],
    ['a status without a body', { status: 204, body: 1, unchecked: true }, /status 204: give one from 200/],
    ['an impossible status', { status: 99, body: 1, unchecked: true }, /status 99/],
  ])('is refused with %s, and changes nothing', async (_, response, message) => {
    const mock = createMock({ baseUrl })
    await expect(mock.scenarios.set({ target: 'listProjects', response, times: null })).rejects.toThrow(
      message,
    )
    expect(await mock.scenarios.list()).toEqual([])
  })

  it('cannot be combined with an outcome or a named scenario', async () => {
    const mock = createMock({ baseUrl })
    const set = (scenario: object) => mock.scenarios.set(scenario as never)
    const response = { body: { projects: [] } }
    await expect(set({ target: 'listProjects', outcome: 'drop', response })).rejects.toThrow('not both')
    await expect(set({ target: 'empty', response })).rejects.toThrow('takes no outcome')
    await expect(set({ target: 'empty', times: 0 })).rejects.toThrow('whole number')
    await expect(set({ target: 'listProjects', response: null })).rejects.toThrow('{ body: … }')
  })

  it('is sent as it was set, even if the body changes afterwards, and before every check', async () => {
    const mock = createMock({ baseUrl })
    const body = { projects: [] as unknown[] }
    const [set] = await mock.scenarios.set({ target: 'listProjects', response: { body }, times: null })
    body.projects.push(1)
    ;(set as { response: { body: typeof body } }).response.body.projects.push(2)
    const response = await request(mock)
    expect([response.status, await response.json()]).toEqual([200, { projects: [] }])
    const head = await request(mock, '/v1/projects', { method: 'HEAD' })
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['15', ''])
  })

  it('replaces a forced outcome of the operation, and is replaced by one', async () => {
    const mock = createMock({ baseUrl })
    await mock.scenarios.set({ target: 'listProjects', outcome: 'AUTH_REQUIRED', times: null })
    await mock.scenarios.set({ target: 'empty' })
    expect(
      await mock.scenarios.set({ target: 'listProjects', response: { body: { projects: [] } }, times: null }),
    ).toHaveLength(2)
    expect((await request(mock)).status).toBe(200)
    await mock.scenarios.set({ target: 'listProjects', outcome: 'RATE_LIMITED', times: null })
    expect((await request(mock)).status).toBe(429)
  })

  it('may be broken on purpose: not JSON, another form, a status that is not in the contract', async () => {
    const mock = createMock({ baseUrl })
    const set = (response: CustomResponse) =>
      mock.scenarios.set({ target: 'listProjects', response: { ...response, unchecked: true }, times: null })
    await set({ text: '{"projects":[' })
    const cut = await request(mock)
    expect([cut.headers.get('content-type'), await cut.text()]).toEqual([
      'application/json; charset=utf-8',
      '{"projects":[',
    ])
    await set({ status: 418, body: null })
    const other = await request(mock)
    expect([other.status, await other.text()]).toEqual([418, 'null'])
    expect((await mock.log.read()).at(-1)?.why).toBe('scenario listProjects unchecked response 418')
  })

  it.each([429, 503])('has Retry-After with status %i, as in the contract', async (status) => {
    const mock = createMock({ baseUrl })
    const code = status === 429 ? 'RATE_LIMITED' : 'SERVICE_UNAVAILABLE'
    const body = { error: 'Later', code, docsUrl: 'https://docs.example' }
    await mock.scenarios.set({ target: 'listProjects', response: { status, body }, times: null })
    const response = await request(mock)
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, '1'])
    expect(await response.json()).toEqual(body)
  })
})
