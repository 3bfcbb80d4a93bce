import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { clockSkewMs, startSelfCheck } from '../../../src/server/observability/self-check.js'
import { auditEntry } from '../../../src/store/audit-entry.js'

afterEach(() => void vi.useRealTimers())

/** A service that checks itself every five seconds, by a clock that the test advances. */
async function start() {
  vi.useFakeTimers()
  const lines: object[] = []
  const store = {
    probe: vi.fn(async () => {}),
    databaseTime: vi.fn(async () => new Date()),
    auditAfter: vi.fn(async () => [] as ReturnType<typeof auditEntry>[]),
  }
  const selfCheck = startSelfCheck({
    store,
    log: (level, fields, msg) => lines.push({ level, ...fields, msg }),
  })
  onTestFinished(selfCheck.stop)
  await vi.advanceTimersByTimeAsync(0)
  return { store, selfCheck, lines, pass: () => vi.advanceTimersByTimeAsync(5_000) }
}

describe('a service that checks itself', () => {
  it('knows that it is not ready without a request, and logs each change once', async () => {
    const { store, selfCheck, lines, pass } = await start()
    expect(selfCheck.unready()).toEqual([])
    const full = new Error('disk full')
    store.probe.mockRejectedValue(full)
    await pass()
    await pass()
    expect(selfCheck.unready()).toEqual(['database'])
    store.probe.mockResolvedValue()
    await pass()
    selfCheck.drain()
    expect(selfCheck.unready()).toEqual(['draining'])
    expect(lines).toEqual([
      { level: 'warn', err: full, msg: 'not ready: requests that need the database fail' },
      { level: 'info', msg: 'ready: the database can be used' },
      { level: 'info', msg: 'not ready: the service stops' },
    ])
  })

  it('logs each change of the reason, but not of its numbers', async () => {
    const { store, lines, pass } = await start()
    for (const reason of ['refused; 1 of 10 in use', 'refused; 2 of 10 in use', 'permission denied']) {
      store.probe.mockRejectedValue(new Error(reason))
      await pass()
      await pass()
    }
    const reasons = lines.map((line) => (line as { err?: Error }).err?.message)
    expect(reasons).toEqual(['refused; 1 of 10 in use', 'permission denied'])
  })

  it('logs when its clock is wrong, and when it is right again', async () => {
    const { store, selfCheck, lines, pass } = await start()
    const ahead = (ms: number) => store.databaseTime.mockImplementation(async () => new Date(Date.now() - ms))
    ahead(60_000)
    await pass()
    expect([selfCheck.clockSkewMs(), lines]).toEqual([60_000, []])
    ahead(-90_000)
    await pass()
    await pass()
    expect(selfCheck.clockSkewMs()).toBe(-90_000)
    ahead(0)
    await pass()
    expect(lines).toEqual([
      { level: 'warn', clockSkewSeconds: -90, msg: 'the clock differs from that of the database' },
      { level: 'info', clockSkewSeconds: 0, msg: 'the clock agrees with that of the database' },
    ])
  })

  it('keeps its result about the clock while the database cannot be read', async () => {
    const { store, selfCheck, pass } = await start()
    store.databaseTime.mockImplementation(async () => new Date(Date.now() + 90_000))
    await pass()
    store.databaseTime.mockRejectedValue(new Error('gone'))
    await pass()
    expect(selfCheck.clockSkewMs()).toBe(-90_000)
  })

  it('knows the age of the last backup, and looks for a newer one every minute', async () => {
    const { store, selfCheck, pass } = await start()
    expect(selfCheck.backupAgeMs()).toBe(Number.POSITIVE_INFINITY)
    const began = Date.now()
    store.auditAfter.mockImplementation(async () => [
      auditEntry({ via: 'database backup' }, { action: 'database.backup' }),
    ])
    for (let i = 0; i < 12; i += 1) await pass()
    expect(selfCheck.backupAgeMs()).toBe(0)
    store.auditAfter.mockResolvedValue([])
    for (let i = 0; i < 12; i += 1) await pass()
    expect(selfCheck.backupAgeMs()).toBe(60_000)
    // The search does not start again at the beginning of the audit log.
    expect(store.auditAfter.mock.lastCall).toEqual([
      undefined,
      1,
      { action: 'database.backup', outcome: 'success', since: new Date(began + 60_000).toISOString() },
    ])
  })

  it('reports nothing after its end', async () => {
    const { store, selfCheck, lines, pass } = await start()
    let fail = (_: Error) => {}
    store.probe.mockImplementation(
      () =>
        new Promise((_, reject) => {
          fail = reject
        }),
    )
    await pass()
    selfCheck.stop()
    fail(new Error('closed'))
    await pass()
    expect(lines).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('the difference of the clocks does not include the time of the query', async () => {
  const databaseTime = async () => {
    await wait(20)
    const time = new Date()
    await wait(20)
    return time
  }
  expect(await clockSkewMs({ databaseTime })).toBe(0)
})
