import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createBrowser } from '../../oidc/browser.js'
import { startService } from '../../oidc/sign-in-flow.js'
import { startUntrustedProvider, type UntrustedProvider } from '../../oidc/untrusted-provider.js'

let provider: UntrustedProvider
beforeAll(async () => {
  provider = await startUntrustedProvider()
})
afterAll(() => provider.close())

/** The length of the head of a response, as a proxy reads it. */
const headLength = ({ headers }: Response): number =>
  ['HTTP/1.1 303 See Other', ...[...headers].map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
    .length

test.each([
  [0, '/', true],
  [20, '/', true],
  [50, '/', true],
  [140, `/?q=${'é'.repeat(160)}`, false],
  [100, '/', false],
  [10_000, '/', false],
])(
  'with %i groups, and a return to %s, responses fit the buffers of proxies (hint: %s)',
  async (count, returnTo, hasHint) => {
    provider.tamper({
      idToken: { groups: Array.from({ length: count }, () => crypto.randomUUID()) },
      discovery: { end_session_endpoint: `${provider.issuer}/end` },
    })
    const service = await startService({
      issuer: provider.issuer,
      clientId: 'dashboard',
      clientSecret: 'secret',
    })
    onTestFinished(service.close)
    const browser = createBrowser()
    const query = `returnTo=${encodeURIComponent(returnTo)}`
    const begun = await browser.request(`${service.url}/auth/sign-in?${query}`)
    const back = await browser.request(provider.authorize(new URL(begun.headers.get('location') ?? '')))
    expect([back.status, new URL(back.headers.get('location') ?? '', service.url).href]).toEqual([
      303,
      new URL(returnTo, service.url).href,
    ])
    const ended = await browser.request(`${service.url}/auth/sign-out?${query}`, { method: 'POST' })
    const signOutUrl = ended.headers.get('x-sign-out-url') ?? ''
    expect(signOutUrl).toMatch(`${provider.issuer}/end?`)
    expect(new URL(signOutUrl).searchParams.has('id_token_hint')).toBe(hasHint)
    for (const response of [begun, back, ended]) expect(headLength(response)).toBeLessThan(4096)
  },
)
