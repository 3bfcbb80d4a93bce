import { statfsSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../../src/server/settings/settings.js'
import { startServer } from '../../../src/server/start-server.js'
import { openConnection } from '../../../src/store/sqlite/connection.js'
import { emptyFolder } from '../../cli/cli-process.js'
import { startUntrustedProvider } from '../../oidc/untrusted-provider.js'
import { noMounts, smallDisk } from '../../store/small-disk.js'
import { execSql } from '../../store/sqlite/database-files.js'
import { openWire, secret } from '../server-harness.js'

// Faults in the metrics of a running service, which the alerting rules read. promtool tests the values that alert, and
// test/package/prometheus-rules.test.ts that the rules name existing metrics.

/** Starts a service. @returns a function that reads a metric by its name and labels */
async function observe(database = join(emptyFolder(), 'dashboard.db'), env: Record<string, string> = {}) {
  const settings = readSettings(
    { DASHBOARD_API_SESSION_SECRET: secret, DASHBOARD_API_METRICS_ADDRESS: '0', ...env },
    { port: '0', database },
  )
  const server = await startServer(settings, {
    logStream: { write: () => {} },
    checkMs: 20,
    idleGraceMs: 1,
    drainMs: 1_000,
  })
  onTestFinished(server.close)
  const read = async (metric: string) => {
    const text = await (await fetch(server.metricsUrl ?? '')).text()
    const line = text.split('\n').find((line) => line.startsWith(`dashboard_api_${metric} `))
    return Number(line?.split(' ').at(-1)?.replace('+Inf', 'Infinity'))
  }
  return { url: server.url, database, read }
}
const ready = 'ready{reason="database"}'
const requests = (operation: string, status: number) =>
  `requests_total{operation="${operation}",status="${status}"}`
const signUp = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"email":"a@b.example"}',
}

test('a service without a fault is ready, with its disk, its clock and the age of its last backup', async () => {
  const { read } = await observe()
  await expect.poll(() => read(ready)).toBe(1)
  expect(await read('disk_free_bytes')).toBeLessThan(await read('disk_size_bytes'))
  expect(Math.abs(await read('clock_skew_seconds'))).toBeLessThan(30)
  expect(await read('backup_age_seconds')).toBe(Number.POSITIVE_INFINITY)
})

test('a locked database makes an idle service unready', async () => {
  const { read, database } = await observe()
  const other = await openConnection(database, 'write', 1_000)
  onTestFinished(() => other.close())
  await other.exec('BEGIN IMMEDIATE')
  await expect.poll(() => read(ready)).toBe(0)
})

test.skipIf(noMounts)('a full disk makes a service unready, without a write by a user', async () => {
  const { path } = smallDisk('32M')
  const { read } = await observe(join(path, 'dashboard.db'))
  const { bavail, bsize } = statfsSync(path)
  // The filler is smaller if the service writes meanwhile.
  await appendFile(join(path, 'filler'), Buffer.alloc(bavail * bsize)).catch(({ code }) =>
    expect(code).toBe('ENOSPC'),
  )
  await expect.poll(() => read(ready)).toBe(0)
  expect(await read('disk_free_bytes')).toBeLessThan(1_000_000)
})

test('a fault and a client above its rate limit are counted', async () => {
  const { url, read, database } = await observe(undefined, { DASHBOARD_API_WAITLIST_RATE: '1/1h' })
  await execSql(database, 'ALTER TABLE waitlist RENAME TO waitlist_of_another_program')
  for (const status of [500, 429]) expect((await fetch(`${url}/v1/waitlist`, signUp)).status).toBe(status)
  expect(await read(requests('joinWaitlist', 500))).toBe(1)
  expect(await read(requests('joinWaitlist', 429))).toBe(1)
})

test('a logout that cannot be decided is counted', async () => {
  const provider = await startUntrustedProvider()
  onTestFinished(provider.close)
  const { url, read } = await observe(undefined, {
    DASHBOARD_API_OIDC_ISSUER: provider.issuer,
    DASHBOARD_API_OIDC_CLIENT_ID: 'dashboard',
  })
  provider.tamper({ failing: { '/keys': 503 } })
  const body = new URLSearchParams({ logout_token: await provider.logoutToken() })
  expect((await fetch(`${url}/auth/back-channel-logout`, { method: 'POST', body })).status).toBe(503)
  expect(await read(requests('backChannelLogout', 503))).toBe(1)
})

test('connections that were closed for a limit are counted', async () => {
  const { url, read } = await observe(undefined, { DASHBOARD_API_MAX_CONNECTIONS: '1' })
  const [first, second] = [await openWire(url), await openWire(url)]
  onTestFinished(second.end)
  await first.closed
  expect(await read('connections_closed_total')).toBe(1)
})
