import { createPrivateKey, type JsonWebKey } from 'node:crypto'
import type { JWK } from 'jose'
import { parseJson } from '../../contract/parse-json.js'

/** How this service authenticates at the provider. */
export const clientAuths = ['basic', 'post', 'private_key_jwt'] as const
export type ClientAuthName = (typeof clientAuths)[number]

/** A private key with its algorithm and the id that it was given. */
export type ClientKey = JWK & { alg: string }

const algorithms: Record<string, string> = {
  RSA: 'RS256',
  Ed25519: 'Ed25519',
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
}

/** Parses a private key: PEM, also with `\n` for its line ends, or a JWK. Undefined if it cannot sign. */
export function parseClientKey(text: string): ClientKey | undefined {
  const given = parseJson<JsonWebKey & { alg?: string; kid?: string }>(text)
  try {
    const key = createPrivateKey(given ? { key: given, format: 'jwk' } : text.replaceAll('\\n', '\n'))
    const jwk = key.export({ format: 'jwk' }) as JWK
    const alg = given?.alg ?? algorithms[jwk.crv ?? jwk.kty ?? '']
    return alg === undefined ? undefined : { ...jwk, alg, ...(given?.kid && { kid: given.kid }) }
  } catch {
    return undefined
  }
}
