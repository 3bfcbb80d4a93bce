import { afterAll, beforeAll, expect, test } from 'vitest'
import { play } from '../../src/conformance/play.js'
import { rawRequest } from '../../src/conformance/raw-request.js'
import { cases } from '../../src/conformance/sections.js'
import type { Target } from '../../src/conformance/target.js'
import { type RealProvider, startRealProvider } from '../oidc/real-provider.js'
import { type Service, startService } from '../oidc/sign-in-flow.js'

// A deployment with an identity provider, as most have.

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

const signOut = cases.find(({ title }) => title.startsWith('A sign-out clears the cookie'))
const outcome = async (send: Target['send'], watch?: Parameters<typeof play>[2]) => {
  if (!signOut) throw new Error('There is no case of the sign-out')
  const target: Target = {
    mode: 'production',
    baseUrl: service.url,
    isServer: true,
    cookieOf: () => undefined,
    send,
  }
  return play(target, signOut, watch)
}

test('the suite finds no fault with signing out of a service with an identity provider', async () => {
  const paths: string[] = []
  expect(await outcome(rawRequest, ({ path }) => void paths.push(path))).toEqual({})
  // The suite follows the redirect back from the provider.
  expect(paths).toContainEqual(expect.stringMatching(/^\/auth\/signed-out\?state=/))
})

test.each([
  ['another site', (url: string) => `https://evil.example/?to=${encodeURIComponent(url)}`],
  [
    'a provider that leads to another site',
    (url: string) => url.replaceAll(/redirect_uri=[^&]*/g, 'redirect_uri=https%3A%2F%2Fevil.example'),
  ],
  ['a provider with another target', (url: string) => url.replace(/state=[^&]*/, 'state=%2Fother')],
])('the suite finds a sign-out that leads to %s', async (_, change) => {
  const { failure } = await outcome(async (request) => {
    const response = await rawRequest(request)
    const { location } = response.headers
    return request.path.startsWith('/auth/sign-out') && location
      ? { ...response, headers: { ...response.headers, location: change(location) } }
      : response
  })
  expect(failure).toBeDefined()
})
