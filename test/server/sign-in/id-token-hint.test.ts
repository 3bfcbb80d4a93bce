import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import type { Site } from '../../../src/server/http/site.js'
import { createIdTokenHints } from '../../../src/server/sign-in/id-token-hint.js'

const site = { origin: () => 'https://api.example.com', pathOf: (path: string) => path } as Site
const [first, second] = ['a'.repeat(32), 'b'.repeat(32)]

/** The cookies that a browser has after a reply. */
function stored(token: string, secrets = [first]) {
  const cookies: Record<string, { value: string; options: object }> = {}
  const reply = {
    setCookie: (name: string, value: string, options: object) => {
      cookies[name] = { value, options }
    },
  } as unknown as FastifyReply
  const isStored = createIdTokenHints(secrets, site).store(reply, token, 60)
  const header = Object.entries(cookies)
    .filter(([, { value }]) => value !== '')
    .map(([name, { value }]) => `${name}=${value}`)
    .join('; ')
  return { isStored, cookies, header }
}
const tokenOf = (bytes: number) => `eyJ.${randomBytes(bytes).toString('base64url')}`

test.each([100, 2_000, 4_500])(
  'an id token with %s bytes is stored and read unchanged, and cannot be read by others',
  (bytes) => {
    const token = tokenOf(bytes)
    const { isStored, cookies, header } = stored(token)
    expect(isStored).toBe(true)
    expect(header).not.toContain(token.slice(0, 40))
    for (const { value, options } of Object.values(cookies)) {
      expect(value.length).toBeLessThan(4_000)
      expect(options).toMatchObject({ path: '/auth/sign-out', httpOnly: true, secure: true, sameSite: 'lax' })
    }
    const read = (secrets: string[], cookie = header) =>
      createIdTokenHints(secrets, site).read(`session=x; ${cookie}`)
    expect(read([first])).toBe(token)
    expect(read([second, first])).toBe(token)
    expect(read([second])).toBeUndefined()
    expect(read([first], header.replace(/=(...)/, '=AAA'))).toBeUndefined()
    expect(read([first], 'id-token-1=AAAA')).toBeUndefined()
    expect(read([first], '')).toBeUndefined()
  },
)

test('an id token that is too long for cookies is not stored, and the previous one is removed', () => {
  const { isStored, cookies } = stored(tokenOf(8_000))
  expect(isStored).toBe(false)
  expect(Object.values(cookies)).toHaveLength(2)
  for (const cookie of Object.values(cookies))
    expect(cookie).toMatchObject({ value: '', options: { maxAge: 0 } })
})
