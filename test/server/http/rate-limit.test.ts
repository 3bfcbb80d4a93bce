import { describe, expect, it } from 'vitest'
import { errors } from '../../../src/contract/errors.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { openTestApp } from '../server-harness.js'

// client-address.test.ts tests forwarded addresses, and test/http/address-allowance.test.ts the networks of IPv6.

describe('a client that sends too many requests', () => {
  const rates = { waitlistRate: { max: 3, ms: 60_000 }, signInRate: { max: 2, ms: 60_000 } }
  type App = ReturnType<typeof openTestApp>['app']
  const join = (app: App, remoteAddress = '192.0.2.1', forwarded?: string) =>
    app.inject({
      method: 'POST',
      url: '/v1/waitlist',
      payload: { email: 'a@b.example' },
      remoteAddress,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    })

  it('gets 429 with Retry-After; other clients do not', async () => {
    const { app, lines } = openTestApp({ ...rates })
    for (let i = 0; i < 3; i++) expect((await join(app)).statusCode).toBe(200)
    const refused = await join(app)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.json()).toEqual({ error: errors.RATE_LIMITED.message })
    const logged = { operation: 'joinWaitlist', status: 429, code: 'RATE_LIMITED' }
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject(logged)
    expect((await join(app, '192.0.2.2')).statusCode).toBe(200)
    expect((await app.inject({ url: '/v1/projects', remoteAddress: '192.0.2.1' })).statusCode).toBe(401)
    expect(lines.join('')).not.toContain('192.0.2')
  })

  it.each<[string, remoteAddress: string, same: (i: number) => string, other: string | undefined]>([
    ['is the connection, whatever it forwards', '192.0.2.1', (i) => `198.51.100.${i}`, undefined],
    [
      'is the last address that a trusted proxy forwards',
      '10.0.0.1',
      (i) => `203.0.113.${i}, 198.51.100.1`,
      '198.51.100.2',
    ],
    [
      'is the address without its port, and before other trusted proxies',
      '10.0.0.1',
      (i) => `203.0.113.1, 198.51.100.1:${5000 + i}, 10.0.0.2:4711`,
      '[2001:db8::1]:80',
    ],
    ['is the proxy where it forwards no address', '10.0.0.1', (i) => `unknown-${i}`, '198.51.100.2'],
  ])('%s', async (_, remoteAddress, same, other) => {
    const { app } = openTestApp({ ...rates, trustProxy: ['10.0.0.0/8'] })
    const statuses = []
    for (let i = 1; i <= 4; i++) statuses.push((await join(app, remoteAddress, same(i))).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429])
    if (other) expect((await join(app, remoteAddress, other)).statusCode).toBe(200)
  })

  it('that is forwarded without a valid address is logged once', async () => {
    const { app, lines } = openTestApp({ ...rates, trustProxy: ['10.0.0.0/8'] })
    for (const client of ['unknown', 'unknown', 'a:80']) await join(app, '10.0.0.1', client)
    const warnings = lines.filter((line) => line.includes('invalid address')).map((line) => JSON.parse(line))
    expect(warnings).toMatchObject([{ level: 40, forwardedFor: 'unknown' }])
  })

  it('shares the rate of its /64, and eight times that of the /48', async () => {
    const { app } = openTestApp({ ...rates })
    for (let i = 1; i <= 3; i++) expect((await join(app, `2001:db8::${i}`)).statusCode).toBe(200)
    expect((await join(app, '2001:db8::4')).statusCode).toBe(429)
    for (let i = 1; i <= 21; i++) {
      expect((await join(app, `2001:db8:0:${i.toString(16)}::1`)).statusCode).toBe(200)
    }
    expect((await join(app, '2001:db8:0:ff::1')).statusCode).toBe(429)
    expect((await join(app, '2001:db8:1:ff::1')).statusCode).toBe(200)
  })

  it('is also limited at sign-in', async () => {
    const { app } = openTestApp({ ...rates })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await app.inject('/auth/sign-in')).statusCode)
    expect(statuses).toEqual([501, 501, 429])
  })

  it('gets 503 while its requests cannot be counted', async () => {
    const add = () => Promise.reject(new StoreUnavailableError('gone'))
    const { app } = openTestApp({ ...rates, requestCounts: { add, removePast: async () => 0 } })
    expect((await join(app)).statusCode).toBe(503)
  })

  it('is not limited if limits are off', async () => {
    const { app } = openTestApp({ waitlistRate: 'off', signInRate: 'off' })
    for (let i = 0; i < 200; i++) expect((await join(app)).statusCode).toBe(200)
  })
})
