import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../../../src/server/observability/metrics.js'
import { createMetricsPage } from '../../../src/server/observability/metrics-page.js'
import { createReadiness, type Readiness } from '../../../src/server/observability/readiness.js'
import { timedStore } from '../../../src/server/observability/timed-store.js'
import { createMemoryStore } from '../../../src/store/memory/memory-store.js'
import { createTestApp, demo } from '../server-harness.js'

const never = () => new Promise<void>(() => {})
const gauges = { waitingWrites: () => 3, openSessions: async () => 2 }

describe('/healthz', () => {
  it('says that the service is alive, whatever the database does', async () => {
    const { app } = createTestApp({ health: { readiness: { check: async () => 'database' } } })
    const answer = await app.inject('/healthz')
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' })
  })
})

describe('/readyz', () => {
  const ask = async (readiness: Pick<Readiness, 'check'>) => {
    const answer = await createTestApp({ health: { readiness } }).app.inject('/readyz')
    return [answer.statusCode, answer.json(), answer.headers['retry-after']]
  }

  it('is 200 where a write would be kept, and 503 with the reason and Retry-After where not', async () => {
    expect(await ask({ check: async () => undefined })).toEqual([200, { status: 'ready' }, undefined])
    expect(await ask({ check: async () => 'database' })).toEqual([
      503,
      { status: 'unavailable', reason: 'database' },
      '1',
    ])
    expect(await ask({ check: async () => 'draining' })).toEqual([
      503,
      { status: 'unavailable', reason: 'draining' },
      '1',
    ])
  })

  it('turns with the probe and back, and tells each turn once', async () => {
    const changes: unknown[] = []
    let fault: Error | undefined = new Error('full')
    const probe = async () => {
      if (fault) throw fault
    }
    const readiness = createReadiness({ probe, onChange: (change) => changes.push(change), reuseMs: 0 })
    expect([await readiness.check(), await readiness.check()]).toEqual(['database', 'database'])
    const first = fault
    fault = undefined
    expect([await readiness.check(), await readiness.check()]).toEqual([undefined, undefined])
    expect(changes).toEqual([first, undefined])
  })

  it('does not wait for a database that hangs', async () => {
    const readiness = createReadiness({ probe: never, onChange: () => {}, timeoutMs: 20 })
    expect(await readiness.check()).toBe('database')
  })

  it('probes once for all who ask at a time', async () => {
    let probes = 0
    const probe = async () => {
      probes += 1
      await setImmediate()
    }
    const readiness = createReadiness({ probe, onChange: () => {}, reuseMs: 60_000 })
    await Promise.all(Array.from({ length: 10 }, () => readiness.check()))
    await readiness.check()
    expect(probes).toBe(1)
  })

  it('is no from the moment on that the service drains', async () => {
    const readiness = createReadiness({ probe: async () => {}, onChange: () => {} })
    expect(await readiness.check()).toBeUndefined()
    readiness.drain()
    expect(await readiness.check()).toBe('draining')
  })
})

describe('/metrics', () => {
  const token = 'a-token-of-sixteen-or-more'
  const withToken = () => {
    const metrics = createMetrics(gauges)
    return createTestApp({
      health: { metrics: createMetricsPage(metrics, token) },
      onRequestComplete: metrics.onRequestComplete,
      store: timedStore(createMemoryStore(demo()), metrics.onStoreCall),
    })
  }

  it('is not there where nothing was configured', async () => {
    const answer = await createTestApp().app.inject('/metrics')
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'NOT_FOUND'])
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
  ])('does not open to the Authorization header %j', async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await withToken().app.inject({ url: '/metrics', headers })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toContain('Bearer')
    expect(answer.body).not.toContain('dashboard_api')
  })

  it('counts requests by operation and status, their time, and that of the store by method', async () => {
    const { app, signIn } = withToken()
    const { cookie } = await signIn()
    await app.inject({ url: '/v1/projects', headers: { cookie } })
    await app.inject({ url: '/v1/projects', headers: { cookie } })
    await app.inject('/v1/projects')
    await app.inject('/nowhere')
    const answer = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/plain; version=0.0.4')
    for (const line of [
      'dashboard_api_requests_total{operation="listProjects",status="200"} 2',
      'dashboard_api_requests_total{operation="listProjects",status="401"} 1',
      'dashboard_api_requests_total{operation="",status="404"} 1',
      'dashboard_api_request_duration_seconds_count{operation="listProjects"} 3',
      'dashboard_api_store_duration_seconds_count{method="listProjects"} 2',
      'dashboard_api_store_waiting_writes 3',
      'dashboard_api_open_sessions 2',
    ]) {
      expect(answer.body.split('\n')).toContain(line)
    }
    expect(answer.body).toContain('process_resident_memory_bytes')
  })

  it('puts each time into the buckets from the first one that it fits into', async () => {
    const { onRequestComplete, onStoreCall, text } = createMetrics(gauges)
    for (const ms of [0.5, 1, 7, 9_000, 60_000]) {
      onRequestComplete({ operation: 'listProjects', status: 200, ms })
      onStoreCall({ method: 'caller', ms })
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

  it('is read where the database cannot be: what it would have said is not a number', async () => {
    const metrics = createMetrics({
      ...gauges,
      openSessions: async () => {
        throw new Error('gone')
      },
    })
    expect(await metrics.text()).toMatch(/^dashboard_api_open_sessions nan$/im)
  })

  it('times calls that fail, and hands on what they fail with', async () => {
    const calls: string[] = []
    const failing = { ...createMemoryStore(demo()), listWaitlist: () => Promise.reject(new Error('gone')) }
    const store = timedStore(failing, ({ method }) => calls.push(method))
    await expect(store.listWaitlist()).rejects.toThrow('gone')
    expect(calls).toEqual(['listWaitlist'])
  })
})

describe('the id of a request', () => {
  const ask = async (id?: string | string[]) => {
    const { app, lines } = createTestApp()
    const headers = id === undefined ? {} : { 'x-request-id': id }
    const answer = await app.inject({ url: '/v1/projects', headers })
    return { returned: answer.headers['x-request-id'], logged: JSON.parse(lines.at(-1) ?? '{}').requestId }
  }
  const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

  it.each(['a', '4bf92f3577b34da6a3ce929d0e0e4736', 'Id_with-marks', 'x'.repeat(64)])(
    'is the one that came, where it is sane: %s',
    async (id) => {
      expect(await ask(id)).toEqual({ returned: id, logged: id })
    },
  )

  it.each([
    undefined,
    '',
    'x'.repeat(65),
    'ada@example.com',
    '10.0.0.1',
    '::1',
    'a b',
    'session.abc.def',
    'ä',
    ['a', 'b'],
  ])('is a new one in place of %j', async (id) => {
    const { returned, logged } = await ask(id)
    expect(returned).toMatch(uuid)
    expect(logged).toBe(returned)
  })

  it('is returned with a path that does not exist, and with a malformed one', async () => {
    const { app } = createTestApp()
    for (const url of ['/nowhere', '/%ZZ']) {
      const answer = await app.inject({ url, headers: { 'x-request-id': 'from-the-proxy' } })
      expect(answer.headers['x-request-id']).toBe('from-the-proxy')
    }
  })
})

describe('the access log', () => {
  it('has the checks that went well at debug alone', async () => {
    const { app, lines } = createTestApp({ health: { readiness: { check: async () => undefined } } })
    await app.inject('/healthz')
    await app.inject('/readyz')
    const levels = lines.map((line) => JSON.parse(line)).map(({ operation, level }) => [operation, level])
    expect(levels).toEqual([
      ['health', 20],
      ['readiness', 20],
    ])
  })
})
