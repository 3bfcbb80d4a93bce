import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { cookieValues } from '../../contract/cookie.js'
import { setCookie } from '../http/cookies.js'
import type { Site } from '../http/site.js'
import { hasHeaderRoom } from './header-room.js'

export type IdTokenHints = ReturnType<typeof createIdTokenHints>

/** Only sign-out needs the hint: its cookie is limited to this path. */
const signOutPath = '/auth/sign-out'
const name = 'id-token'

/**
 * Stores the id token of a sign-in, encrypted, in a cookie of its browser. With this hint the provider knows at sign-out whom
 * to sign out, without asking (OpenID Connect RP-Initiated Logout 1.0, section 2).
 * @param secrets the first one encrypts, all of them decrypt
 */
export function createIdTokenHints(secrets: string[], site: Site) {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'id-token-hint', 32)))
  const set = (reply: FastifyReply, value: string, seconds: number) =>
    setCookie(reply, site, name, value, seconds, site.pathOf(signOutPath))

  return {
    /**
     * Returns false, and stores nothing, if a token is too long for the headers of the response.
     * @param more the length of the headers that follow, in characters
     */
    store(reply: FastifyReply, idToken: string, seconds: number, more: number): boolean {
      const sealed = seal(keys[0] as Buffer, idToken)
      const fits = hasHeaderRoom(reply, sealed.length + more)
      set(reply, fits ? sealed : '', fits ? seconds : 0)
      return fits
    },
    read(cookie: string | undefined): string | undefined {
      const [sealed] = cookieValues(cookie, name)
      return sealed && keys.map((key) => unseal(key, sealed)).find((token) => token !== undefined)
    },
    clear: (reply: FastifyReply): void => set(reply, '', 0),
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
    // Another service or secret wrote it.
    return undefined
  }
}
