import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { cookieValues } from '../../contract/cookie.js'
import { cookieAttributes } from '../http/cookies.js'
import type { Site } from '../http/site.js'

export type IdTokenHints = ReturnType<typeof createIdTokenHints>

/** Only sign-out needs the hint: its cookies are limited to this path. */
const signOutPath = '/auth/sign-out'
/** A cookie has up to 4 KiB, and most proxies limit all cookies to 8 KiB. */
const names = ['id-token-1', 'id-token-2']
const maxLength = 3_500

/**
 * Stores the id token of a sign-in, encrypted, in cookies of its browser. With this hint the provider knows at sign-out whom
 * to sign out, without asking (OpenID Connect RP-Initiated Logout 1.0, section 2).
 * @param secrets the first one encrypts, all of them decrypt
 */
export function createIdTokenHints(secrets: string[], site: Site) {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'id-token-hint', 32)))
  const setCookie = (reply: FastifyReply, name: string, value: string, seconds: number) =>
    reply.setCookie(name, value, {
      ...cookieAttributes(name, site.origin(), seconds),
      path: site.pathOf(signOutPath),
    })

  return {
    /** Returns false, and stores nothing, if the token is too long. */
    store(reply: FastifyReply, idToken: string, seconds: number): boolean {
      const sealed = seal(keys[0] as Buffer, idToken)
      const fits = sealed.length <= names.length * maxLength
      for (const [i, name] of names.entries()) {
        const part = fits ? sealed.slice(i * maxLength, (i + 1) * maxLength) : ''
        setCookie(reply, name, part, part ? seconds : 0)
      }
      return fits
    },
    read(cookie: string | undefined): string | undefined {
      const sealed = names.map((name) => cookieValues(cookie, name)[0] ?? '').join('')
      if (sealed === '') return undefined
      return keys.map((key) => unseal(key, sealed)).find((token) => token !== undefined)
    },
    clear(reply: FastifyReply): void {
      for (const name of names) setCookie(reply, name, '', 0)
    },
  }
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

function seal(key: Buffer, text: string): string {
  const iv = randomBytes(ivBytes)
  const sealing = createCipheriv(cipher, key, iv)
  const sealed = [sealing.update(deflateRawSync(text)), sealing.final()]
  return Buffer.concat([iv, sealing.getAuthTag(), ...sealed]).toString('base64url')
}

function unseal(key: Buffer, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    const opened = [opening.update(bytes.subarray(ivBytes + tagBytes)), opening.final()]
    return inflateRawSync(Buffer.concat(opened)).toString()
  } catch {
    // Another service or secret wrote it, or one of two cookies is missing.
    return undefined
  }
}
