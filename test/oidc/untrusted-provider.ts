import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

type TokenReply = { status: number; body: string; headers?: Record<string, string> }

/** The responses of the provider. */
type Responses = {
  discovery: Record<string, unknown>
  idToken: JWTPayload
  accessToken: JWTPayload
  userInfo: Record<string, unknown>
  /** The key that signs each token. The provider publishes only `known`. */
  signedBy: { idToken: 'known' | 'unknown'; accessToken: 'known' | 'unknown' }
  algorithm: string
  /** The response of the token endpoint, instead of the tokens above. */
  tokens?: TokenReply | ((request: ReceivedRequest) => TokenReply)
  /** The paths of endpoints that never respond. */
  silent: string[]
  /** The status of endpoints that fail, by path. */
  failing: Record<string, number>
  /** The published keys: `knownKey` until a test changes them. */
  keys: JWK[]
}

/** Changes of the responses: fields of objects are merged (`undefined` removes one), other values replaced. */
export type Changes = {
  [Part in keyof Responses]?: Responses[Part] extends object ? Partial<Responses[Part]> : Responses[Part]
}

export type LogoutToken = {
  claims?: JWTPayload
  header?: { kid?: string | undefined; typ?: string | undefined }
}

export type ReceivedRequest = { path: string; authorization: string | undefined; body: string }

export type UntrustedProvider = {
  issuer: string
  /** Signs in without a page. @returns the callback URL of the redirect */
  authorize(url: URL): string
  /** Changes the valid responses until the next call. A function is called at each request. */
  tamper(changes?: Changes | (() => Changes)): void
  /** Creates a logout token, which is valid unless its claims or header are changed. */
  logoutToken(change?: LogoutToken, signedBy?: Signer): Promise<string>
  /** The public keys of the first signer, and of the one that signs next. */
  knownKey: JWK
  nextKey: JWK
  /** The requests since the last call of `tamper`. */
  requests: ReceivedRequest[]
  close(): Promise<void>
}

export type Signer = 'known' | 'next' | 'unknown' | 'client secret' | 'nobody'

const clientId = 'dashboard'

/** Starts a minimal provider. Its responses are valid until a test changes them. */
export async function startUntrustedProvider(): Promise<UntrustedProvider> {
  const known = await generateKeyPair('ES256', { extractable: true })
  const unknown = await generateKeyPair('ES256')
  const next = await generateKeyPair('ES256', { extractable: true })
  const privateKeys = { known: known.privateKey, next: next.privateKey, unknown: unknown.privateKey }
  const nextKey = { ...(await exportJWK(next.publicKey)), kid: 'k2', alg: 'ES256', use: 'sig' }
  const knownKey = { ...(await exportJWK(known.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }

  let changes: () => Changes = () => ({})
  let nonce = ''
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const currentResponses = (): Responses => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, sub: 'ada', iat: now, exp: now + 300 }
    const responses: Responses = {
      discovery: {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/me`,
        id_token_signing_alg_values_supported: ['ES256'],
      },
      idToken: { ...claims, aud: [clientId], nonce, email: 'ada@id.example' },
      // As with Kinde if no audience was requested: no audience, but the client as authorized party.
      accessToken: {
        ...claims,
        aud: [],
        azp: clientId,
        org_code: 'org_acme',
        permissions: ['create:projects'],
      },
      userInfo: { sub: 'ada', given_name: 'Ada' },
      signedBy: { idToken: 'known', accessToken: 'known' },
      algorithm: 'ES256',
      silent: [],
      failing: {},
      keys: [knownKey],
    }
    for (const [part, change] of Object.entries(changes())) {
      const valid = responses[part as keyof Responses]
      const isMerged = typeof valid === 'object' && !Array.isArray(valid)
      Object.assign(responses, { [part]: isMerged ? { ...valid, ...(change as object) } : change })
    }
    return responses
  }

  const sign = ({ algorithm }: Responses, claims: JWTPayload, key: 'known' | 'unknown') =>
    algorithm === 'ES256'
      ? new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKeys[key])
      : `${encode({ alg: algorithm })}.${encode(claims)}.`

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    let body = ''
    for await (const chunk of request) body += chunk
    const received = { path, authorization: request.headers.authorization, body }
    requests.push(received)
    const current = currentResponses()
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (current.silent.includes(path)) return
    const failure = current.failing[path]
    if (failure) return response.writeHead(failure).end()
    if (path === '/.well-known/openid-configuration') return json(current.discovery)
    if (path === '/keys') return json({ keys: current.keys })
    if (path === '/me') return json(current.userInfo)
    if (current.tokens) {
      const { tokens } = current
      const { status, body, headers } = typeof tokens === 'function' ? tokens(received) : tokens
      return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    }
    return json({
      token_type: 'Bearer',
      access_token: await sign(current, current.accessToken, current.signedBy.accessToken),
      id_token: await sign(current, current.idToken, current.signedBy.idToken),
    })
  }

  return {
    issuer,
    requests,
    knownKey,
    nextKey,
    authorize({ searchParams }) {
      nonce = searchParams.get('nonce') ?? ''
      const callback = new URL(searchParams.get('redirect_uri') ?? '')
      callback.search = new URLSearchParams({
        code: 'a-code',
        state: searchParams.get('state') ?? '',
      }).toString()
      return callback.href
    },
    async logoutToken(change = {}, signedBy = 'known') {
      const iat = Math.floor(Date.now() / 1000)
      const claims: JWTPayload = {
        ...{ iss: issuer, aud: clientId, sub: 'ada', sid: 'sid-1', iat, exp: iat + 120 },
        ...{ jti: randomUUID(), events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
        ...change.claims,
      }
      const header = { alg: 'ES256', kid: 'k1', typ: 'logout+jwt', ...change.header }
      if (signedBy === 'nobody') return `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`
      if (signedBy === 'client secret') {
        const secret = new TextEncoder().encode('secret')
        return new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret)
      }
      return new SignJWT(claims).setProtectedHeader(header).sign(privateKeys[signedBy])
    },
    tamper(next = {}) {
      changes = typeof next === 'function' ? next : () => next
      requests.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
