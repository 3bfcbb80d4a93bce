import { afterAll, beforeAll, expect, test } from 'vitest'
import { groups } from '../../src/conformance/cases/cases.js'
import { verify } from '../../src/conformance/runner/verify-service.js'
import { type RealProvider, startRealProvider } from '../oidc/real-provider.js'
import { type Service, startService } from '../oidc/sign-in-flow.js'
import { proxySend } from './broken-server-proxy.js'
import { failures, of, options } from './reports.js'

// A deployment whose users sign in at an identity provider, as most have one.

let provider: RealProvider
let service: Service
beforeAll(async () => {
  provider = await startRealProvider()
  service = await startService(provider)
  await provider.register(service.url)
})
afterAll(async () => {
  await service?.close()
  await provider?.close()
})

const signIn = groups.filter(({ name }) => name === 'sign-in')

test('finds no fault with the sign-out of a service that has an identity provider', async () => {
  const report = await verify({ ...options, url: service.url, write: true, groups: signIn })
  expect(failures(report)).toEqual([])
  const passed = of(report, 'passed').filter(({ title }) => title.startsWith('A page that signs out'))
  expect(passed).toHaveLength(1)
  // The way back from the provider is followed.
  expect(passed[0]?.exchanges.map(({ request }) => request)).toContainEqual(
    expect.stringMatching(/^GET \/auth\/signed-out\?state=/),
  )
})

test.each([
  ['another site', (url: string) => `https://evil.example/?to=${encodeURIComponent(url)}`],
  [
    'a provider that leads to another site',
    (url: string) => url.replaceAll(/redirect_uri=[^&]*/g, 'redirect_uri=https%3A%2F%2Fevil.example'),
  ],
  ['a provider with another target', (url: string) => url.replace(/state=[^&]*/, 'state=%2Fother')],
])('finds a sign-out that leads to %s', async (_, change) => {
  const send = proxySend({ baseUrl: service.url }, async (request, forward) => {
    const response = await forward(request)
    const { location } = response.headers
    return request.path.startsWith('/auth/sign-out') && location
      ? { ...response, headers: { ...response.headers, location: change(location) } }
      : response
  })
  const report = await verify({ ...options, url: service.url, write: true, groups: signIn, send })
  expect(failures(report).length).toBeGreaterThanOrEqual(1)
})
