import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ProviderOptions } from '../../../src/server/sign-in/provider-options.js'
import { createBrowser } from '../../oidc/browser.js'
import { type Service, startService } from '../../oidc/sign-in-flow.js'
import {
  type ProviderResponses,
  startUntrustedProvider,
  type UntrustedProvider,
} from '../../oidc/untrusted-provider.js'

let provider: UntrustedProvider
let service: Service
beforeAll(async () => {
  provider = await startUntrustedProvider()
})
afterEach(async () => {
  provider.tamper(() => {})
  await service.close()
})
afterAll(() => provider.close())

/** Starts a sign-in with valid responses of the provider, changes them, and requests the callback. */
async function signInWhile(
  tamper: (responses: ProviderResponses) => void,
  options: Partial<ProviderOptions> = {},
) {
  service = await startService(
    { issuer: provider.issuer, clientId: 'dashboard', clientSecret: 'secret' },
    { provider: { accessClaims: 'access-token', timeoutMs: 300, ...options } },
  )
  const browser = createBrowser()
  const begun = await browser.request(`${service.url}/auth/sign-in?returnTo=/v1/auth/me`)
  const back = provider.authorize(new URL(begun.headers.get('location') ?? ''))
  provider.tamper(tamper)
  return { browser, response: await browser.request(back) }
}

/** Nobody is signed in: a page, a log line without data of the provider, no cookie, no session, no user. */
async function expectNobody(response: Response, status: number, fault: string) {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await response.text()).toContain('Sign in again</a>')
  expect(response.headers.getSetCookie().filter((cookie) => cookie.startsWith('session='))).toEqual([])
  const { users, sessions } = await service.store.export()
  expect([users, sessions].flat().filter((row) => 'issuer' in row || row.id.startsWith('ses_'))).toEqual([])
  const log = service.lines.slice(1).map((line) => JSON.parse(line))
  expect(log).toContainEqual(expect.objectContaining({ msg: 'nobody was signed in', fault }))
  for (const canary of ['ada@', 'a-code', 'secret', 'eyJ', '127.0.0.1']) {
    expect(JSON.stringify(log)).not.toContain(canary)
  }
}

test('a provider with valid responses signs in', async () => {
  const { response, browser } = await signInWhile(() => {})
  expect(response.status).toBe(303)
  const bundle = await (await browser.request(`${service.url}/v1/auth/me`)).json()
  expect(bundle).toMatchObject({
    user: { email: 'ada@id.example', givenName: '' },
    organization: { orgCode: 'org_acme' },
    permissions: ['create:projects'],
  })
})

test('claims that the id token lacks come from the UserInfo endpoint if the access token is not used', async () => {
  const { response, browser } = await signInWhile(() => {}, { accessClaims: 'id-token' })
  expect(response.status).toBe(303)
  expect(await (await browser.request(`${service.url}/v1/auth/me`)).json()).toMatchObject({
    user: { email: 'ada@id.example', givenName: 'Ada' },
    organization: { orgCode: '' },
  })
})

const anHour = 3600
const invalidResponses: [string, (responses: ProviderResponses) => void][] = [
  [
    'the id token is signed with another key',
    ({ signedBy }) => Object.assign(signedBy, { idToken: 'unknown' }),
  ],
  [
    'the access token is signed with another key',
    ({ signedBy }) => Object.assign(signedBy, { accessToken: 'unknown' }),
  ],
  ['the tokens are not signed', (responses) => Object.assign(responses, { algorithm: 'none' })],
  [
    'the tokens say that they are signed with the client secret',
    (responses) => Object.assign(responses, { algorithm: 'HS256' }),
  ],
  ['the id token is for another client', ({ idToken }) => Object.assign(idToken, { aud: ['another'] })],
  [
    'the id token has several audiences and another authorized party',
    ({ idToken }) => Object.assign(idToken, { aud: ['dashboard', 'b'], azp: 'b' }),
  ],
  [
    'the access token is for another client',
    ({ accessToken }) => Object.assign(accessToken, { azp: 'another' }),
  ],
  [
    'the access token is about somebody else',
    ({ accessToken }) => Object.assign(accessToken, { sub: 'max' }),
  ],
  [
    'the id token is of another issuer',
    ({ idToken }) => Object.assign(idToken, { iss: 'https://other.example' }),
  ],
  [
    'the access token is of another issuer',
    ({ accessToken }) => Object.assign(accessToken, { iss: 'https://other.example' }),
  ],
  ['the nonce is different', ({ idToken }) => Object.assign(idToken, { nonce: 'another' })],
  ['there is no nonce', ({ idToken }) => delete idToken.nonce],
  [
    'the id token has expired',
    ({ idToken }) => Object.assign(idToken, { exp: (idToken.exp as number) - anHour }),
  ],
  [
    'the id token is not valid yet',
    ({ idToken }) => Object.assign(idToken, { nbf: (idToken.iat as number) + anHour }),
  ],
  [
    'the access token has expired',
    ({ accessToken }) => Object.assign(accessToken, { exp: (accessToken.exp as number) - anHour }),
  ],
  ['the access token has no expiry', ({ accessToken }) => delete accessToken.exp],
  ['there is no subject', ({ idToken }) => delete idToken.sub],
  [
    'the organisation is not a string',
    ({ accessToken }) => Object.assign(accessToken, { org_code: { id: 1 } }),
  ],
  [
    'the organisation cannot be stored',
    ({ accessToken }) => Object.assign(accessToken, { org_code: 'a\0b' }),
  ],
  [
    'the organisation is too long to be stored',
    ({ accessToken }) => Object.assign(accessToken, { org_code: 'x'.repeat(256) }),
  ],
  [
    'the subject cannot be stored',
    ({ idToken, accessToken }) =>
      [idToken, accessToken].forEach((token) => void Object.assign(token, { sub: 'a\0b' })),
  ],
  [
    'the permissions are not a list',
    ({ accessToken }) => Object.assign(accessToken, { permissions: { all: true } }),
  ],
  [
    'there is no id token',
    (responses) =>
      Object.assign(responses, {
        tokens: { status: 200, body: '{"access_token":"a","token_type":"Bearer"}' },
      }),
  ],
  [
    'the token response is not JSON',
    (responses) => Object.assign(responses, { tokens: { status: 200, body: '<html>' } }),
  ],
  [
    'the client secret is refused',
    (responses) =>
      Object.assign(responses, {
        tokens: { status: 401, body: '{"error":"invalid_client","error_description":"ada@id.example"}' },
      }),
  ],
  [
    'the error code is unknown',
    (responses) => Object.assign(responses, { tokens: { status: 400, body: '{"error":"ada@id.example"}' } }),
  ],
]

test.each(invalidResponses)('nobody is signed in if %s', async (_, tamper) => {
  const { response } = await signInWhile(tamper)
  await expectNobody(response, 502, 'unacceptable')
})

test.each<[string, (responses: ProviderResponses) => void]>([
  ['the token endpoint does not respond', ({ silent }) => silent.push('/token')],
  ['the keys are not sent', ({ silent }) => silent.push('/keys')],
  ['the provider fails', (responses) => Object.assign(responses, { tokens: { status: 503, body: '{}' } })],
])('nobody is signed in if %s', async (_, tamper) => {
  const { response } = await signInWhile(tamper)
  await expectNobody(response, 503, 'unreachable')
  expect(response.headers.get('retry-after')).toBe('60')
})

test('an access token must be for the configured audience', async () => {
  const audience = 'https://api.example'
  const forUs = ({ accessToken }: ProviderResponses) =>
    Object.assign(accessToken, { aud: ['https://other.example', audience] })
  expect((await signInWhile(forUs, { audience })).response.status).toBe(303)
  await service.close()
  const { response } = await signInWhile(() => {}, { audience })
  await expectNobody(response, 502, 'unacceptable')
})

test.each<[string, number, (responses: ProviderResponses) => void]>([
  [
    'has another issuer',
    502,
    ({ discovery }) => Object.assign(discovery, { issuer: 'https://other.example' }),
  ],
  ['has no authorization endpoint', 502, ({ discovery }) => delete discovery.authorization_endpoint],
  ['has no keys', 502, ({ discovery }) => delete discovery.jwks_uri],
  ['does not respond', 503, ({ silent }) => silent.push('/.well-known/openid-configuration')],
])('a provider that %s is not used', async (_, status, tamper) => {
  provider.tamper(tamper)
  service = await startService(
    { issuer: provider.issuer, clientId: 'dashboard' },
    { provider: { timeoutMs: 300 } },
  )
  const response = await fetch(`${service.url}/auth/sign-in`, { redirect: 'manual' })
  await expectNobody(response, status, status === 503 ? 'unreachable' : 'unacceptable')
})
