import { describe, expect, it } from 'vitest'
import { type OperationName, operationNames, operations } from '../../src/contract/operations.js'
import { outcomesOf } from '../../src/mock/core/outcomes.js'
import { type Store, StoreUnavailableError } from '../../src/store/store.js'
import { startDevServer } from '../conformance/start-dev-server.js'
import { isWhole, listen } from '../server/http/raw-requests.js'
import { demo, lastResponse, openTestApp } from '../server/server-harness.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'
import { undescribed } from './described-response.js'

// The responses that no case of the HTTP suite provokes: those of a service that refuses, fails or is overloaded.

type Injected = {
  statusCode: number
  headers: Record<string, string | string[] | number | undefined>
  body: string
}

const requestOf = (name: OperationName) => {
  const { method, path } = operations[name]
  return { method, path: path.replace(/\{\w+\}/, 'an-id') }
}

const differences = (name: OperationName, { statusCode, headers, body }: Injected) =>
  undescribed(requestOf(name), {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)])),
    text: body,
  })

/** Injects a request of an operation, with a body that is valid for one of them. */
function inject(
  { app }: Pick<ReturnType<typeof openTestApp>, 'app'>,
  name: OperationName,
  headers: Record<string, string> = {},
) {
  const { method, path } = requestOf(name)
  const payload = method === 'GET' ? {} : { payload: { name: 'x', email: 'a@b.example' } }
  return app.inject({ method, url: path, remoteAddress: '10.0.0.1', headers, ...payload })
}

/** A store whose every method fails. */
const failing = (error: Error): Store =>
  new Proxy(createMemoryStore(demo()), {
    get: () => async () => {
      throw error
    },
  })

describe.each(operationNames)('openapi.json describes for %s', (name) => {
  const { method }: { method: string } = operations[name]

  it.each([
    [503, new StoreUnavailableError('down')],
    [500, new Error('a bug')],
  ])('%i of production, if the store fails', async (status, error) => {
    const { cookie } = await openTestApp().signIn()
    const response = await inject(openTestApp({ store: failing(error) }), name, { cookie })
    expect(response.statusCode).toBe(status)
    expect(differences(name, response)).toEqual([])
  })

  it('503 of production, if it is overloaded', async () => {
    const service = openTestApp({ overload: { maxHeapUsedBytes: 1, sampleInterval: 5 } })
    await expect.poll(async () => (await inject(service, name)).statusCode).toBe(503)
    expect(differences(name, await inject(service, name))).toEqual([])
  })

  it.runIf(method !== 'GET')('403 of production, for a page of another site', async () => {
    const response = await inject(openTestApp(), name, { origin: 'https://evil.example' })
    expect(response.statusCode).toBe(403)
    expect(differences(name, response)).toEqual([])
  })

  it('429 of production, as its own response exactly if the rate is limited', async () => {
    const rate = { max: 1, ms: 60_000 }
    const service = openTestApp({ waitlistRate: rate, signInRate: rate, projectsRate: rate })
    const { cookie } = await service.signIn()
    const responses = [await inject(service, name, { cookie }), await inject(service, name, { cookie })]
    for (const response of responses) expect(differences(name, response)).toEqual([])
    const isLimited = responses.some(({ statusCode }) => statusCode === 429)
    expect(isLimited).toBe('rateLimited' in operations[name])
  })

  it.each([
    ['two Host headers', 400, 'host: a\r\nhost: b\r\n\r\n'],
    ['a malformed header', 400, 'host: a\r\nbad header\r\n\r\n'],
    ['too large headers', 431, `host: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a malformed chunk', 400, 'host: a\r\ntransfer-encoding: chunked\r\n\r\nnot a chunk\r\n'],
  ])('the response of production to %s', async (_, status, rest) => {
    const { wire, signIn } = await listen()
    const { cookie } = await signIn()
    const { path } = requestOf(name)
    const { write, until } = await wire()
    write(`${method} ${path} HTTP/1.1\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\n${rest}`)
    const { head, body, status: received } = lastResponse(await until(isWhole))
    expect(received).toBe(status)
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.toLowerCase().split(': ', 2)),
    )
    expect(differences(name, { statusCode: received, headers, body: JSON.stringify(body) })).toEqual([])
  })

  it('every response that can be forced on the mock, and the refusal of wrong ones', async () => {
    const { baseUrl, close } = await startDevServer()
    const { path } = requestOf(name)
    const send = async (headers: Record<string, string>) => {
      const response = await fetch(`${baseUrl}${path}`, { method, headers })
      const sent = Object.fromEntries(response.headers)
      return { statusCode: response.status, headers: sent, body: await response.text() }
    }
    const codes = outcomesOf(name).filter((outcome) => outcome !== 'drop' && outcome !== 'hang')
    expect(codes).toEqual(expect.arrayContaining([...operations[name].errors]))
    for (const code of codes) expect(differences(name, await send({ prefer: `code=${code}` }))).toEqual([])
    expect(differences(name, await send({ prefer: 'code=IMPOSSIBLE' }))).toEqual([])
    expect(differences(name, await send({ 'x-mock-space': '!' }))).toEqual([])
    await close()
  })
})
