import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer as createVite } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import demo from '../../fixtures/demo.json' with { type: 'json' }
import { connectToMock } from '../../src/mock/control.js'
import { startDevServer } from '../../src/mock/http/dev-server.js'
import type { LogEntry } from '../../src/mock/log/log-entry.js'
import { createMockServer } from '../../src/mock/node.js'
import { dashboardApi } from '../../src/mock/vite.js'
import { parseState } from '../../src/store/state-file.js'
import { handlers, recipes } from './msw-recipes.js'

const file = join(import.meta.dirname, 'msw-recipes.js')

type Started = { url: string; close(): Promise<void>; log(): Promise<readonly LogEntry[]> }

const starts = {
  async dev() {
    const { url, close } = await startDevServer({
      fixtures: parseState(demo),
      port: 0,
      handlers: file,
      onError: () => {},
    })
    return { url, close, log: connectToMock(url).log.read }
  },
  async plugin() {
    const server = await createVite({
      configFile: false,
      root: import.meta.dirname,
      logLevel: 'silent',
      server: { port: 0, host: '127.0.0.1' },
      plugins: [dashboardApi({ handlers: file })],
    })
    await server.listen()
    const [url = ''] = server.resolvedUrls?.local ?? []
    const { origin } = new URL(url)
    return { url: origin, close: () => server.close(), log: connectToMock(origin).log.read }
  },
  async Node() {
    const real = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.statusCode = /^\/v1|passed/.test(request.url ?? '') ? 200 : 404
      response.end('{"real":"the network"}')
    })
    await new Promise<void>((done) => real.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(real.address() as AddressInfo).port}`
    const mock = createMockServer({ baseUrl: url, handlers })
    mock.listen({ onUnhandledRequest: 'bypass' })
    return {
      url,
      log: mock.log.read,
      async close() {
        mock.close()
        real.close()
      },
    }
  },
}

describe.each(['dev', 'plugin', 'Node'] as const)('the recipes of MSW in %s', (mode) => {
  let started: Started
  beforeAll(async () => {
    started = await starts[mode]()
  })
  afterAll(() => started.close())
  const call = (path: string, init?: RequestInit) =>
    fetch(started.url + path, { ...init, headers: { cookie: 'session=acme-owner', ...init?.headers } })

  it.for(Object.entries(recipes))('%s', async ([name, { play, result, ...of }], { skip }) => {
    const { playServed = play, served = result, notByMsw } = of
    // MSW refuses handlers of events without EventSource.
    const needed = name.startsWith('server-sent')
      ? 'EventSource'
      : name === 'a WebSocket'
        ? 'WebSocket'
        : 'fetch'
    const missing = needed in globalThis ? undefined : `This Node has no ${needed}`
    const refused = missing ?? notByMsw
    if (mode === 'Node') skip(refused !== undefined, refused)
    if (mode === 'Node') expect(await play(call)).toEqual(result)
    else expect(await playServed(call)).toEqual(served)
  })

  it('a client that does not wait for its handler is logged', async () => {
    await recipes['an infinite delay']?.play(call)
    const last = async () => (await started.log()).at(-1)
    await expect.poll(last).toMatchObject({ path: '/recipes/never', status: 0, why: 'the client gave up' })
  })
})
