import { Signer } from '@fastify/cookie'
import type * as z from 'zod'

/** So many texts are remembered with what they say: some hundred kilobytes. */
const maxOpened = 1000

export type SignedValues<Value> = {
  /** The value as text, signed with the first secret. */
  sign(value: Value): string
  /** The value of a text that any of the secrets has signed for this purpose, undefined for any other text. */
  verify(text: string): Value | undefined
}

/**
 * Makes and reads signed values: `<purpose>.<value>.<HMAC-SHA-256>`, compared in constant time. A signature says
 * nothing of what it is for, so the purpose is inside what is signed: what was signed for one is refused as another.
 * @param secrets the first one signs, all of them verify, so that secrets can be rotated
 * @param purpose a word without a full stop
 */
export function createSignedValues<Value>(
  secrets: string[],
  purpose: string,
  schema: z.ZodType<Value>,
): SignedValues<Value> {
  const signer = new Signer(secrets)
  const start = `${purpose}.`
  // What a text says never changes: verified once, it need not be verified again. What is refused is not kept.
  const opened = new Map<string, Value>()

  /** Signed is not the same as understood: an older version of this code may have signed other values. */
  const parse = (text: string): Value | undefined => {
    try {
      return schema.safeParse(JSON.parse(text)).data
    } catch {
      return undefined
    }
  }

  return {
    sign: (value) => signer.sign(start + Buffer.from(JSON.stringify(value)).toString('base64url')),
    verify(text) {
      const known = opened.get(text)
      if (known !== undefined) return known
      const { valid, value: signed } = signer.unsign(text)
      if (!valid || !signed?.startsWith(start)) return undefined
      const value = parse(Buffer.from(signed.slice(start.length), 'base64url').toString())
      if (opened.size === maxOpened) opened.clear()
      if (value !== undefined) opened.set(text, value)
      return value
    },
  }
}
