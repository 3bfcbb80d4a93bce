import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { operationNames } from '../../../src/contract/operations.js'
import { createMetrics } from '../../../src/server/observability/metrics.js'
import { listenForMetrics } from '../../../src/server/observability/metrics-routes.js'
import { hasIPv6 } from '../../has-ipv6.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { createTestApp, demo, gauges as noFaults, openWire } from '../server-harness.js'

const gauges = { ...noFaults, waitingWrites: () => 3, openSessions: async () => 2 }

describe('/metrics', () => {
  const token = 'a-token-of-sixteen-or-more'
  const withToken = () => {
    const metrics = createMetrics(gauges)
    return createTestApp({
      health: { metrics: { metrics, token } },
      onRequestComplete: metrics.onRequestComplete,
      store: createMemoryStore(demo()),
    })
  }

  it('does not exist if it is not configured', async () => {
    const response = await createTestApp().app.inject('/metrics')
    expect([response.statusCode, response.json().code]).toEqual([404, 'NOT_FOUND'])
  })

  it.each([
    undefined,
    '',
    token,
    `Bearer ${token}x`,
    'Bearer',
    'Bearer ',
    `bearer ${token}`,
    `Basic ${token}`,
  ])('refuses the Authorization header %j', async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    const response = await withToken().app.inject({ url: '/metrics', headers })
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toContain('Bearer')
    expect(response.body).not.toContain('dashboard_api')
  })

  /** Serves the metrics on a separate port. */
  const listen = async (options: { host?: string; token?: string; text?: () => Promise<string> } = {}) => {
    const { host = '127.0.0.1', token, text } = options
    const metrics = { ...createMetrics(gauges), ...(text && { text }) }
    const { url, close } = await listenForMetrics({ host, port: 0 }, { metrics, token })
    onTestFinished(close)
    return { url, close }
  }

  it('also require the token on a separate port', async () => {
    const { url } = await listen({ token })
    expect((await fetch(url)).status).toBe(401)
    expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })

  it('are the only resource on a separate port', async () => {
    const { url } = await listen()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringContaining('text/plain; version=0.0.4'),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect((await fetch(url, { method: 'POST' })).status).toBe(404)
    expect((await fetch(new URL('/healthz', url))).status).toBe(404)
  })

  it.runIf(hasIPv6)('have a URL with brackets on an IPv6 address', async () => {
    const { url } = await listen({ host: '::1' })
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/metrics$/)
    expect((await fetch(url)).status).toBe(200)
  })

  it('are 500 on a separate port if they cannot be generated', async () => {
    const { url } = await listen({ text: () => Promise.reject(new Error('a fault')) })
    const response = await fetch(url)
    expect([response.status, await response.text()]).toEqual([500, ''])
  })

  it('have a bounded number of connections on a separate port, and leave the others to the service', async () => {
    const { url } = await listen()
    const wires = await Promise.all(Array.from({ length: 110 }, () => openWire(url)))
    onTestFinished(() => {
      for (const { end } of wires) end()
    })
    let closed = 0
    for (const wire of wires) void wire.closed.then(() => (closed += 1))
    expect((await fetch(url)).status).toBe(200)
    await expect.poll(() => closed).toBe(11)
  })

  it('are generated once for concurrent requests: counting sessions takes a database connection', async () => {
    const openSessions = vi.fn(async () => 2)
    const { text } = createMetrics({ ...gauges, openSessions })
    await Promise.all(Array.from({ length: 50 }, text))
    expect(openSessions).toHaveBeenCalledTimes(1)
  })

  it('are served until the port is closed, which does not wait for a client that keeps its connection', async () => {
    const { url, close } = await listen()
    const wire = await openWire(url)
    wire.write('GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n')
    await wire.until((received) => received.includes('dashboard_api_open_sessions 2'))
    await close()
    await wire.closed
    await expect(fetch(url)).rejects.toThrow()
  })

  it('count requests by operation and status, and measure their time, and that of store calls by method', async () => {
    const { app, signIn } = withToken()
    const { cookie } = await signIn()
    await app.inject({ url: '/v1/projects', headers: { cookie } })
    await app.inject({ url: '/v1/projects', headers: { cookie } })
    await app.inject('/v1/projects')
    await app.inject('/nowhere')
    const response = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toContain('text/plain; version=0.0.4')
    for (const line of [
      'dashboard_api_requests_total{operation="listProjects",status="200"} 2',
      'dashboard_api_requests_total{operation="listProjects",status="401"} 1',
      'dashboard_api_requests_total{operation="",status="404"} 1',
      'dashboard_api_request_duration_seconds_count{operation="listProjects"} 3',
      'dashboard_api_store_waiting_writes 3',
      'dashboard_api_open_sessions 2',
    ]) {
      expect(response.body.split('\n')).toContain(line)
    }
    expect(response.body).toContain('process_resident_memory_bytes')
  })

  it('have counters for the failures of each operation from the start, so that the first one is an increase', async () => {
    const lines = (await createMetrics(gauges).text()).split('\n')
    for (const operation of [...operationNames, 'signIn', 'signInCallback', 'signOut']) {
      for (const status of [429, 500, 503]) {
        expect(lines).toContain(`dashboard_api_requests_total{operation="${operation}",status="${status}"} 0`)
      }
    }
  })

  it('have a label for each reason not to be ready', async () => {
    const text = await createMetrics({ ...gauges, unready: () => ['database'] }).text()
    expect(text).toContain('\ndashboard_api_ready{reason="database"} 0\n')
    expect(text).toContain('\ndashboard_api_ready{reason="draining"} 1\n')
  })

  it('have the clock, the disk and the last backup in base units', async () => {
    const disk = async () => ({ size: 1000, free: 10 })
    const values = async (measured: object) => {
      const text = await createMetrics({ ...gauges, ...measured }).text()
      return Object.fromEntries(
        text.split('\n').flatMap((line) => {
          const [name = '', value] = line.split(' ')
          return /^dashboard_api_(clock|disk|backup)/.test(name) ? [[name, value]] : []
        }),
      )
    }
    expect(await values({ clockSkewMs: () => -1500, disk, backupAgeMs: () => 7_200_000 })).toEqual({
      dashboard_api_clock_skew_seconds: '-1.5',
      dashboard_api_disk_free_bytes: '10',
      dashboard_api_disk_size_bytes: '1000',
      dashboard_api_backup_age_seconds: '7200',
    })
    expect(await values({ backupAgeMs: () => Number.POSITIVE_INFINITY })).toMatchObject({
      dashboard_api_backup_age_seconds: '+Inf',
    })
    // Over PostgreSQL, whose disk and backups are elsewhere.
    expect(Object.keys(await values({}))).toEqual(['dashboard_api_clock_skew_seconds'])
  })

  it('have the version of the program', async () => {
    const metrics = createMetrics(gauges)
    metrics.onStart({ version: '1.2.3', commit: 'abc', schema: 4 })
    expect(await metrics.text()).toContain(
      '\ndashboard_api_build_info{version="1.2.3",commit="abc",schema="4"} 1\n',
    )
  })

  it('count each duration in every bucket whose bound is at least as large', async () => {
    const { onRequestComplete, onStoreCall, text } = createMetrics(gauges)
    for (const ms of [0.5, 1, 7, 9_000, 60_000]) {
      onRequestComplete({ operation: 'listProjects', status: 200, ms })
      onStoreCall({ method: 'read', ms })
    }
    const lines = (await text()).split('\n')
    const bucketsOf = (metric: string) =>
      lines
        .filter((line) => line.startsWith(`dashboard_api_${metric}_duration_seconds_bucket`))
        .map((line) => /le="([^"]+)".* (\d+)$/.exec(line)?.slice(1).join(': '))
    const expected = [
      ...['0.001: 2', '0.0025: 2', '0.005: 2', '0.01: 3', '0.025: 3', '0.05: 3', '0.1: 3', '0.25: 3'],
      ...['0.5: 3', '1: 3', '2.5: 3', '5: 3', '10: 4', '+Inf: 5'],
    ]
    expect(bucketsOf('request')).toEqual(expected)
    expect(bucketsOf('store')).toEqual(expected)
    expect(lines).toContain('dashboard_api_request_duration_seconds_sum{operation="listProjects"} 69.0085')
  })

  it('can be read when the database cannot: its gauge is NaN', async () => {
    const metrics = createMetrics({
      ...gauges,
      openSessions: async () => {
        throw new Error('gone')
      },
    })
    expect(await metrics.text()).toMatch(/^dashboard_api_open_sessions nan$/im)
  })
})
