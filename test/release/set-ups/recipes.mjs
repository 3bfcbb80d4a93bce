// The recipes of MSW's documentation, which test/mock/msw-recipes.js has, in Node and in both servers of the mock.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { createMockServer } from 'dashboard-api/node'
import { dashboardApi } from 'dashboard-api/vite'
import { bypass, HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createServer as createVite } from 'vite'
import { handlers, recipes } from './msw-recipes.js'

const { version } = JSON.parse(
  readFileSync(new URL('node_modules/msw/package.json', import.meta.url), 'utf8'),
)

/** In Node, MSW 3 cuts a body at the content-length of the headers, which these recipes copy from another response. */
const cutByMsw3 = ['response patching of a change', 'a fetched response with its headers']

/** A server that is not the mock. */
async function openNetwork() {
  const network = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.statusCode = /^\/v1|passed/.test(request.url) ? 200 : 404
    response.end('{"real":"the network"}')
  })
  await once(network.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${network.address().port}`, close: () => network.close() }
}

const starts = {
  async dev() {
    const program = 'node_modules/dashboard-api/bin/dashboard-api.js'
    const options = ['--port', '0', '--json', '--handlers', 'msw-recipes.js']
    const child = spawn(process.execPath, [program, 'dev', ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface(child.stdout), 'line')
    return { url: JSON.parse(line).url, close: () => void child.kill() }
  },
  async plugin() {
    const server = await createVite({
      configFile: false,
      logLevel: 'silent',
      server: { port: 0, host: '127.0.0.1' },
      plugins: [dashboardApi({ handlers: 'msw-recipes.js' })],
    })
    await server.listen()
    return { url: new URL(server.resolvedUrls.local[0]).origin, close: () => server.close() }
  },
  async Node() {
    const network = await openNetwork()
    const mock = createMockServer({ baseUrl: network.url, handlers })
    mock.listen({ onUnhandledRequest: 'bypass' })
    return {
      url: network.url,
      close() {
        mock.close()
        network.close()
      },
    }
  },
}

/** Why a recipe does not run in this process. */
function missingFor(name) {
  if (name === 'a WebSocket' && !('WebSocket' in globalThis)) return 'This Node has no WebSocket'
  if (name.startsWith('server-sent') && !('EventSource' in globalThis)) return 'This Node has no EventSource'
  return version.startsWith('3.') && cutByMsw3.includes(name) && 'MSW 3 cuts the body, as the last test shows'
}

for (const [mode, start] of Object.entries(starts)) {
  describe(mode, () => {
    let started
    before(async () => {
      started = await start()
    })
    after(() => started.close())
    const call = (path, init) =>
      fetch(started.url + path, { ...init, headers: { cookie: 'session=acme-owner', ...init?.headers } })

    for (const [name, { play, result, playServed = play, served = result, notByMsw }] of Object.entries(
      recipes,
    )) {
      const skip = mode === 'Node' && (notByMsw ?? missingFor(name))
      test(name, { skip }, async () => {
        if (mode === 'Node') assert.deepEqual(await play(call), result)
        else assert.deepEqual(await playServed(call), served)
      })
    }
  })
}

test('MSW 3 cuts a body at the content-length of its headers, also without the mock; MSW 2 does not', async () => {
  const network = await openNetwork()
  const patch = http.get('*/v1/patched', async ({ request }) => {
    const real = await fetch(bypass(request))
    return HttpResponse.json({ ...(await real.json()), patched: true }, real)
  })
  const server = setupServer(patch)
  server.listen()
  try {
    const text = await (await fetch(`${network.url}/v1/patched`)).text()
    assert.equal(
      text,
      '{"real":"the network","patched":true}'.slice(0, version.startsWith('3.') ? 22 : undefined),
    )
  } finally {
    server.close()
    network.close()
  }
})
