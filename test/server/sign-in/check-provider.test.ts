import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkProvider } from '../../../src/server/sign-in/check-provider.js'
import {
  type ProviderResponses,
  startUntrustedProvider,
  type UntrustedProvider,
} from '../../oidc/untrusted-provider.js'
import { testSettings } from '../server-harness.js'

const redirectUri = 'https://api.example.com/auth/callback'

let provider: UntrustedProvider
/** What the page where people sign in replies. */
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

/** The checks of a provider that refuses a code that does not exist, unless its responses are changed. */
async function check(change: (responses: ProviderResponses) => void = () => {}) {
  provider.tamper((responses) => {
    responses.discovery.authorization_endpoint = `http://127.0.0.1:${(page.address() as AddressInfo).port}/sign-in`
    responses.tokens = { status: 400, body: '{"error":"invalid_grant"}' }
    change(responses)
  })
  const named = { oidcIssuer: provider.issuer, oidcClientId: 'dashboard', oidcClientSecret: 'secret' }
  return checkProvider({ ...testSettings, ...named }, redirectUri, 300)
}
const ok = (name: string, found: unknown = expect.any(String)) => ({ check: name, ok: true, found })
const failed = (name: string, found: string) => ({ check: name, ok: false, found })
const before = [ok('metadata'), ok('keys')]

test('a provider that knows the client passes', async () => {
  expect(await check()).toEqual([
    ok('metadata', `${provider.issuer}, without back-channel logout`),
    ok('keys', '1 keys'),
    ok('sign-in', `a page opens; the callback URL is ${redirectUri}`),
    ok('client', 'the provider knows the client and its secret'),
  ])
  const token = provider.requests.find(({ path }) => path === '/token')
  expect(Object.fromEntries(new URLSearchParams(token?.body))).toMatchObject({
    code: 'no-such-code',
    redirect_uri: redirectUri,
  })
})

test('back-channel logout is told', async () => {
  const [metadata] = await check(({ discovery }) => {
    discovery.backchannel_logout_supported = true
  })
  expect(metadata).toEqual(ok('metadata', `${provider.issuer}, with back-channel logout`))
})

test('the first failure ends the list', async () => {
  expect(await check(({ failing }) => Object.assign(failing, { '/keys': 404 }))).toEqual([
    ok('metadata'),
    { check: 'keys', ok: false, found: expect.any(String) },
  ])
  const path = '/.well-known/openid-configuration'
  expect(await check(({ failing }) => Object.assign(failing, { [path]: 503 }))).toEqual([
    failed('metadata', 'status 503'),
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
  ['does not reply', 'TimeoutError', () => {}],
])('a page that %s fails', async (_, found, answer) => {
  reply = answer
  expect(await check()).toEqual([...before, failed('sign-in', found)])
})

test('a page that redirects to another one, whatever its query, passes', async () => {
  reply = (_, response) => response.writeHead(302, { location: '/login?error=none' }).end()
  expect(await check()).toMatchObject([...before, ok('sign-in'), ok('client')])
})

test('a client whose secret is wrong fails, and so does a provider that redeems any code', async () => {
  const replies = 'for a code that does not exist, the provider replies'
  const refusal = { status: 401, body: '{"error":"invalid_client"}' }
  expect(await check((responses) => Object.assign(responses, { tokens: refusal }))).toEqual([
    ...before,
    ok('sign-in'),
    failed('client', `${replies} invalid_client`),
  ])
  const [, , , client] = await check((responses) => Object.assign(responses, { tokens: undefined }))
  expect(client).toMatchObject({ ok: false, found: expect.stringContaining(replies) })
})
