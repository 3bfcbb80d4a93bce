import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { type DevServerOptions, startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'
import { hasIPv6 } from '../../has-ipv6.js'

async function start(options: Partial<DevServerOptions> = {}) {
  const server = await startDevServer({ fixtures: parseState(fixture), port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

const statusAt = async (host: string, port: string | number, headers = {}) =>
  (await fetch(`http://${host}:${port}/v1/projects`, { headers })).status

describe('the dev server', () => {
  test.runIf(hasIPv6)('listens on both addresses of localhost, whose name is in its URL', async () => {
    const { url, close } = await start()
    const { hostname, port } = new URL(url)
    expect(hostname).toBe('localhost')
    for (const host of ['localhost', '127.0.0.1', '[::1]']) expect(await statusAt(host, port), host).toBe(401)
    await close()
    for (const host of ['127.0.0.1', '[::1]']) await expect(statusAt(host, port), host).rejects.toThrow()
  })

  test.runIf(hasIPv6)('does not use a port if another program listens on one of the addresses', async () => {
    const other = createServer((_, response) => response.end('another program'))
    await new Promise<void>((listening) => other.listen(0, '::1', listening))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const { url } = await start({ port })
    expect(Number(new URL(url).port)).toBeGreaterThan(port)
    await expect(start({ port, strictPort: true })).rejects.toThrow(`Port ${port} of localhost is taken.`)
  })

  test('listens on one address only, if it is given', async () => {
    const { url } = await start({ host: '127.0.0.1' })
    const { hostname, port } = new URL(url)
    expect(hostname).toBe('127.0.0.1')
    await expect(statusAt('[::1]', port)).rejects.toThrow()
  })

  test('reports a page at the other name of this machine once, and in each log entry', async () => {
    const onTwoSites = vi.fn()
    const { url, mock } = await start({ onTwoSites })
    const { port } = new URL(url)
    const ask = (host: string, origin: string, relation = 'cross-site') =>
      statusAt(host, port, { origin, 'sec-fetch-site': relation })
    // A proxy has changed the Host header: the page calls its own origin.
    await ask('127.0.0.1', 'http://localhost:5173', 'same-origin')
    await ask('127.0.0.1', 'http://b.app.localhost:5173', 'same-site')
    await ask('localhost', 'http://localhost:5173', 'same-site')
    expect(onTwoSites).not.toHaveBeenCalled()
    await ask('127.0.0.1', 'http://localhost:5173')
    await ask('127.0.0.1', 'http://localhost:5173')
    const advice =
      `the page at http://localhost:5173 and the mock at http://127.0.0.1:${port} are two sites: the browser sends no ` +
      `session cookie. Call the mock at http://localhost:${port}, or open the page at http://127.0.0.1:5173`
    expect(onTwoSites.mock.calls).toEqual([[advice]])
    const reasons = (await mock.controls.log.read()).map(({ why }) => why)
    expect(reasons).toEqual([
      'session check: no cookie',
      'session check: no cookie',
      'session check: no cookie',
      `session check: ${advice}`,
      `session check: ${advice}`,
    ])
  })

  test('tells several cookies from none in the log', async () => {
    const { url, mock } = await start()
    for (const cookie of ['session=acme-owner; session=acme-member', 'other=1'])
      await statusAt('localhost', new URL(url).port, { cookie })
    expect((await mock.controls.log.read()).map(({ why }) => why)).toEqual([
      'session check: several cookies, of which not exactly one names a persona',
      'session check: no cookie',
    ])
  })

  test.each(['tauri://localhost', 'capacitor://localhost'])(
    'answers the web view of an application at %s, and names it',
    async (origin) => {
      const onTwoSites = vi.fn()
      const { url } = await start({ onTwoSites })
      const { port } = new URL(url)
      expect(await statusAt('localhost', port, { origin, 'sec-fetch-site': 'cross-site' })).toBe(401)
      expect(onTwoSites).toHaveBeenCalledWith(
        `the page at ${origin} and the mock at http://localhost:${port} are two sites: the browser sends no session cookie`,
      )
    },
  )
})
