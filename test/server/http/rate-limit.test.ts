import { describe, expect, it } from 'vitest'
import { errors } from '../../../src/contract/errors.js'
import { openTestApp } from '../server-harness.js'

describe('a client that sends too many requests', () => {
  const rates = { waitlistRate: { max: 3, ms: 60_000 }, signInRate: { max: 2, ms: 60_000 } }
  const join = (
    app: ReturnType<typeof openTestApp>['app'],
    remoteAddress = '192.0.2.1',
    forwarded?: string,
  ) =>
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
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.json()).toEqual({ error: errors.RATE_LIMITED.message })
    const logged = { operation: 'joinWaitlist', status: 429, code: 'RATE_LIMITED' }
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject(logged)
    expect((await join(app, '192.0.2.2')).statusCode).toBe(200)
    expect((await app.inject({ url: '/v1/projects', remoteAddress: '192.0.2.1' })).statusCode).toBe(401)
    expect(lines.join('')).not.toContain('192.0.2')
  })

  it('is the whole network for IPv6', async () => {
    const { app } = openTestApp({ ...rates })
    for (let i = 1; i <= 3; i++) expect((await join(app, `2001:db8::${i}`)).statusCode).toBe(200)
    expect((await join(app, '2001:db8::4')).statusCode).toBe(429)
    expect((await join(app, '2001:db8:0:1::4')).statusCode).toBe(200)
  })

  it('cannot pretend to be another client', async () => {
    const { app } = openTestApp({ ...rates })
    for (let i = 1; i <= 3; i++) await join(app, '192.0.2.1', `198.51.100.${i}`)
    expect((await join(app, '192.0.2.1', '198.51.100.9')).statusCode).toBe(429)
  })

  it('is the client that a trusted proxy names', async () => {
    const { app } = openTestApp({ ...rates, trustProxy: ['10.0.0.0/8'] })
    for (let i = 1; i <= 4; i++) {
      expect((await join(app, '10.0.0.1', `198.51.100.${i}`)).statusCode).toBe(200)
    }
    // The client may have written anything before its own address.
    for (let i = 1; i <= 2; i++) await join(app, '10.0.0.1', `203.0.113.${i}, 198.51.100.1`)
    expect((await join(app, '10.0.0.1', '203.0.113.9, 198.51.100.1')).statusCode).toBe(429)
    for (let i = 1; i <= 3; i++) await join(app, '192.0.2.1', `198.51.100.5${i}`)
    expect((await join(app, '192.0.2.1', '198.51.100.59')).statusCode).toBe(429)
  })

  it('is the proxy where it forwards a value that is no address', async () => {
    const { app } = openTestApp({ ...rates, trustProxy: ['10.0.0.0/8'] })
    for (let i = 1; i <= 3; i++) await join(app, '10.0.0.1', `unknown-${i}`)
    expect((await join(app, '10.0.0.1', 'unknown-4')).statusCode).toBe(429)
  })

  it('is the client that a trusted proxy names with its port, and each has a rate of its own', async () => {
    const { app, lines } = openTestApp({ ...rates, trustProxy: ['10.0.0.0/8'] })
    const from = (client: string) => join(app, '10.0.0.1', `203.0.113.1, ${client}, 10.0.0.2:4711`)
    for (let i = 1; i <= 3; i++) expect((await from(`198.51.100.1:${5000 + i}`)).statusCode).toBe(200)
    expect((await from('198.51.100.1:80')).statusCode).toBe(429)
    expect((await from('198.51.100.2:80')).statusCode).toBe(200)
    expect((await from('[2001:db8::1]:80')).statusCode).toBe(200)
    expect(lines.join('')).not.toContain('invalid address')
  })

  it('that is forwarded as no address is logged once', async () => {
    const { app, lines } = openTestApp({ ...rates, trustProxy: ['10.0.0.0/8'] })
    for (const client of ['unknown', 'unknown', 'a:80']) await join(app, '10.0.0.1', client)
    const warnings = lines.filter((line) => line.includes('invalid address')).map((line) => JSON.parse(line))
    expect(warnings).toMatchObject([{ level: 40, forwardedFor: 'unknown' }])
  })

  it('shares eight times the rate with the other networks of its /48', async () => {
    const { app } = openTestApp({ ...rates })
    for (let i = 1; i <= 24; i++) {
      expect((await join(app, `2001:db8:0:${i.toString(16)}::1`)).statusCode).toBe(200)
    }
    expect((await join(app, '2001:db8:0:ff::1')).statusCode).toBe(429)
    expect((await join(app, '2001:db8:1:ff::1')).statusCode).toBe(200)
  })

  it('is limited at sign-in too', async () => {
    const { app } = openTestApp({ ...rates })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await app.inject('/auth/sign-in')).statusCode)
    expect(statuses).toEqual([501, 501, 429])
  })

  it('is not limited if limits are off', async () => {
    const { app } = openTestApp({ waitlistRate: 'off', signInRate: 'off' })
    for (let i = 0; i < 200; i++) expect((await join(app)).statusCode).toBe(200)
  })
})
