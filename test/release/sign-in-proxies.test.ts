import { describe, expect, onTestFinished, test } from 'vitest'
import { notInstalled } from '../../bench/drills/proxies.js'
import { createBrowser } from '../oidc/browser.js'
import { startService } from '../oidc/sign-in-flow.js'
import { startUntrustedProvider } from '../oidc/untrusted-provider.js'
import { type ProxyProgram, startTestedProxy } from './start-proxy.js'

const programs: ProxyProgram[] = ['nginx', 'haproxy', 'caddy']

describe.each(programs)('behind %s', (program) => {
  const reason = notInstalled(program)
  const title = `a user with %i groups signs in and out${reason ? ` (skipped: ${reason})` : ''}`
  test.skipIf(reason).each([0, 50, 140])(title, async (groups) => {
    const provider = await startUntrustedProvider()
    onTestFinished(provider.close)
    provider.tamper({
      idToken: { groups: Array.from({ length: groups }, () => crypto.randomUUID()) },
      discovery: { end_session_endpoint: `${provider.issuer}/end` },
    })
    const identity = { issuer: provider.issuer, clientId: 'dashboard', clientSecret: 'secret' }
    const service = await startService(identity, { trustProxy: ['loopback'] })
    onTestFinished(service.close)
    const proxy = await startTestedProxy(program, [service.url])
    const browser = createBrowser()
    const through = (url: string, init?: RequestInit) =>
      browser.request(url.replace(service.url, proxy), init)

    const begun = await through(`${service.url}/auth/sign-in?returnTo=/projects`)
    expect(begun.status).toBe(303)
    const back = await through(provider.authorize(new URL(begun.headers.get('location') ?? '')))
    expect([back.status, back.headers.get('location')]).toEqual([303, '/projects'])
    expect((await through(`${service.url}/v1/projects`)).status).toBe(200)
    const ended = await through(`${service.url}/auth/sign-out`, { method: 'POST' })
    expect(ended.status).toBe(204)
    expect((ended.headers.get('x-sign-out-url') ?? '').length).toBeLessThan(4096)
    expect((await through(`${service.url}/v1/projects`)).status).toBe(401)
  })
})
