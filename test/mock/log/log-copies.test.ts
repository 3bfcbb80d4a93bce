import { createClient } from 'dashboard-api/client'
import { createMockServer } from 'dashboard-api/node'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fetchCall } from '../../../src/mock/log/fetch-call.js'

const baseUrl = 'http://copies.test'
const mock = createMockServer({ baseUrl, session: 'acme-owner' })
const api = createClient({ baseUrl })
beforeAll(() => mock.listen({ onUnhandledRequest: 'bypass' }))
afterAll(() => mock.close())
beforeEach(async () => {
  await mock.reset()
  await mock.log.clear()
})

const lastEntry = async () => mock.log.entry((await mock.log.read()).at(-1)?.id ?? 0)

/** Runs code with variables, and returns its value. */
const evaluate = async (code: string, variables: Record<string, unknown>): Promise<unknown> =>
  new Function(...Object.keys(variables), `return (async () => { ${code} })()`)(...Object.values(variables))

/** Runs the test of an entry, from the initial state. */
async function runTest(code = ''): Promise<void> {
  await mock.reset()
  let run = async () => {}
  await evaluate(code, { mock, expect, it: (_: string, body: () => Promise<void>) => (run = body) })
  await run()
}

describe('the test of an entry', () => {
  it('sends the request, and expects the constant parts of the response', async () => {
    await api.projects.create({ name: "It's", description: 'A\nB' })
    expect((await lastEntry()).test).toBe(`it('createProject: 201', async () => {
  await mock.session.use('acme-owner')
  const response = await fetch('http://copies.test/v1/projects', {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"It\\'s","description":"A\\\\nB"}',
  })
  expect(response.status).toBe(201)
  expect(await response.json()).toMatchObject({
    project: { name: 'It\\'s', description: 'A\\nB', status: 'active', teamId: 'team-acme' },
  })
})`)
  })

  it('passes again with the same state, whatever the request and the response are', async () => {
    const { projects } = await mock.state.export()
    const id = projects.find(({ teamId }) => teamId === 'team-acme')?.id ?? ''
    const requests: [() => Promise<unknown>, string?][] = [
      [() => api.projects.create({ name: 'New' })],
      [() => api.projects.create({ name: '' })],
      [() => api.projects.list()],
      [() => api.projects.update(id, { status: 'paused' })],
      [() => api.projects.update('a/b', {})],
      [() => api.session.get()],
      [() => api.waitlist.join('a@example.com')],
      [() => api.waitlist.join('nothing')],
      [() => api.projects.create({ name: 'New' }), 'acme-viewer'],
      [() => api.projects.list(), 'expired'],
      [() => api.projects.list({ headers: { prefer: 'code=503' } })],
    ]
    for (const [request, persona = 'acme-owner'] of requests) {
      await mock.reset()
      await mock.session.use(persona)
      await request()
      await runTest((await lastEntry()).test)
    }
    await mock.session.signOut()
    await api.projects.list()
    const { test } = await lastEntry()
    expect(test).toContain('mock.session.signOut()')
    await runTest(test)
  })

  it('forces the outcome that was forced, and fails with another response', async () => {
    await mock.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: null })
    await api.projects.create({ name: 'New' })
    const { test = '' } = await lastEntry()
    await runTest(test)
    await expect(runTest(test.replace(/await mock\.scenarios.*/, ''))).rejects.toThrow(/expected/)
  })

  it('forces a custom response, and the effect of chaos', async () => {
    const requests: [Parameters<typeof mock.scenarios.set>[0] | undefined, string][] = [
      [{ target: 'listProjects', response: { body: { projects: [] } } }, 'response: { status: 200, body:'],
      [undefined, "outcome: 'SERVICE_UNAVAILABLE', times: 1"],
    ]
    for (const [scenario, expected] of requests) {
      await mock.reset()
      await (scenario
        ? mock.scenarios.set(scenario)
        : mock.chaos.set({ errorRate: 1, outcomes: ['SERVICE_UNAVAILABLE'] }))
      await api.projects.list()
      const { test = '' } = await lastEntry()
      expect(test).toContain(expected)
      await runTest(test)
      const unforced = test.replace(/await mock\.scenarios.*?(?=const response)/s, '')
      await expect(runTest(unforced)).rejects.toThrow(/expected/)
    }
  })

  it('repeats requests and responses that the typed client cannot send or read', async () => {
    await fetch(`${baseUrl}/v1/projects`, { method: 'POST', body: 'no JSON' })
    await runTest((await lastEntry()).test)
    await fetch(`${baseUrl}/v1/projects`, { method: 'HEAD' })
    await runTest((await lastEntry()).test)
    for (const response of [{ body: [] }, { text: '{"proj' }, { status: 500, body: { code: 'ANOTHER' } }]) {
      await mock.scenarios.set({
        target: 'listProjects',
        response: { ...response, unchecked: true },
        times: null,
      })
      await fetch(`${baseUrl}/v1/projects`)
      await runTest((await lastEntry()).test)
    }
  })

  it('is absent if there was no response', async () => {
    await mock.scenarios.set({ target: 'listProjects', outcome: 'drop', times: null })
    await expect(api.projects.list()).rejects.toThrow()
    expect((await lastEntry()).test).toBeUndefined()
  })
})

describe('the call of fetch of an entry', () => {
  it('repeats the request', async () => {
    await api.projects.create({ name: 'Apollo' })
    const entry = await lastEntry()
    const { fetch: call } = entry
    expect(call).toBe(`await fetch('http://copies.test/v1/projects', {
  method: 'POST',
  credentials: 'include',
  headers: { 'content-type': 'application/json', 'cookie': 'session=active' },
  body: '{"name":"Apollo"}',
})`)
    await evaluate(call, {})
    expect(await lastEntry()).toMatchObject({ id: entry.id + 1, status: 409, session: 'acme-owner' })
  })

  it('preserves any body, without control characters', async () => {
    const bodies = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }).map((text) => new TextEncoder().encode(text)),
      fc.uint8Array({ minLength: 1 }),
    )
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const call = fetchCall({ method: 'POST', url: baseUrl, headers: {}, body })
        expect(call.replaceAll('\n', '')).not.toMatch(/\p{Cc}|[\u2028-\u202e\u2066-\u2069]/u)
        let sent: BodyInit | null | undefined
        await evaluate(call, { fetch: async (_: string, init: RequestInit) => (sent = init.body) })
        expect(new Uint8Array(await new Response(sent).arrayBuffer())).toEqual(body)
      }),
      { numRuns: 100 },
    )
  })
})

// Every required field of HAR 1.2: http://www.softwareishard.com/blog/har-12-spec/
const pairs = z.array(z.strictObject({ name: z.string(), value: z.string() }))
const message = {
  httpVersion: z.string().min(1),
  cookies: pairs,
  headers: pairs,
  headersSize: z.int().min(-1),
  bodySize: z.int().min(-1),
}
const phase = z.number().min(-1)
const entry = z.strictObject({
  startedDateTime: z.iso.datetime(),
  time: z.number().min(0),
  request: z.strictObject({
    method: z.string().min(1),
    url: z.url(),
    queryString: pairs,
    ...message,
    postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
  }),
  response: z.strictObject({
    status: z.int(),
    statusText: z.string(),
    redirectURL: z.string(),
    ...message,
    content: z.strictObject({ size: z.int().min(0), mimeType: z.string(), text: z.string().optional() }),
  }),
  cache: z.strictObject({}),
  timings: z.strictObject({
    blocked: phase,
    dns: phase,
    connect: phase,
    send: z.number().min(0),
    wait: z.number().min(0),
    receive: z.number().min(0),
    ssl: phase,
  }),
  comment: z.string(),
  _resourceType: z.literal('fetch'),
})
const Har = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string().min(1), version: z.string().min(1) }),
    entries: z.array(entry),
  }),
})

describe('the log as an HTTP Archive', () => {
  it('has every field of HAR 1.2, for requests with and without body and response', async () => {
    await api.projects.create({ name: 'Äpfel' })
    await api.projects.list()
    await mock.scenarios.set({ target: 'listProjects', outcome: 'drop', times: null })
    await expect(api.projects.list()).rejects.toThrow()
    const { log } = Har.parse(JSON.parse(JSON.stringify(await mock.log.har())))
    expect(log.entries.map(({ response }) => response.status)).toEqual([201, 200, 0])
    const [created] = log.entries
    expect(created?.request).toMatchObject({
      method: 'POST',
      url: 'http://copies.test/v1/projects',
      cookies: [{ name: 'session', value: 'active' }],
      postData: { mimeType: 'application/json', text: '{"name":"Äpfel"}' },
    })
    expect(JSON.parse(created?.response.content.text ?? '')).toMatchObject({ project: { name: 'Äpfel' } })
    expect(created?.response.content.mimeType).toMatch(/^application\/json/)
    // The time of the start of the request, not of the reply.
    expect(Date.parse(created?.startedDateTime ?? '')).toBeLessThanOrEqual(Date.now())
    expect(created?.timings.wait).toBe(created?.time)
  })
})
