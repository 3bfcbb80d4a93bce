import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createIdentityProvider } from '../../../src/server/sign-in/identity-provider.js'
import { startUntrustedProvider, type UntrustedProvider } from '../../oidc/untrusted-provider.js'
import { hour, testSettings } from '../server-harness.js'

let provider: UntrustedProvider
beforeAll(async () => {
  provider = await startUntrustedProvider()
})
afterEach(() => {
  vi.useRealTimers()
  provider.tamper()
})
afterAll(() => provider.close())

const createProvider = (audience?: string) =>
  createIdentityProvider({
    ...testSettings,
    oidcIssuer: provider.issuer,
    oidcClientId: 'dashboard',
    oidcAudience: audience,
  })
const callback = 'https://api.example.com/auth/callback'

test('sign-ins share the metadata of the provider for an hour', async () => {
  const started = 1_000
  const now = vi.spyOn(performance, 'now').mockReturnValue(started)
  onTestFinished(() => now.mockRestore())
  const { begin } = createProvider()
  expect(provider.requests).toHaveLength(0)
  await Promise.all([begin(callback), begin(callback)])
  now.mockReturnValue(started + hour)
  // Setting the clock back changes nothing.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 24 * hour })
  await begin(callback)
  expect(provider.requests).toHaveLength(1)
  now.mockReturnValue(started + hour + 1)
  // The cache reads the time again after a moment.
  await new Promise((resolve) => setTimeout(resolve, 20))
  await begin(callback)
  expect(provider.requests).toHaveLength(2)
})

test('the next sign-in requests metadata again that could not be read', async () => {
  const { begin } = createProvider()
  provider.tamper({ failing: { '/.well-known/openid-configuration': 500 } })
  await expect(begin(callback)).rejects.toMatchObject({ fault: 'unreachable' })
  provider.tamper()
  await begin(callback)
  expect(provider.requests).toHaveLength(1)
})

test('metadata beyond a mebibyte are not read completely', async () => {
  const { begin } = createProvider()
  provider.tamper({ discovery: { more: 'x'.repeat(1024 * 1024) } })
  await expect(begin(callback)).rejects.toMatchObject({ fault: 'unacceptable', reason: 'RESPONSE_TOO_LONG' })
})

test.each([undefined, 'https://api.example'])('requests the configured audience: %s', async (audience) => {
  const { url } = await createProvider(audience).begin(callback)
  expect(new URL(url).searchParams.getAll('audience')).toEqual(audience ? [audience] : [])
})
