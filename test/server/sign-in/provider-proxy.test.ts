import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createIdentityProvider } from '../../../src/server/sign-in/identity-provider.js'
import { startRealProvider } from '../../oidc/real-provider.js'
import { signInAs, startService } from '../../oidc/sign-in-flow.js'
import { startUntrustedProvider } from '../../oidc/untrusted-provider.js'
import { testSettings } from '../server-harness.js'

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'])
    vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** A forward proxy, with the requested hosts. */
async function startProxy() {
  const asked: string[] = []
  const proxy = createServer((incoming, response) => {
    const { url = '', headers, method } = incoming
    asked.push(new URL(url).host)
    const outgoing = request(url, { headers, method }, (from) => {
      response.writeHead(from.statusCode ?? 500, from.headers)
      from.pipe(response)
    })
    incoming.pipe(outgoing)
  })
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url)
    const [host, port] = url.split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const each of [target, socket]) each.on('error', () => {})
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { asked, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

async function begin() {
  const provider = await startUntrustedProvider()
  onTestFinished(provider.close)
  const named = { oidcIssuer: provider.issuer, oidcClientId: 'dashboard' }
  const { url } = await createIdentityProvider({ ...testSettings, ...named }).begin(
    'http://127.0.0.1:1/auth/callback',
  )
  expect(url).toContain(`${provider.issuer}/authorize`)
  return new URL(provider.issuer).host
}

test.each(['HTTP_PROXY', 'http_proxy'])(
  'requests to the provider go through the proxy in %s',
  async (name) => {
    const proxy = await startProxy()
    vi.stubEnv(name, proxy.url)
    expect(proxy.asked).toEqual([])
    expect(proxy.asked).toContain(await begin())
  },
)

test.each(['127.0.0.1', '*', 'other.example, 127.0.0.1'])(
  'requests to a host in NO_PROXY=%s do not use the proxy',
  async (hosts) => {
    const proxy = await startProxy()
    vi.stubEnv('HTTP_PROXY', proxy.url)
    vi.stubEnv('NO_PROXY', hosts)
    await begin()
    expect(proxy.asked).toEqual([])
  },
)

test('a person signs in and out while the service reaches the provider through the proxy', async () => {
  const proxy = await startProxy()
  const provider = await startRealProvider()
  onTestFinished(provider.close)
  vi.stubEnv('HTTP_PROXY', proxy.url)
  const service = await startService(provider, { sessionCookie: 'session' })
  onTestFinished(service.close)
  await provider.register(service.url)
  provider.accounts.ada = { email: 'ada@id.example', org_code: 'org_acme', permissions: [] }
  const { response } = await signInAs('ada', service, provider)
  expect(await response.json()).toMatchObject({ user: { email: 'ada@id.example' } })
  const { host } = new URL(provider.issuer)
  expect(new Set(proxy.asked)).toEqual(new Set([host]))
})

test('an error says that a proxy is used', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9')
  const provider = createIdentityProvider({
    ...testSettings,
    oidcIssuer: 'https://id.example',
    oidcClientId: 'dashboard',
  })
  await expect(provider.begin('https://api.example/auth/callback')).rejects.toMatchObject({
    fault: 'unreachable',
    reason:
      'ECONNREFUSED at https://id.example/.well-known/openid-configuration, through the proxy of HTTPS_PROXY',
  })
})

test('a proxy without a scheme is named by its variable', async () => {
  vi.stubEnv('HTTPS_PROXY', '127.0.0.1:3128')
  await expect(begin()).rejects.toMatchObject({
    name: 'SignInError',
    fault: 'unreachable',
    reason: 'HTTPS_PROXY is not a URL such as http://proxy.example:3128',
  })
})
