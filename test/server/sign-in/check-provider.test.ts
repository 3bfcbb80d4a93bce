import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkProvider } from '../../../src/server/sign-in/check-provider.js'
import {
  type Changes,
  startUntrustedProvider,
  type UntrustedProvider,
} from '../../oidc/untrusted-provider.js'
import { testSettings } from '../server-harness.js'

const redirectUri = 'https://api.example.com/auth/callback'

let provider: UntrustedProvider
/** The response of the sign-in page of the provider. */
let reply: RequestListener
const page = createServer((request, response) => reply(request, response))
beforeAll(async () => {
  provider = await startUntrustedProvider()
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  reply = (_, response) => response.end('Sign in')
})
afterAll(async () => {
  await provider.close()
  page.closeAllConnections()
  page.close()
})

/** The checks of a provider that refuses an unknown code, unless its responses are changed. */
async function check(changes: Changes = {}, settings: Partial<typeof testSettings> = {}, timeoutMs = 30_000) {
  const authorization_endpoint = `http://127.0.0.1:${(page.address() as AddressInfo).port}/sign-in`
  provider.tamper({
    tokens: refusal('invalid_grant'),
    ...changes,
    discovery: { authorization_endpoint, ...changes.discovery },
  })
  const named = { oidcIssuer: provider.issuer, oidcClientId: 'dashboard', oidcClientSecret: 'secret' }
  return checkProvider({ ...testSettings, ...named, ...settings }, redirectUri, timeoutMs)
}
const refusal = (error: string, status = 400) => ({ status, body: JSON.stringify({ error }) })
const ok = (name: string, found: unknown = expect.any(String)) => ({ check: name, ok: true, found })
const failed = (name: string, found: string) => ({ check: name, ok: false, found })
const before = [ok('metadata'), ok('keys')]

test('a provider that knows the client passes', async () => {
  expect(await check()).toEqual([
    ok('metadata', `${provider.issuer}, without back-channel logout`),
    ok('keys', '1 keys'),
    ok('sign-in', `a page opens; the callback URL is ${redirectUri}`),
    ok('client', 'the provider knows the client, with basic'),
  ])
  const token = provider.requests.find(({ path }) => path === '/token')
  expect(Object.fromEntries(new URLSearchParams(token?.body))).toMatchObject({
    code: 'no-such-code',
    redirect_uri: redirectUri,
  })
})

test('back-channel logout is reported', async () => {
  const [metadata] = await check({ discovery: { backchannel_logout_supported: true } })
  expect(metadata).toEqual(ok('metadata', `${provider.issuer}, with back-channel logout`))
})

test('the first failure ends the list', async () => {
  expect(await check({ failing: { '/keys': 404 } })).toEqual([
    ok('metadata'),
    { check: 'keys', ok: false, found: expect.any(String) },
  ])
  const path = '/.well-known/openid-configuration'
  expect(await check({ failing: { [path]: 503 } })).toEqual([
    failed('metadata', `status 503 at ${provider.issuer}${path}`),
  ])
})

test.each<[string, string, RequestListener]>([
  [
    'sends the request back with an error',
    'the request is refused with unauthorized_client',
    (_, response) => response.writeHead(302, { location: `${redirectUri}?error=unauthorized_client` }).end(),
  ],
  [
    'refuses the request',
    `the page replies 400: is ${redirectUri} registered for this client?`,
    (_, response) => response.writeHead(400).end(),
  ],
])('a page that %s fails', async (_, found, answer) => {
  reply = answer
  expect(await check()).toEqual([...before, failed('sign-in', found)])
})

test('a page that does not reply fails', async () => {
  reply = () => {}
  const found = expect.stringMatching(/^TimeoutError at http:\/\/127/)
  expect(await check({}, {}, 2_000)).toEqual([...before, failed('sign-in', found)])
})

test('a page that redirects to another one, whatever its query, passes', async () => {
  reply = (_, response) => response.writeHead(302, { location: '/login?error=none' }).end()
  expect(await check()).toMatchObject([...before, ok('sign-in'), ok('client')])
})

const clientCheck = async (...given: Parameters<typeof check>) => (await check(...given))[3]
const basicOf = (secret: string) => `Basic ${Buffer.from(`dashboard:${secret}`).toString('base64')}`

test('a wrong client secret fails, and so does a provider that redeems any code', async () => {
  expect(await clientCheck({ tokens: refusal('invalid_client', 401) })).toEqual(
    failed(
      'client',
      'the client is refused with basic (invalid_client), check its id, its secret, and how it authenticates at the provider',
    ),
  )
  expect(await clientCheck({ tokens: undefined })).toMatchObject({
    ok: false,
    found: expect.stringContaining('for a code that does not exist, the provider replies'),
  })
})

test('a provider without keys fails, and so does one that replies with a fault of its own', async () => {
  expect(await check({ keys: [] })).toEqual([
    ok('metadata'),
    failed('keys', 'the key set is empty: no id token can be verified'),
  ])
  for (const fault of ['server_error', 'temporarily_unavailable']) {
    expect(await clientCheck({ tokens: refusal(fault) })).toEqual(
      failed('client', `for a code that does not exist, the provider replies ${fault}`),
    )
  }
})

test.each(['invalid_code', 'invalid_request'])(
  'a provider that answers an invented code with %s is distinguished from one that does not know the secret',
  async (error) => {
    const known: Changes = {
      tokens: ({ authorization }) =>
        authorization === basicOf('secret') ? refusal(error) : refusal('invalid_client', 401),
    }
    const own = `its reply to a code that does not exist is ${error}`
    expect(await clientCheck(known)).toEqual(
      ok('client', `the provider knows the client, with basic; ${own}`),
    )
    expect(await clientCheck(known, { oidcClientSecret: 'another' })).toMatchObject({ ok: false })
    expect(await clientCheck({ tokens: refusal(error) })).toEqual(
      ok('client', expect.stringContaining(`unknown: ${own}, with a wrong secret too`)),
    )
  },
)

test('a provider that accepts the secret in the other way only says which setting helps', async () => {
  const tokens: Changes['tokens'] = ({ body }) =>
    new URLSearchParams(body).get('client_secret') === 'secret'
      ? refusal('invalid_grant')
      : refusal('invalid_client', 401)
  const reason = 'the client is refused with basic (invalid_client), and known with post'
  expect(await clientCheck({ tokens })).toEqual(
    failed('client', `${reason}: set DASHBOARD_API_OIDC_CLIENT_AUTH=post`),
  )
})
