import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import type { Site } from '../../../src/server/http/site.js'
import { createIdTokenHints } from '../../../src/server/sign-in/id-token-hint.js'

const site = { origin: () => 'https://api.example.com', pathOf: (path: string) => path } as Site
const [first, second] = ['a'.repeat(32), 'b'.repeat(32)]

/** The cookie of a reply, and as a browser sends it. */
function stored(token: string, headers: Record<string, string> = {}) {
  let cookie = ''
  const reply = {
    request: {},
    getHeaders: () => headers,
    header(_name: string, value: string) {
      cookie = value
    },
  } as unknown as FastifyReply
  const isStored = createIdTokenHints([first], site).store(reply, token, 60, 0)
  return { isStored, cookie, header: cookie.split(';')[0] as string }
}
const tokenOf = (bytes: number) => `eyJ.${randomBytes(bytes).toString('base64url')}`

test.each([100, 2_000])(
  'an id token with %s bytes is stored and read unchanged, and cannot be read by others',
  (bytes) => {
    const token = tokenOf(bytes)
    const { isStored, cookie, header } = stored(token)
    expect(isStored).toBe(true)
    expect(header).not.toContain(token.slice(0, 40))
    expect(cookie).toMatch(/; Max-Age=60; Path=\/auth\/sign-out; HttpOnly; Secure; SameSite=Lax$/)
    const read = (secrets: string[], sent = header) =>
      createIdTokenHints(secrets, site).read(`session=x; ${sent}`)
    expect(read([first])).toBe(token)
    expect(read([second, first])).toBe(token)
    expect(read([second])).toBeUndefined()
    expect(read([first], header.replace(/=(...)/, '=AAA'))).toBeUndefined()
    expect(read([first], 'id-token=AAAA')).toBeUndefined()
    expect(read([first], '')).toBeUndefined()
  },
)

test.each([
  ['is too long for the headers of proxies', tokenOf(4_000), {}],
  ['is too long beside other headers', tokenOf(2_000), { 'content-security-policy': 'x'.repeat(1_000) }],
])('an id token that %s is not stored, and the previous one is removed', (_, token, headers) => {
  const { isStored, cookie } = stored(token, headers)
  expect(isStored).toBe(false)
  expect(cookie).toMatch(/^id-token=; Max-Age=0; /)
})
