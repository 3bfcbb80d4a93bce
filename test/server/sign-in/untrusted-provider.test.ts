import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { AppOptions } from '../../../src/server/app.js'
import { defaultClaims } from '../../../src/server/settings/settings-table.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createBrowser } from '../../oidc/browser.js'
import { type Service, startService } from '../../oidc/sign-in-flow.js'
import {
  type ProviderResponses,
  startUntrustedProvider,
  type UntrustedProvider,
} from '../../oidc/untrusted-provider.js'

/** Of tests whose provider does not respond, in milliseconds: long enough for a busy machine. */
const providerTimeoutMs = 3_000

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
  options: Partial<AppOptions> = {},
) {
  service = await startService(
    { issuer: provider.issuer, clientId: 'dashboard', clientSecret: 'secret' },
    { oidcAccessClaims: 'access-token', ...options },
  )
  const browser = createBrowser()
  const begun = await browser.request(`${service.url}/auth/sign-in?returnTo=/v1/auth/me`)
  const back = provider.authorize(new URL(begun.headers.get('location') ?? ''))
  provider.tamper(tamper)
  return { browser, response: await browser.request(back) }
}

/** Nobody is signed in: a page, a log line without data of the provider, no cookie, no session, no user. */
async function expectNobody(
  response: Response,
  status: number,
  logged: { fault: string; reason?: string; operation?: string },
) {
  expect(response.status).toBe(status)
  expect(response.headers.get('retry-after')).toBe(status === 503 ? '60' : null)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await response.text()).toContain('Sign in again</a>')
  expect(response.headers.getSetCookie().filter((cookie) => cookie.startsWith('session='))).toEqual([])
  const { users, sessions } = await service.store.export()
  expect([users, sessions].flat().filter((row) => 'issuer' in row || row.id.startsWith('ses_'))).toEqual([])
  const log = service.lines.slice(1).map((line) => JSON.parse(line))
  expect(log).toContainEqual(
    expect.objectContaining({
      msg: 'sign-in failed',
      ...logged,
      ...(logged.reason && { reason: logged.reason.replace('ISSUER', provider.issuer) }),
    }),
  )
  for (const canary of ['ada@', 'a-code', 'secret', 'eyJ']) {
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

test.each<[string, (responses: ProviderResponses) => unknown, string]>([
  ['lacks', () => {}, ''],
  [
    'has as null',
    ({ idToken, userInfo }) => {
      Object.assign(idToken, { given_name: null, org_code: null, permissions: null })
      Object.assign(userInfo, { org_code: 'org_acme' })
    },
    'org_acme',
  ],
])('claims that the id token %s come from the UserInfo endpoint', async (_, tamper, orgCode) => {
  const { response, browser } = await signInWhile(tamper, { oidcAccessClaims: 'id-token' })
  expect(response.status).toBe(303)
  expect(await (await browser.request(`${service.url}/v1/auth/me`)).json()).toMatchObject({
    user: { email: 'ada@id.example', givenName: 'Ada' },
    organization: { orgCode },
  })
})

const oidcClaims = {
  ...defaultClaims,
  organization: 'https://x.example/org.code',
  permissions: 'realm_access.roles',
}
test.each<[string, AppOptions['oidcAccessClaims'], (responses: ProviderResponses) => void]>([
  [
    'the access token',
    'access-token',
    ({ accessToken }) =>
      Object.assign(accessToken, {
        'https://x.example/org': { code: 'org_acme' },
        realm_access: { roles: ['update:projects'] },
      }),
  ],
  [
    'the id token and the UserInfo endpoint',
    'id-token',
    ({ idToken, userInfo }) => {
      Object.assign(idToken, { 'https://x.example/org': { code: 'org_acme' }, realm_access: {} })
      Object.assign(userInfo, {
        'https://x.example/org': { code: 'org_other' },
        realm_access: { roles: ['update:projects'] },
      })
    },
  ],
])('claims are found by their paths in %s', async (_, oidcAccessClaims, tamper) => {
  const { response, browser } = await signInWhile(tamper, { oidcAccessClaims, oidcClaims })
  expect(response.status).toBe(303)
  expect(await (await browser.request(`${service.url}/v1/auth/me`)).json()).toMatchObject({
    organization: { orgCode: 'org_acme' },
    permissions: ['update:projects'],
  })
})

test('a profile field that each request would have to read is left empty if it is longer than a body', async () => {
  const { response, browser } = await signInWhile(({ idToken }) =>
    Object.assign(idToken, { picture: `data:,${'x'.repeat(64 * 1024)}` }),
  )
  expect(response.status).toBe(303)
  const { user } = await (await browser.request(`${service.url}/v1/auth/me`)).json()
  expect(user).toMatchObject({ email: 'ada@id.example', picture: '' })
})

test('nobody is signed in if the value at the path of a claim has an unknown form', async () => {
  const { response } = await signInWhile(
    ({ accessToken }) => Object.assign(accessToken, { realm_access: { roles: { admin: true } } }),
    { oidcClaims },
  )
  const reason = 'the claim "realm_access.roles" has an unknown form'
  await expectNobody(response, 502, { fault: 'unacceptable', reason })
})

const logged = (msg: string) =>
  service.lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg)

test.each<[string, string, (responses: ProviderResponses) => unknown]>([
  ['fails', 'status 500 at ISSUER/me', ({ failing }) => Object.assign(failing, { '/me': 500 })],
  [
    'is forbidden',
    'OAUTH_RESPONSE_IS_NOT_CONFORM: status 403 at ISSUER/me',
    ({ failing }) => Object.assign(failing, { '/me': 403 }),
  ],
  ['does not respond', 'TimeoutError at ISSUER/me', ({ silent }) => silent.push('/me')],
  [
    'is about somebody else',
    'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: sub',
    ({ userInfo }) => Object.assign(userInfo, { sub: 'max' }),
  ],
])(
  'a UserInfo endpoint that %s costs no sign-in if only a picture or a name is missing',
  async (_, reason, tamper) => {
    const rights = { org_code: 'org_acme', permissions: ['create:projects'] }
    const options = { oidcAccessClaims: 'id-token', providerTimeoutMs: 1_500 } as const
    const { response, browser } = await signInWhile((responses) => {
      Object.assign(responses.idToken, rights)
      tamper(responses)
    }, options)
    expect(response.status).toBe(303)
    expect(await (await browser.request(`${service.url}/v1/auth/me`)).json()).toMatchObject({
      user: { email: 'ada@id.example', givenName: '', picture: '' },
      permissions: rights.permissions,
    })
    const remark = `the UserInfo endpoint has failed: ${reason.replace('ISSUER', provider.issuer)}`
    expect(logged('signed in, with remarks')).toMatchObject([{ level: 40, remarks: [remark] }])
  },
)

test.each(['org_code', 'permissions'])(
  'but nobody is signed in if it may have the claim %s',
  async (name) => {
    const { response } = await signInWhile(
      ({ idToken, failing }) => {
        Object.assign(idToken, { org_code: 'org_acme', permissions: [] })
        delete idToken[name]
        Object.assign(failing, { '/me': 500 })
      },
      { oidcAccessClaims: 'id-token' },
    )
    await expectNobody(response, 503, { fault: 'unreachable', reason: 'status 500 at ISSUER/me' })
  },
)

test('a blank organisation is none', async () => {
  const { response, browser } = await signInWhile(
    ({ accessToken }) => Object.assign(accessToken, { org_code: ' \t' }),
    {
      provisionTeams: true,
    },
  )
  expect(response.status).toBe(303)
  const { organization, teamId } = await (await browser.request(`${service.url}/v1/auth/me`)).json()
  expect({ organization, teamId }).toEqual({ organization: { orgCode: '' }, teamId: '' })
})

test('an address is stored as it is looked for', async () => {
  const { response } = await signInWhile(({ idToken }) =>
    Object.assign(idToken, { email: ' Ada@ID.example\n' }),
  )
  expect(response.status).toBe(303)
  expect(await service.store.usersWithEmail('ada@id.example')).toHaveLength(1)
  expect((await service.store.export()).users.find(({ issuer }) => issuer)).toMatchObject({
    email: 'ada@id.example',
  })
})

test('claims that somebody will miss are logged by name, without their values', async () => {
  const { response } = await signInWhile(({ idToken, accessToken }) => {
    delete idToken.email
    Object.assign(idToken, { name: 'Ada Osei' })
    Object.assign(accessToken, { permissions: 'create:projects,update:projects' })
  })
  expect(response.status).toBe(303)
  expect(logged('signed in, with remarks')).toMatchObject([
    {
      remarks: [
        'the claim "email" is missing',
        'there is a claim "name", and neither "given_name" nor "family_name"',
        'the claim "permissions" has commas, which divide no permissions: spaces do, or a list',
      ],
    },
  ])
  expect(service.lines.join('')).not.toContain('Osei')
})

test('the UserInfo endpoint is not requested if the id token has all claims', async () => {
  const complete = { org_code: '', permissions: [], given_name: 'Ada', family_name: 'Osei', picture: '' }
  const { response } = await signInWhile(({ idToken }) => Object.assign(idToken, complete), {
    oidcAccessClaims: 'id-token',
  })
  expect(response.status).toBe(303)
  expect(provider.requests.map(({ path }) => path)).toEqual(['/token', '/keys'])
})

test('claims that the id token lacks stay empty if the provider has no UserInfo endpoint', async () => {
  const withoutUserInfo = ({ discovery }: ProviderResponses) => delete discovery.userinfo_endpoint
  provider.tamper(withoutUserInfo)
  const { response, browser } = await signInWhile(withoutUserInfo, { oidcAccessClaims: 'id-token' })
  expect(response.status).toBe(303)
  const bundle = await (await browser.request(`${service.url}/v1/auth/me`)).json()
  expect(bundle.user).toMatchObject({ email: 'ada@id.example', givenName: '' })
})

const basic = `Basic ${btoa('dashboard:secret')}`
test.each<[string, string[] | undefined, string | undefined, string]>([
  ['in the Authorization header', undefined, basic, ''],
  ['in the Authorization header', ['client_secret_post', 'client_secret_basic'], basic, ''],
  ['in the body', ['client_secret_post'], undefined, 'client_secret=secret'],
])('sends the client secret %s to a provider that supports %j', async (_, methods, authorization, body) => {
  const supporting = ({ discovery }: ProviderResponses) =>
    Object.assign(discovery, { token_endpoint_auth_methods_supported: methods })
  provider.tamper(supporting)
  expect((await signInWhile(supporting)).response.status).toBe(303)
  const [token] = requestsFor('/token')
  expect(token?.authorization).toBe(authorization)
  expect(token?.body.match(/client_secret=[^&]+/)?.[0] ?? '').toBe(body)
})

test('nobody is signed in if the provider names an address that cannot be fetched', async () => {
  const onPortOfTcpmux = ({ discovery }: ProviderResponses) =>
    Object.assign(discovery, { token_endpoint: 'http://127.0.0.1:1/token' })
  provider.tamper(onPortOfTcpmux)
  const { response } = await signInWhile(onPortOfTcpmux)
  await expectNobody(response, 502, { fault: 'unacceptable', reason: 'not understood' })
})

const metadata = '/.well-known/openid-configuration'
const anHour = 3600
const invalidResponses: [string, string, (responses: ProviderResponses) => void][] = [
  [
    'the response with the tokens is too long',
    'RESPONSE_TOO_LONG',
    (responses) =>
      Object.assign(responses, { tokens: { status: 200, body: `"${'x'.repeat(1024 * 1024)}"` } }),
  ],
  [
    'the permissions are longer than a body',
    'the claim "permissions" has an unknown form',
    ({ accessToken }) => Object.assign(accessToken, { permissions: Array(10_000).fill('a:permission') }),
  ],
  [
    'the id token is signed with another key',
    'OAUTH_INVALID_RESPONSE: signature',
    ({ signedBy }) => Object.assign(signedBy, { idToken: 'unknown' }),
  ],
  [
    'the access token is signed with another key',
    'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ({ signedBy }) => Object.assign(signedBy, { accessToken: 'unknown' }),
  ],
  [
    'the tokens are not signed',
    'OAUTH_INVALID_RESPONSE: alg',
    (responses) => Object.assign(responses, { algorithm: 'none' }),
  ],
  [
    'the tokens say that they are signed with the client secret',
    'OAUTH_INVALID_RESPONSE: alg',
    (responses) => Object.assign(responses, { algorithm: 'HS256' }),
  ],
  [
    'the id token is for another client',
    'OAUTH_JWT_CLAIM_COMPARISON_FAILED: aud: expected "dashboard", got ["another"]',
    ({ idToken }) => Object.assign(idToken, { aud: ['another'] }),
  ],
  [
    'the id token has several audiences and another authorized party',
    'OAUTH_JWT_CLAIM_COMPARISON_FAILED: azp: expected "dashboard", got "b"',
    ({ idToken }) => Object.assign(idToken, { aud: ['dashboard', 'b'], azp: 'b' }),
  ],
  [
    'the access token is for another client',
    'the access token is for another client: expected "dashboard", got ["another",null] in azp, client_id and aud',
    ({ accessToken }) => Object.assign(accessToken, { azp: 'another' }),
  ],
  [
    'the access token is about somebody else',
    'ERR_JWT_CLAIM_VALIDATION_FAILED: sub',
    ({ accessToken }) => Object.assign(accessToken, { sub: 'max' }),
  ],
  [
    'the id token is of another issuer',
    'OAUTH_JWT_CLAIM_COMPARISON_FAILED: iss: expected "ISSUER", got "https://other.example"',
    ({ idToken }) => Object.assign(idToken, { iss: 'https://other.example' }),
  ],
  [
    'the access token is of another issuer',
    'ERR_JWT_CLAIM_VALIDATION_FAILED: iss: expected "ISSUER", got "https://other.example"',
    ({ accessToken }) => Object.assign(accessToken, { iss: 'https://other.example' }),
  ],
  [
    'the nonce is different',
    'OAUTH_JWT_CLAIM_COMPARISON_FAILED: nonce',
    ({ idToken }) => Object.assign(idToken, { nonce: 'another' }),
  ],
  ['there is no nonce', 'OAUTH_INVALID_RESPONSE: nonce', ({ idToken }) => delete idToken.nonce],
  [
    'the id token has expired',
    'OAUTH_JWT_TIMESTAMP_CHECK_FAILED: exp',
    ({ idToken }) => Object.assign(idToken, { exp: (idToken.exp as number) - anHour }),
  ],
  [
    'the id token is not valid yet',
    'OAUTH_JWT_TIMESTAMP_CHECK_FAILED: nbf',
    ({ idToken }) => Object.assign(idToken, { nbf: (idToken.iat as number) + anHour }),
  ],
  [
    'the access token has expired',
    'ERR_JWT_EXPIRED: exp',
    ({ accessToken }) => Object.assign(accessToken, { exp: (accessToken.exp as number) - anHour }),
  ],
  [
    'the access token has no expiry',
    'ERR_JWT_CLAIM_VALIDATION_FAILED: exp',
    ({ accessToken }) => delete accessToken.exp,
  ],
  [
    'the subject is empty',
    'the claim "sub" has an unknown form',
    ({ idToken, accessToken }) =>
      [idToken, accessToken].forEach((token) => void Object.assign(token, { sub: '' })),
  ],
  [
    'the subject of the id token alone is empty',
    'ERR_JWT_CLAIM_VALIDATION_FAILED: sub',
    ({ idToken }) => Object.assign(idToken, { sub: '' }),
  ],
  ['there is no subject', 'OAUTH_INVALID_RESPONSE: sub', ({ idToken }) => delete idToken.sub],
  [
    'the organisation is not a string',
    'the claim "org_code" has an unknown form',
    ({ accessToken }) => Object.assign(accessToken, { org_code: { id: 1 } }),
  ],
  [
    'the organisation cannot be stored',
    'the claim "org_code" has an unknown form',
    ({ accessToken }) => Object.assign(accessToken, { org_code: 'a\0b' }),
  ],
  [
    'the organisation is too long to be stored',
    'the claim "org_code" has an unknown form',
    ({ accessToken }) => Object.assign(accessToken, { org_code: 'x'.repeat(256) }),
  ],
  [
    'the subject cannot be stored',
    'the claim "sub" has an unknown form',
    ({ idToken, accessToken }) =>
      [idToken, accessToken].forEach((token) => void Object.assign(token, { sub: 'a\0b' })),
  ],
  [
    'the permissions are not a list',
    'the claim "permissions" has an unknown form',
    ({ accessToken }) => Object.assign(accessToken, { permissions: { all: true } }),
  ],
  [
    'there is no id token',
    'OAUTH_INVALID_RESPONSE: id_token',
    (responses) =>
      Object.assign(responses, {
        tokens: { status: 200, body: '{"access_token":"a","token_type":"Bearer"}' },
      }),
  ],
  [
    'the token response is not JSON',
    'OAUTH_PARSE_ERROR',
    (responses) => Object.assign(responses, { tokens: { status: 200, body: '<html>' } }),
  ],
  [
    'the client secret is refused',
    'invalid_client',
    (responses) =>
      Object.assign(responses, {
        tokens: { status: 401, body: '{"error":"invalid_client","error_description":"ada@id.example"}' },
      }),
  ],
  [
    'the client secret is refused with a challenge',
    'invalid_client',
    (responses) =>
      Object.assign(responses, {
        tokens: { status: 401, body: '{}', headers: { 'www-authenticate': 'Basic realm="ada@id.example"' } },
      }),
  ],
  [
    'a challenge names another error',
    'invalid_token',
    (responses) =>
      Object.assign(responses, {
        tokens: { status: 401, body: '{}', headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
      }),
  ],
  [
    'the error code is unknown',
    'an error of its own',
    (responses) => Object.assign(responses, { tokens: { status: 400, body: '{"error":"ada@id.example"}' } }),
  ],
]

test.each(invalidResponses)('nobody is signed in if %s, and the log has %s', async (_, reason, tamper) => {
  const { response } = await signInWhile(tamper)
  await expectNobody(response, 502, { operation: 'signInCallback', fault: 'unacceptable', reason })
})

const requestsFor = (path: string) => provider.requests.filter((request) => request.path === path)
test.each<[string, string, (responses: ProviderResponses) => void]>([
  [
    'the token endpoint does not respond',
    'TimeoutError at ISSUER/token',
    ({ silent }) => silent.push('/token'),
  ],
  ['the keys are not sent', 'TimeoutError at ISSUER/keys', ({ silent }) => silent.push('/keys')],
  [
    'the keys are not sent for the access token',
    'ERR_JWKS_TIMEOUT at ISSUER/keys',
    ({ silent }) => requestsFor('/keys').length > 1 && silent.push('/keys'),
  ],
  [
    'the provider fails',
    'status 503 at ISSUER/token',
    (responses) => Object.assign(responses, { tokens: { status: 503, body: '{}' } }),
  ],
])('nobody is signed in if %s', async (_, reason, tamper) => {
  const { response } = await signInWhile(tamper, { providerTimeoutMs })
  await expectNobody(response, 503, { operation: 'signInCallback', fault: 'unreachable', reason })
})

test('nobody is signed in while the database is locked, which is no fault of the provider', async () => {
  const { response } = await signInWhile(() => {
    service.store.upsertUser = () => Promise.reject(new StoreUnavailableError('locked'))
  })
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(response.headers.getSetCookie()).toEqual([])
  expect(service.lines.join('')).not.toContain('sign-in failed')
})

test('an access token must be for the configured audience', async () => {
  const audience = 'https://api.example'
  const forUs = ({ accessToken }: ProviderResponses) =>
    Object.assign(accessToken, { aud: ['https://other.example', audience] })
  expect((await signInWhile(forUs, { oidcAudience: audience })).response.status).toBe(303)
  await service.close()
  const { response } = await signInWhile(() => {}, { oidcAudience: audience })
  await expectNobody(response, 502, { fault: 'unacceptable' })
})

test.each<[string, number, string, (responses: ProviderResponses) => void]>([
  [
    'has another issuer',
    502,
    'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: issuer: expected "ISSUER/", got "https://other.example"',
    ({ discovery }) => Object.assign(discovery, { issuer: 'https://other.example' }),
  ],
  [
    'has no authorization endpoint',
    502,
    'OAUTH_MISSING_SERVER_METADATA: authorization_endpoint',
    ({ discovery }) => delete discovery.authorization_endpoint,
  ],
  [
    'has no keys',
    502,
    'the metadata "jwks_uri" has an unknown form',
    ({ discovery }) => delete discovery.jwks_uri,
  ],
  [
    'has one way of authentication as a number',
    502,
    'the metadata "token_endpoint_auth_methods_supported" has an unknown form',
    ({ discovery }) => Object.assign(discovery, { token_endpoint_auth_methods_supported: 5 }),
  ],
  [
    'has one algorithm as a text',
    502,
    'the metadata "id_token_signing_alg_values_supported" has an unknown form',
    ({ discovery }) => Object.assign(discovery, { id_token_signing_alg_values_supported: 'ES256' }),
  ],
  [
    'has no metadata',
    502,
    'OAUTH_RESPONSE_IS_NOT_CONFORM: status 404 at ISSUER/.well-known/openid-configuration',
    ({ failing }) => Object.assign(failing, { [metadata]: 404 }),
  ],
  [
    'fails',
    503,
    'status 500 at ISSUER/.well-known/openid-configuration',
    ({ failing }) => Object.assign(failing, { [metadata]: 500 }),
  ],
  [
    'does not respond',
    503,
    'TimeoutError at ISSUER/.well-known/openid-configuration',
    ({ silent }) => silent.push(metadata),
  ],
])('a provider that %s is not used', async (_, status, reason, tamper) => {
  provider.tamper(tamper)
  const limit = reason.startsWith('TimeoutError') ? { providerTimeoutMs } : {}
  service = await startService({ issuer: provider.issuer, clientId: 'dashboard' }, limit)
  const response = await fetch(`${service.url}/auth/sign-in`, { redirect: 'manual' })
  const fault = status === 503 ? 'unreachable' : 'unacceptable'
  await expectNobody(response, status, { operation: 'signIn', fault, reason })
})
