import { Signer } from '@fastify/cookie'
import type * as z from 'zod'
import { parseJson } from '../../contract/parse-json.js'

/**
 * Signs and verifies values: `<purpose>.<value>.<HMAC-SHA-256>`, compared in constant time. The purpose is signed too, so
 * that a value for one purpose is refused for another.
 * @param secrets the first one signs, all of them verify, so that secrets can be rotated
 * @param purpose a word without a full stop
 */
export function createSignedValues<Value>(secrets: string[], purpose: string, schema: z.ZodType<Value>) {
  const signer = new Signer(secrets)
  const prefix = `${purpose}.`

  return {
    /** The value as text, signed with the first secret. */
    sign: (value: Value): string =>
      signer.sign(prefix + Buffer.from(JSON.stringify(value)).toString('base64url')),
    /** The value of a text that any of the secrets signed for this purpose; undefined for every other text. */
    verify(text: string): Value | undefined {
      const { valid, value: signed } = signer.unsign(text)
      if (!valid || !signed?.startsWith(prefix)) return undefined
      // An older version may have signed values of another form.
      return parseJson(Buffer.from(signed.slice(prefix.length), 'base64url').toString(), schema)
    },
  }
}
