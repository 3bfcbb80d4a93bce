import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** What the provider says; a lie changes it. */
export type Story = {
  discovery: Record<string, unknown>
  idToken: JWTPayload
  accessToken: JWTPayload
  /** Which key signs; `known` is the one that the provider publishes. */
  signedBy: { idToken: 'known' | 'unknown'; accessToken: 'known' | 'unknown' }
  algorithm: string
  /** What the token endpoint answers; made of the tokens where it is left out. */
  tokens?: { status: number; body: string }
  /** Endpoints that never answer, by path. */
  silent: string[]
}

export type LyingProvider = {
  issuer: string
  /** Signs in at the provider at once, as it will be told then: gives the address to come back to. */
  authorize(url: URL): string
  /** What is changed in the true story, given it. */
  lie(change: (story: Story) => void): void
  close(): Promise<void>
}

const clientId = 'dashboard'

/** A provider of its own making, that says the truth until it is told to lie. */
export async function startLyingProvider(): Promise<LyingProvider> {
  const known = await generateKeyPair('ES256', { extractable: true })
  const unknown = await generateKeyPair('ES256')
  const privateKeys = { known: known.privateKey, unknown: unknown.privateKey }
  const keys = { keys: [{ ...(await exportJWK(known.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] }

  let change: (story: Story) => void = () => {}
  let nonce = ''
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const story = (): Story => {
    const now = Math.floor(Date.now() / 1000)
    const both = { iss: issuer, sub: 'ada', iat: now, exp: now + 300 }
    const told: Story = {
      discovery: {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/me`,
        id_token_signing_alg_values_supported: ['ES256'],
      },
      idToken: { ...both, aud: [clientId], nonce, email: 'ada@id.example' },
      // As Kinde's where no audience is asked for: for nobody in particular, and held by us.
      accessToken: {
        ...both,
        aud: [],
        azp: clientId,
        org_code: 'org_acme',
        permissions: ['create:projects'],
      },
      signedBy: { idToken: 'known', accessToken: 'known' },
      algorithm: 'ES256',
      silent: [],
    }
    change(told)
    return told
  }

  const sign = ({ algorithm }: Story, claims: JWTPayload, key: 'known' | 'unknown') =>
    algorithm === 'ES256'
      ? new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKeys[key])
      : `${encoded({ alg: algorithm })}.${encoded(claims)}.`

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const told = story()
    const path = request.url ?? ''
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (told.silent.includes(path)) return
    if (path === '/.well-known/openid-configuration') return json(told.discovery)
    if (path === '/keys') return json(keys)
    if (path === '/me') return json({ sub: 'ada', given_name: 'Ada' })
    if (told.tokens) {
      const { status, body } = told.tokens
      return response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    }
    return json({
      token_type: 'Bearer',
      access_token: await sign(told, told.accessToken, told.signedBy.accessToken),
      id_token: await sign(told, told.idToken, told.signedBy.idToken),
    })
  }

  return {
    issuer,
    authorize({ searchParams }) {
      nonce = searchParams.get('nonce') ?? ''
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '' }).toString()
      return back.href
    },
    lie: (lie) => {
      change = lie
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
