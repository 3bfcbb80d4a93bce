import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AppOptions } from '../../../src/server/app.js'
import { createMetrics } from '../../../src/server/observability/metrics.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createBrowser } from '../../oidc/browser.js'
import { type Service, startService } from '../../oidc/sign-in-flow.js'
import { startUntrustedProvider, type UntrustedProvider } from '../../oidc/untrusted-provider.js'
import { gauges } from '../server-harness.js'

let provider: UntrustedProvider
let service: Service
let metrics: ReturnType<typeof createMetrics>
beforeAll(async () => {
  provider = await startUntrustedProvider()
})
beforeEach(async () => {
  metrics = createMetrics(gauges)
  const { onSignOut } = metrics
  const onSignIn: AppOptions['onSignIn'] = ({ failure }) => metrics.onSignIn(failure)
  const { onRequestComplete } = metrics
  const identity = { issuer: provider.issuer, clientId: 'dashboard', clientSecret: 'secret' }
  service = await startService(identity, { onSignIn, onSignOut, onRequestComplete })
})
afterEach(async () => {
  provider.tamper(() => {})
  await service.close()
})
afterAll(() => provider.close())

/** Signs in up to the callback, and requests it after a change. */
async function signIn(change: () => void = () => {}) {
  const browser = createBrowser()
  const begun = await browser.request(`${service.url}/auth/sign-in`)
  const back = provider.authorize(new URL(begun.headers.get('location') ?? ''))
  change()
  const { status } = await browser.request(back)
  return { browser, status }
}

const counted = async (metric: string) => {
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith(`dashboard_api_${metric}`))
  return Object.fromEntries(lines.map((line) => line.split(' ')))
}

const signIns = ({ success = 0, unfinished = 0, unreachable = 0, unacceptable = 0, ofService = 0 }) => ({
  'dashboard_api_sign_ins_total{outcome="success",reason=""}': String(success),
  'dashboard_api_sign_ins_total{outcome="failure",reason="unfinished"}': String(unfinished),
  'dashboard_api_sign_ins_total{outcome="failure",reason="unreachable"}': String(unreachable),
  'dashboard_api_sign_ins_total{outcome="failure",reason="unacceptable"}': String(unacceptable),
  'dashboard_api_sign_ins_total{outcome="failure",reason="service"}': String(ofService),
})

describe('the metrics of sign-ins', () => {
  it('begin at 0', async () => {
    expect(await counted('sign_ins_total')).toEqual(signIns({}))
    expect(await counted('sign_outs')).toEqual({ dashboard_api_sign_outs_total: '0' })
  })

  it('count a sign-in when it begins, whether or not a browser comes back', async () => {
    for (let i = 0; i < 3; i += 1) await fetch(`${service.url}/auth/sign-in`, { redirect: 'manual' })
    expect(await counted('sign_ins_started')).toEqual({ dashboard_api_sign_ins_started_total: '3' })
    expect(await counted('sign_ins_total')).toEqual(signIns({}))
  })

  it('count somebody who signs in and out once', async () => {
    const { browser, status } = await signIn()
    expect(status).toBe(303)
    expect(await counted('sign_ins_total')).toEqual(signIns({ success: 1 }))
    const cookie = `session=${browser.cookie(service.url, 'session')}`
    for (const header of [cookie, cookie, '', 'session=forged']) {
      const signOut = { method: 'POST', headers: { cookie: header } }
      expect((await fetch(`${service.url}/auth/sign-out`, signOut)).status).toBe(204)
    }
    expect(await counted('sign_outs')).toEqual({ dashboard_api_sign_outs_total: '1' })
  })

  it('count a callback that nobody began as unfinished, whatever it says', async () => {
    const callback = `${service.url}/auth/callback?state=a&error=an_error_of_the_caller`
    expect((await fetch(callback)).status).toBe(400)
    expect(await counted('sign_ins_total')).toEqual(signIns({ unfinished: 1 }))
  })

  it.each([
    ['unreachable', 503, { failing: { '/token': 503 } }, 'unreachable'],
    ['invalid', 502, { tokens: { status: 400, body: '{"error":"invalid_client"}' } }, 'unacceptable'],
  ])('count a response of the provider that is %s', async (_, expected, responses, reason) => {
    const { status } = await signIn(() => provider.tamper((current) => Object.assign(current, responses)))
    expect(status).toBe(expected)
    expect(await counted('sign_ins_total')).toEqual(signIns({ [reason]: 1 }))
  })

  it('count a provider that is unreachable before anybody gets there', async () => {
    provider.tamper(({ failing }) => {
      failing['/.well-known/openid-configuration'] = 500
    })
    expect((await fetch(`${service.url}/auth/sign-in`, { redirect: 'manual' })).status).toBe(503)
    expect(await counted('sign_ins_total')).toEqual(signIns({ unreachable: 1 }))
  })

  it('count a fault of the service', async () => {
    const { status } = await signIn(() => {
      service.store.upsertUser = async () => {
        throw new StoreUnavailableError('locked')
      }
    })
    expect(status).toBe(503)
    expect(await counted('sign_ins_total')).toEqual(signIns({ ofService: 1 }))
  })
})
