import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { parseClientKey } from '../../../src/server/settings/client-key.js'
import { createIdentityProvider } from '../../../src/server/sign-in/identity-provider.js'
import { startUntrustedProvider } from '../../oidc/untrusted-provider.js'
import { testSettings } from '../server-harness.js'

type Auth = Partial<
  Pick<typeof testSettings, 'oidcClientId' | 'oidcClientSecret' | 'oidcClientAuth' | 'oidcClientKey'>
>

/** The request that redeems a code. */
async function redeem(settings: Auth, methods?: readonly string[]) {
  const provider = await startUntrustedProvider()
  onTestFinished(provider.close)
  provider.tamper({ discovery: { token_endpoint_auth_methods_supported: methods } })
  const named = { oidcIssuer: provider.issuer, oidcClientId: 'dashboard', ...settings }
  const client = createIdentityProvider({ ...testSettings, ...named }, 1000)
  const { checks } = await client.begin('http://127.0.0.1:1/auth/callback')
  await client
    .finish(new URL(`http://127.0.0.1:1/auth/callback?code=a&state=${checks.state}`), checks)
    .catch(() => {})
  const { authorization = '', body = '' } = provider.requests.find(({ path }) => path === '/token') ?? {}
  return {
    issuer: provider.issuer,
    basic: Buffer.from(authorization.replace('Basic ', ''), 'base64').toString(),
    body: Object.fromEntries(new URLSearchParams(body)),
  }
}

test.each([
  ['0b6f4a3e-7b57-4a55-8f0e-6d1b2f2f9d7a', 'a-b_c.d~e*f', '0b6f4a3e-7b57-4a55-8f0e-6d1b2f2f9d7a:a-b_c.d~e*f'],
  ['a:b', "1 + 1 = 2 % 3 & 4 ! ( ' ) ü", 'a%3Ab:1+%2B+1+%3D+2+%25+3+%26+4+%21+%28+%27+%29+%C3%BC'],
])(
  'client_secret_basic of %s is encoded as forms are, and no more',
  async (oidcClientId, oidcClientSecret, sent) => {
    const { basic } = await redeem({ oidcClientId, oidcClientSecret })
    expect(basic).toBe(sent)
    // The values that a decoding provider reads.
    const [id, secret] = sent.split(':').map((part) => new URLSearchParams(`x=${part}`).get('x'))
    expect([id, secret]).toEqual([oidcClientId, oidcClientSecret])
  },
)

test.each([
  ['basic', undefined, undefined],
  ['basic', ['client_secret_post', 'client_secret_basic'], undefined],
  ['post', ['client_secret_post'], undefined],
  ['post', undefined, 'post'],
  ['basic', ['client_secret_post'], 'basic'],
] as const)(
  'the secret is sent as %s if the metadata have %j and the setting is %s',
  async (used, methods, auth) => {
    const { basic, body } = await redeem({ oidcClientSecret: 'secret', oidcClientAuth: auth }, methods)
    expect(basic).toBe(used === 'basic' ? 'dashboard:secret' : '')
    expect(body.client_secret).toBe(used === 'basic' ? undefined : 'secret')
  },
)

test('a key takes precedence over a secret', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const { basic, body } = await redeem({ oidcClientSecret: 'secret', oidcClientKey: parseClientKey(pem) })
  expect([basic, body.client_secret]).toEqual(['', undefined])
  expect(body.client_assertion).toMatch(/^eyJ/)
})

test.each([
  ['rsa', { modulusLength: 2048 }, 'RS256'],
  ['ec', { namedCurve: 'P-384' }, 'ES384'],
  ['ed25519', {}, 'Ed25519'],
] as const)('private_key_jwt signs with a key of %s', async (type, options, alg) => {
  const { privateKey, publicKey } = generateKeyPairSync(type as 'rsa', options as { modulusLength: number })
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'k1' }
  for (const [text, kid] of [[pem], [pem.replaceAll('\n', '\\n')], [JSON.stringify(jwk), 'k1']] as [
    string,
    string?,
  ][]) {
    const { issuer, basic, body } = await redeem({ oidcClientKey: parseClientKey(text) })
    expect(basic).toBe('')
    expect(body).not.toHaveProperty('client_secret')
    const { payload, protectedHeader } = await jwtVerify(body.client_assertion ?? '', publicKey, {
      audience: issuer,
      issuer: 'dashboard',
      subject: 'dashboard',
      requiredClaims: ['jti', 'exp'],
    })
    expect(payload.jti).not.toBe('')
    expect(protectedHeader).toMatchObject({ alg, ...(kid && { kid }) })
  }
})

test('a text without a private key that can sign is not a key', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const x25519 = generateKeyPairSync('x25519').privateKey
  const texts = [
    '{}',
    'secret',
    String(publicKey.export({ type: 'spki', format: 'pem' })),
    String(x25519.export({ type: 'pkcs8', format: 'pem' })),
  ]
  expect(texts.map(parseClientKey)).toEqual(texts.map(() => undefined))
})
