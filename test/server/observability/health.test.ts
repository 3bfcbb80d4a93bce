import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type SelfCheckOptions,
  startSelfCheck,
  type Unready,
} from '../../../src/server/observability/self-check.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createTestApp } from '../server-harness.js'

const never = () => new Promise<never>(() => {})

/** The self-check of a service with this probe of its database. */
function start(probe: () => Promise<void>, options: Partial<SelfCheckOptions> = {}) {
  const log = vi.fn()
  const store = { probe, databaseTime: never, auditAfter: never }
  const selfCheck = startSelfCheck({ store, log, everyMs: 60_000, ...options })
  onTestFinished(selfCheck.stop)
  return { ...selfCheck, log }
}
/** The state that the service knows. */
const knowing = (reason?: Unready, skewMs = 0) => ({
  selfCheck: { readiness: async () => reason, clockSkewMs: () => skewMs },
})

afterEach(() => void vi.useRealTimers())

describe('/healthz', () => {
  it('is 200 even if the database fails', async () => {
    const { app } = createTestApp({ health: knowing('database') })
    const response = await app.inject('/healthz')
    expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }])
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store' })
  })
})

describe('/readyz', () => {
  const send = async (health = {}) => {
    const response = await createTestApp({ health }).app.inject('/readyz')
    return [response.statusCode, response.json(), response.headers['retry-after']]
  }

  it('is 200 if a write would succeed, and else 503 with the reason and Retry-After', async () => {
    expect(await send(knowing())).toEqual([200, { status: 'ready' }, undefined])
    for (const reason of ['database', 'draining'] as const)
      expect(await send(knowing(reason))).toEqual([503, { status: 'unavailable', reason }, '1'])
  })

  it('reports in either case that the clock is wrong, which does not lead to 503', async () => {
    const skewed = async (ms: number, reason?: Unready) => (await send(knowing(reason, ms))).slice(0, 2)
    expect(await skewed(60_000)).toEqual([200, { status: 'ready' }])
    expect(await skewed(Number.NaN)).toEqual([200, { status: 'ready' }])
    expect(await skewed(-61_000)).toEqual([200, { status: 'ready', clockSkewSeconds: -61 }])
    expect(await skewed(90_000, 'database')).toEqual([
      503,
      { status: 'unavailable', reason: 'database', clockSkewSeconds: 90 },
    ])
  })

  it('is 200 if nothing is checked', async () => {
    expect(await send()).toEqual([200, { status: 'ready' }, undefined])
  })

  it('follows the result of the probe', async () => {
    let fault: Error | undefined = new Error('full')
    const probe = async () => {
      if (fault) throw fault
    }
    const { readiness } = start(probe, { reuseMs: 0 })
    expect([await readiness(), await readiness()]).toEqual(['database', 'database'])
    fault = undefined
    expect([await readiness(), await readiness()]).toEqual([undefined, undefined])
  })

  it('does not wait for a database that hangs, and reports it', async () => {
    const { readiness, log } = start(never, { timeoutMs: 20 })
    expect(await readiness()).toBe('database')
    const err = new StoreUnavailableError('The database did not answer within 20 ms')
    expect(log.mock.calls).toEqual([['warn', { err }, 'not ready: requests that need the database fail']])
  })

  it('waits a second for the database, and uses the result for a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const probe = vi.fn(async () => {})
    const { readiness } = start(probe)
    expect(await readiness()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(999)
    await readiness()
    expect(probe).toHaveBeenCalledTimes(1)
    probe.mockImplementation(never)
    vi.advanceTimersByTime(1)
    const settled = vi.fn()
    const pending = readiness().then(settled)
    await vi.advanceTimersByTimeAsync(999)
    expect(settled).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    await pending
    expect(settled).toHaveBeenCalledWith('database')
  })

  it('shares one probe between concurrent checks', async () => {
    let probes = 0
    const { readiness } = start(
      async () => {
        probes += 1
        await setImmediate()
      },
      { reuseMs: 60_000 },
    )
    await Promise.all(Array.from({ length: 10 }, readiness))
    await readiness()
    expect(probes).toBe(1)
  })

  it('is 503 as soon as the service drains', async () => {
    const probe = vi.fn(async () => {})
    const { readiness, drain } = start(probe, { reuseMs: 0 })
    expect(await readiness()).toBeUndefined()
    drain()
    expect(await readiness()).toBe('draining')
    expect(probe).toHaveBeenCalledTimes(1)
  })
})
