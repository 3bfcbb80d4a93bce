import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMetrics } from '../../../src/server/observability/metrics.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createBrowser } from '../../oidc/browser.js'
import { type Service, startService } from '../../oidc/sign-in-flow.js'
import {
  type Changes,
  startUntrustedProvider,
  type UntrustedProvider,
} from '../../oidc/untrusted-provider.js'
import { gauges } from '../server-harness.js'

let provider: UntrustedProvider
let service: Service
let metrics: ReturnType<typeof createMetrics>
beforeAll(async () => {
  provider = await startUntrustedProvider()
})
beforeEach(async () => {
  metrics = createMetrics(gauges)
  const { onSignOut, onRequestComplete } = metrics
  service = await startService(
    { issuer: provider.issuer, clientId: 'dashboard', clientSecret: 'secret' },
    { onSignIn: ({ failure }) => metrics.onSignIn(failure), onSignOut, onRequestComplete },
  )
})
afterEach(async () => {
  provider.tamper()
  await service.close()
})
afterAll(() => provider.close())

const fetchStatus = async (path: string, init: RequestInit = {}) =>
  (await fetch(service.url + path, { redirect: 'manual', ...init })).status

/** Signs in up to the callback, changes responses of the provider, and requests the callback. */
async function signIn(changes: Changes = {}) {
  const browser = createBrowser()
  const begun = await browser.request(`${service.url}/auth/sign-in`)
  const back = provider.authorize(new URL(begun.headers.get('location') ?? ''))
  provider.tamper(changes)
  const { status } = await browser.request(back)
  return { browser, status }
}

/** The counts: successes, failures by reason, browsers sent to the provider, sign-outs. */
async function counted(): Promise<Record<string, number>> {
  const text = await metrics.text()
  const found = [...text.matchAll(/^dashboard_api_(sign_\w+?)_total(?:\{.*reason="(\w*)"\})? (\d+)$/gm)]
  return Object.fromEntries(
    found.flatMap(([, name = '', reason, count]) => (Number(count) ? [[reason || name, Number(count)]] : [])),
  )
}

test('exist from the start', async () => {
  const text = await metrics.text()
  for (const sample of [
    'sign_ins_total{outcome="success",reason=""}',
    ...['unfinished', 'unreachable', 'unacceptable', 'service'].map(
      (reason) => `sign_ins_total{outcome="failure",reason="${reason}"}`,
    ),
    'sign_ins_started_total',
    'sign_outs_total',
  ])
    expect(text).toContain(`\ndashboard_api_${sample} 0\n`)
})

test('count a sign-in when it begins, and a user who signs in and out once', async () => {
  expect(await fetchStatus('/auth/sign-in')).toBe(303)
  expect(await counted()).toEqual({ sign_ins_started: 1 })
  const { browser, status } = await signIn()
  expect(status).toBe(303)
  const cookie = `session=${browser.cookie(service.url, 'session')}`
  for (const header of [cookie, cookie, '', 'session=forged'])
    expect(await fetchStatus('/auth/sign-out', { method: 'POST', headers: { cookie: header } })).toBe(204)
  expect(await counted()).toEqual({ sign_ins_started: 2, sign_ins: 1, sign_outs: 1 })
})

test.each<[string, number, Changes]>([
  ['unreachable', 503, { failing: { '/token': 503 } }],
  ['unacceptable', 502, { tokens: { status: 400, body: '{"error":"invalid_client"}' } }],
])('count a response of the provider that is %s', async (reason, status, changes) => {
  expect((await signIn(changes)).status).toBe(status)
  expect(await counted()).toEqual({ sign_ins_started: 1, [reason]: 1 })
})

test('count a callback without a sign-in as unfinished, whatever its parameters', async () => {
  expect(await fetchStatus('/auth/callback?state=a&error=an_error_of_the_caller')).toBe(400)
  expect(await counted()).toEqual({ unfinished: 1 })
})

test('count a provider whose metadata cannot be read', async () => {
  provider.tamper({ failing: { '/.well-known/openid-configuration': 500 } })
  expect(await fetchStatus('/auth/sign-in')).toBe(503)
  expect(await counted()).toEqual({ unreachable: 1 })
})

test('count a fault of the service', async () => {
  service.store.upsertUser = () => Promise.reject(new StoreUnavailableError('locked'))
  expect((await signIn()).status).toBe(503)
  expect(await counted()).toEqual({ sign_ins_started: 1, service: 1 })
})
