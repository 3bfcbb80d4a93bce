import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createReadiness, type Readiness } from '../../../src/server/observability/readiness.js'
import { createTestApp } from '../server-harness.js'

const never = () => new Promise<void>(() => {})

afterEach(() => void vi.useRealTimers())

describe('/healthz', () => {
  it('is 200 even if the database fails', async () => {
    const { app } = createTestApp({ health: { readiness: { check: async () => 'database' } } })
    const response = await app.inject('/healthz')
    expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }])
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store' })
  })
})

describe('/readyz', () => {
  const send = async (readiness?: Pick<Readiness, 'check'>) => {
    const response = await createTestApp({ health: { readiness } }).app.inject('/readyz')
    return [response.statusCode, response.json(), response.headers['retry-after']]
  }

  it('is 200 if a write would succeed, and else 503 with the reason and Retry-After', async () => {
    expect(await send({ check: async () => undefined })).toEqual([200, { status: 'ready' }, undefined])
    expect(await send({ check: async () => 'database' })).toEqual([
      503,
      { status: 'unavailable', reason: 'database' },
      '1',
    ])
    expect(await send({ check: async () => 'draining' })).toEqual([
      503,
      { status: 'unavailable', reason: 'draining' },
      '1',
    ])
  })

  it('says in either case that the clock is wrong, and is not 503 for it', async () => {
    const skewed = async (ms: number, reason?: 'database') => {
      const health = { readiness: { check: async () => reason }, clockSkewMs: () => ms }
      const response = await createTestApp({ health }).app.inject('/readyz')
      return [response.statusCode, response.json()]
    }
    expect(await skewed(60_000)).toEqual([200, { status: 'ready' }])
    expect(await skewed(Number.NaN)).toEqual([200, { status: 'ready' }])
    expect(await skewed(-61_000)).toEqual([200, { status: 'ready', clockSkewSeconds: -61 }])
    expect(await skewed(90_000, 'database')).toEqual([
      503,
      { status: 'unavailable', reason: 'database', clockSkewSeconds: 90 },
    ])
  })

  it('is 200 where nothing is checked', async () => {
    expect(await send()).toEqual([200, { status: 'ready' }, undefined])
  })

  it('follows the probe, and reports each change once', async () => {
    const changes: unknown[] = []
    let fault: Error | undefined = new Error('full')
    const probe = async () => {
      if (fault) throw fault
    }
    const readiness = createReadiness({ probe, onChange: (...change) => changes.push(change), reuseMs: 0 })
    expect([await readiness.check(), await readiness.check()]).toEqual(['database', 'database'])
    const first = fault
    fault = undefined
    expect([await readiness.check(), await readiness.check()]).toEqual([undefined, undefined])
    expect(changes).toEqual([
      ['database', first],
      ['database', undefined],
    ])
  })

  it('does not wait for a database that hangs, and says so', async () => {
    const onChange = vi.fn()
    const readiness = createReadiness({ probe: never, onChange, timeoutMs: 20 })
    expect(await readiness.check()).toBe('database')
    const error = new Error('The database did not accept a write within 20 ms')
    expect(onChange.mock.calls).toEqual([['database', error]])
  })

  it('waits a second for the database, and uses the result for a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const probe = vi.fn(async () => {})
    const readiness = createReadiness({ probe, onChange: () => {} })
    expect(await readiness.check()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(999)
    await readiness.check()
    expect(probe).toHaveBeenCalledTimes(1)
    probe.mockImplementation(never)
    vi.advanceTimersByTime(1)
    const settled = vi.fn()
    const pending = readiness.check().then(settled)
    await vi.advanceTimersByTimeAsync(999)
    expect(settled).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    await pending
    expect(settled).toHaveBeenCalledWith('database')
  })

  it('shares one probe between concurrent checks', async () => {
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

  it('is 503 as soon as the service drains', async () => {
    const probe = vi.fn(async () => {})
    const readiness = createReadiness({ probe, onChange: () => {}, reuseMs: 0 })
    expect(await readiness.check()).toBeUndefined()
    readiness.drain()
    expect(await readiness.check()).toBe('draining')
    expect(probe).toHaveBeenCalledTimes(1)
  })
})
