import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { AppOptions } from '../../../src/server/app.js'
import { defaultClaims } from '../../../src/server/settings/settings-table.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createBrowser } from '../../oidc/browser.js'
import { type Service, startService } from '../../oidc/sign-in-flow.js'
import {
  type Changes,
  startUntrustedProvider,
  type UntrustedProvider,
} from '../../oidc/untrusted-provider.js'

/** The time limit of tests whose provider does not respond, in ms: long enough for a busy machine. */
const providerTimeoutMs = 3_000

let provider: UntrustedProvider
let service: Service
beforeAll(async () => {
  provider = await startUntrustedProvider()
})
afterEach(async () => {
  provider.tamper()
  await service.close()
})
afterAll(() => provider.close())

/** Starts a sign-in, changes the valid responses of the provider, and requests the callback. */
async function signInWhile(changes: Changes | (() => Changes) = {}, options: Partial<AppOptions> = {}) {
  service = await startService(
    { issuer: provider.issuer, clientId: 'dashboard', clientSecret: 'secret' },
    { oidcAccessClaims: 'access-token', ...options },
  )
  const browser = createBrowser()
  // The metadata are read when the sign-in begins.
  if ('discovery' in changes) provider.tamper(changes)
  const begun = await browser.request(`${service.url}/auth/sign-in?returnTo=/v1/auth/me`)
  const back = provider.authorize(new URL(begun.headers.get('location') ?? ''))
  provider.tamper(changes)
  return { browser, response: await browser.request(back) }
}

/** The session bundle after a sign-in. */
async function bundleWhile(...args: Parameters<typeof signInWhile>) {
  const { browser, response } = await signInWhile(...args)
  expect(response.status).toBe(303)
  return (await browser.request(`${service.url}/v1/auth/me`)).json()
}

/** What the page says of all reasons: a provider that is down, refuses, is slow or sends what cannot be used. */
const said = {
  502: 'Sign-in at the identity provider failed. If this happens again, tell the operator of this service.',
  503: 'The identity provider cannot be used now. Try again in a minute.',
}

/** Expects a failed sign-in: a page, a log line without data of the provider, no cookie, no session, no user. */
async function expectRefused(response: Response, status: 502 | 503, operation: string, reason: string) {
  expect(response.status).toBe(status)
  expect(response.headers.get('retry-after')).toBe(status === 503 ? '60' : null)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await response.text()).toContain(
    `<p>${said[status]}</p>\n<p><a href="/auth/sign-in">Sign in again</a>`,
  )
  expect(response.headers.getSetCookie().filter((cookie) => cookie.startsWith('session='))).toEqual([])
  const { users, sessions } = await service.store.export()
  expect([users, sessions].flat().filter((row) => 'issuer' in row || row.id.startsWith('ses_'))).toEqual([])
  const fault = status === 503 ? 'unreachable' : 'unacceptable'
  expect(logged('sign-in failed')).toMatchObject([
    { operation, fault, reason: reason.replace('ISSUER', provider.issuer) },
  ])
  for (const canary of ['ada@', 'a-code', 'secret', 'eyJ']) {
    expect(service.lines.slice(1).join('')).not.toContain(canary)
  }
}
const logged = (msg: string) =>
  service.lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg)

test.each<[string, Changes, string]>([
  ['lacks', {}, ''],
  [
    'has as null',
    {
      idToken: { given_name: null, org_code: null, permissions: null },
      userInfo: { org_code: 'org_acme' },
    },
    'org_acme',
  ],
])('claims that the id token %s come from the UserInfo endpoint', async (_, changes, orgCode) => {
  expect(await bundleWhile(changes, { oidcAccessClaims: 'id-token' })).toMatchObject({
    user: { email: 'ada@id.example', givenName: 'Ada' },
    organization: { orgCode },
  })
})

const oidcClaims = {
  ...defaultClaims,
  organization: 'https://x.example/org.code',
  permissions: 'realm_access.roles',
}
const roles = { realm_access: { roles: ['update:projects'] } }
test.each<[AppOptions['oidcAccessClaims'], Changes]>([
  ['access-token', { accessToken: { 'https://x.example/org': { code: 'org_acme' }, ...roles } }],
  [
    'id-token',
    {
      idToken: { 'https://x.example/org': { code: 'org_acme' }, realm_access: {} },
      userInfo: { 'https://x.example/org': { code: 'org_other' }, ...roles },
    },
  ],
])('claims are found by their paths in the %s', async (oidcAccessClaims, changes) => {
  expect(await bundleWhile(changes, { oidcAccessClaims, oidcClaims })).toMatchObject({
    organization: { orgCode: 'org_acme' },
    permissions: ['update:projects'],
  })
})

test.each<[string, Changes, object]>([
  [
    'a profile field that is longer than a body is left empty',
    { idToken: { picture: `data:,${'x'.repeat(64 * 1024)}` } },
    { user: { email: 'ada@id.example', picture: '' } },
  ],
  [
    'a blank organisation is none',
    { accessToken: { org_code: ' \t' } },
    { organization: { orgCode: '' }, teamId: '' },
  ],
  [
    'an address is stored as it is looked for',
    { idToken: { email: ' Ada@ID.example\n' } },
    { user: { email: 'ada@id.example' } },
  ],
])('%s', async (_, changes, bundle) => {
  expect(await bundleWhile(changes, { provisionTeams: true })).toMatchObject(bundle)
})

const withRights = { org_code: 'org_acme', permissions: ['create:projects'] }
test.each<[string, string, Changes]>([
  ['fails', 'status 500 at ISSUER/me', { failing: { '/me': 500 } }],
  ['does not respond', 'TimeoutError at ISSUER/me', { silent: ['/me'] }],
  ['is about another user', 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: sub', { userInfo: { sub: 'max' } }],
])(
  'the sign-in succeeds though a UserInfo endpoint %s, if only shown claims are missing',
  async (_, reason, changes) => {
    const options = { oidcAccessClaims: 'id-token', providerTimeoutMs: 1_500 } as const
    expect(await bundleWhile({ idToken: withRights, ...changes }, options)).toMatchObject({
      user: { email: 'ada@id.example', givenName: '' },
      permissions: ['create:projects'],
    })
    const remark = `the UserInfo endpoint has failed: ${reason.replace('ISSUER', provider.issuer)}`
    expect(logged('signed in, with remarks')).toMatchObject([{ remarks: [remark] }])
  },
)

test.each(['org_code', 'permissions'])(
  'the sign-in fails if the UserInfo endpoint fails and may have the claim %s',
  async (name) => {
    const { response } = await signInWhile(
      { idToken: { ...withRights, [name]: undefined }, failing: { '/me': 500 } },
      { oidcAccessClaims: 'id-token' },
    )
    await expectRefused(response, 503, 'signInCallback', 'status 500 at ISSUER/me')
  },
)

test('claims that users will miss are logged by name, without their values', async () => {
  await bundleWhile({
    idToken: { email: undefined, name: 'Ada Osei' },
    accessToken: { permissions: 'create:projects,update:projects' },
  })
  const remarks = [/"email"/, /"name".*"given_name".*"family_name"/, /"permissions" has commas/]
  expect(logged('signed in, with remarks')).toMatchObject([
    { remarks: remarks.map((remark) => expect.stringMatching(remark)) },
  ])
  expect(service.lines.join('')).not.toContain('Osei')
})

test.each(['given_name', 'family_name'])('a claim "name" beside %s is not logged', async (part) => {
  await bundleWhile({ idToken: { name: 'Ada Osei', [part]: 'Ada' } })
  expect(logged('signed in, with remarks')).toEqual([])
})

test('the UserInfo endpoint is not requested if the id token has all claims', async () => {
  const complete = { org_code: '', permissions: [], given_name: 'Ada', family_name: 'Osei', picture: '' }
  const { response } = await signInWhile({ idToken: complete }, { oidcAccessClaims: 'id-token' })
  expect(response.status).toBe(303)
  expect(provider.requests.map(({ path }) => path)).toEqual(['/token', '/keys'])
})

test('claims that the id token lacks stay empty if the provider has no UserInfo endpoint', async () => {
  const { user } = await bundleWhile(
    { discovery: { userinfo_endpoint: undefined } },
    { oidcAccessClaims: 'id-token' },
  )
  expect(user).toMatchObject({ email: 'ada@id.example', givenName: '' })
})

const tokens = (status: number, body: string, headers = {}): Changes => ({
  tokens: { status, body, headers },
})
const unknownForm = (claim: string) => `the claim "${claim}" has an unknown form`
// There are no rows for checks of openid-client, such as the expiry of the id token.
test.each<[string, string, Changes]>([
  ['the tokens are too long', 'RESPONSE_TOO_LONG', tokens(200, `"${'x'.repeat(1024 * 1024)}"`)],
  [
    'the id token is signed with another key',
    'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    { signedBy: { idToken: 'unknown' } },
  ],
  [
    'the access token is signed with another key',
    'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    { signedBy: { accessToken: 'unknown' } },
  ],
  ['the tokens are not signed', 'OAUTH_INVALID_RESPONSE: alg', { algorithm: 'none' }],
  ['the client secret has signed the tokens', 'OAUTH_INVALID_RESPONSE: alg', { algorithm: 'HS256' }],
  [
    'the id token is for another client',
    'OAUTH_JWT_CLAIM_COMPARISON_FAILED: aud: expected "dashboard", got ["another"]',
    { idToken: { aud: ['another'] } },
  ],
  [
    'the access token is for another client',
    'the access token is for another client: expected "dashboard", got ["another",null] in azp, client_id and aud',
    { accessToken: { azp: 'another' } },
  ],
  [
    'the access token is about another user',
    'ERR_JWT_CLAIM_VALIDATION_FAILED: sub',
    { accessToken: { sub: 'max' } },
  ],
  [
    'the access token is of another issuer',
    'ERR_JWT_CLAIM_VALIDATION_FAILED: iss: expected "ISSUER", got "https://other.example"',
    { accessToken: { iss: 'https://other.example' } },
  ],
  ['the nonce is different', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED: nonce', { idToken: { nonce: 'another' } }],
  ['there is no nonce', 'OAUTH_INVALID_RESPONSE: nonce', { idToken: { nonce: undefined } }],
  ['the access token has expired', 'ERR_JWT_EXPIRED: exp', { accessToken: { exp: 1 } }],
  [
    'the access token has no expiry',
    'ERR_JWT_CLAIM_VALIDATION_FAILED: exp',
    { accessToken: { exp: undefined } },
  ],
  ['the subject is empty', unknownForm('sub'), { idToken: { sub: '' }, accessToken: { sub: '' } }],
  [
    'the subject cannot be stored',
    unknownForm('sub'),
    { idToken: { sub: 'a\0b' }, accessToken: { sub: 'a\0b' } },
  ],
  ['the organisation is not a string', unknownForm('org_code'), { accessToken: { org_code: { id: 1 } } }],
  ['the organisation cannot be stored', unknownForm('org_code'), { accessToken: { org_code: 'a\0b' } }],
  ['the organisation is too long', unknownForm('org_code'), { accessToken: { org_code: 'x'.repeat(256) } }],
  [
    'the permissions are no list',
    unknownForm('permissions'),
    { accessToken: { permissions: { all: true } } },
  ],
  [
    'the permissions are longer than a body',
    unknownForm('permissions'),
    { accessToken: { permissions: Array(10_000).fill('a:permission') } },
  ],
  ['the client secret is refused', 'invalid_client', tokens(401, '{"error":"invalid_client"}')],
  [
    'the client secret is refused with a challenge',
    'invalid_client',
    tokens(401, '{}', { 'www-authenticate': 'Basic realm="ada@id.example"' }),
  ],
  ['the error code is unknown', 'an error of its own', tokens(400, '{"error":"ada@id.example"}')],
])('the sign-in fails if %s, and the log has %s', async (_, reason, changes) => {
  const { response } = await signInWhile(changes)
  await expectRefused(response, 502, 'signInCallback', reason)
})

test('the sign-in fails if the value at the path of a claim has an unknown form', async () => {
  const { response } = await signInWhile(
    { accessToken: { realm_access: { roles: { admin: true } } } },
    { oidcClaims },
  )
  await expectRefused(response, 502, 'signInCallback', unknownForm('realm_access.roles'))
})

test.each([
  [
    '_claim_names',
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } },
  ],
  ['hasgroups', { hasgroups: true }],
])(
  'the sign-in fails if the provider announces groups by %s, and does not send them',
  async (by, idToken) => {
    const options = {
      oidcAccessClaims: 'id-token',
      oidcClaims: { ...defaultClaims, permissions: 'groups' },
      defaultPermissions: ['create:projects'],
    } as const
    const { response } = await signInWhile(
      { idToken },
      { ...options, defaultPermissions: [...options.defaultPermissions] },
    )
    await expectRefused(
      response,
      502,
      'signInCallback',
      `the provider announces the claim "groups" by ${by} and does not send it: let it put the values into the token, at ` +
        'Entra ID by emitting only the groups that are assigned to the application, or app roles',
    )
    await service.close()
    // Sent by the UserInfo endpoint, or not needed.
    expect(
      await bundleWhile({ idToken, userInfo: { groups: ['a'] } }, { ...options, defaultPermissions: [] }),
    ).toMatchObject({ permissions: ['a'] })
  },
)

test('the sign-in fails if the provider names an address that cannot be fetched', async () => {
  const { response } = await signInWhile({ discovery: { token_endpoint: 'http://127.0.0.1:1/token' } })
  await expectRefused(response, 502, 'signInCallback', 'not understood')
})

test.each<[string, string, Changes | (() => Changes)]>([
  ['the token endpoint does not respond', 'TimeoutError at ISSUER/token', { silent: ['/token'] }],
  ['the keys are not sent', 'ERR_JWKS_TIMEOUT at ISSUER/keys', { silent: ['/keys'] }],
  ['the provider fails', 'status 503 at ISSUER/token', tokens(503, '{}')],
])('the sign-in fails if %s', async (_, reason, changes) => {
  const { response } = await signInWhile(changes, { providerTimeoutMs })
  await expectRefused(response, 503, 'signInCallback', reason)
})

test('the sign-in fails while the database is locked, which is not a fault of the provider', async () => {
  const { response } = await signInWhile(() => {
    service.store.upsertUser = () => Promise.reject(new StoreUnavailableError('locked'))
    return {}
  })
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(response.headers.getSetCookie()).toEqual([])
  expect(logged('sign-in failed')).toEqual([])
})

test('an access token must be for the configured audience', async () => {
  const oidcAudience = 'https://api.example'
  const { response } = await signInWhile({}, { oidcAudience })
  const reason = `ERR_JWT_CLAIM_VALIDATION_FAILED: aud: expected "${oidcAudience}", got []`
  await expectRefused(response, 502, 'signInCallback', reason)
  await service.close()
  await bundleWhile({ accessToken: { aud: ['https://other.example', oidcAudience] } }, { oidcAudience })
})

const metadata = '/.well-known/openid-configuration'
test.each<[string, 502 | 503, string, Changes]>([
  [
    'has another issuer',
    502,
    'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: issuer: expected "ISSUER/", got "https://other.example"',
    { discovery: { issuer: 'https://other.example' } },
  ],
  [
    'has no authorization endpoint',
    502,
    'OAUTH_MISSING_SERVER_METADATA: authorization_endpoint',
    { discovery: { authorization_endpoint: undefined } },
  ],
  ['has no keys', 502, 'the metadata "jwks_uri" has an unknown form', { discovery: { jwks_uri: undefined } }],
  [
    'has one algorithm as a text',
    502,
    'the metadata "id_token_signing_alg_values_supported" has an unknown form',
    { discovery: { id_token_signing_alg_values_supported: 'ES256' } },
  ],
  [
    'has one way of authentication as a number',
    502,
    'the metadata "token_endpoint_auth_methods_supported" has an unknown form',
    { discovery: { token_endpoint_auth_methods_supported: 5 } },
  ],
  [
    'has no metadata',
    502,
    `OAUTH_RESPONSE_IS_NOT_CONFORM: status 404 at ISSUER${metadata}`,
    { failing: { [metadata]: 404 } },
  ],
  ['fails', 503, `status 500 at ISSUER${metadata}`, { failing: { [metadata]: 500 } }],
  ['does not respond', 503, `TimeoutError at ISSUER${metadata}`, { silent: [metadata] }],
])('a provider that %s is not used', async (_, status, reason, changes) => {
  provider.tamper(changes)
  const limit = changes.silent ? { providerTimeoutMs } : {}
  service = await startService({ issuer: provider.issuer, clientId: 'dashboard' }, limit)
  const response = await fetch(`${service.url}/auth/sign-in`, { redirect: 'manual' })
  await expectRefused(response, status, 'signIn', reason)
})
