import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Account, type RealProvider, startRealProvider } from '../../oidc/real-provider.js'
import { type Service, startService } from '../../oidc/sign-in-flow.js'

export const ada: Account = {
  email: 'ada@id.example',
  given_name: 'Ada',
  family_name: 'Osei',
  picture: 'https://id.example/ada.png',
  org_code: 'org_acme',
  permissions: ['create:projects'],
}

export const fromPage = { method: 'POST', headers: { accept: 'text/html' } }

/** The provider of the test file, and the service of the test. */
export let provider: RealProvider
export let service: Service

/** Starts a provider for the test file. A service that a test opens is closed after the test. */
export function prepareProvider(): void {
  beforeAll(async () => {
    provider = await startRealProvider()
  })
  beforeEach(() => {
    provider.accounts.ada = { ...ada }
  })
  afterEach(() => service.close())
  afterAll(() => provider.close())
}

/** Starts a service with a provider, and registers the service there. */
export async function open(
  at: RealProvider,
  options?: Parameters<typeof startService>[1],
  logout?: 'session' | 'person',
): Promise<void> {
  service = await startService(at, options)
  await at.register(service.url, logout)
}
