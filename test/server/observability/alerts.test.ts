import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openConnection } from '../../../src/store/sqlite/connection.js'
import { createBrowser } from '../../oidc/browser.js'
import { startUntrustedProvider } from '../../oidc/untrusted-provider.js'
import { noMounts, smallDisk } from '../../store/small-disk.js'
import { execSql } from '../../store/sqlite/database-files.js'
import { hour, openWire } from '../server-harness.js'
import { serve } from '../serving.js'
import { expectAlerts, noPromtool } from './alerts.js'
import { prepareDatabase, startObserved, statusOf } from './start-observed.js'

let folder: string
let database: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  database = join(folder, 'dashboard.db')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const isUnready = (metrics: string) => metrics.includes('dashboard_api_ready{reason="database"} 0')

/** Fills the disk of a folder, but for some bytes. Not in one turn: a service whose process is held up refuses requests. */
async function fill(folder: string, left: number) {
  const { bavail, bsize } = statfsSync(folder)
  await appendFile(join(folder, 'filler'), Buffer.alloc(bavail * bsize - left)).catch((error) => {
    // The service wrote meanwhile: the disk is full.
    if (error.code !== 'ENOSPC') throw error
  })
}

/** A service with an identity provider, where somebody signs in each minute. */
async function withSignIn() {
  const provider = await startUntrustedProvider()
  onTestFinished(provider.close)
  await prepareDatabase(database)
  const service = await startObserved(database, {
    DASHBOARD_API_OIDC_ISSUER: provider.issuer,
    DASHBOARD_API_OIDC_CLIENT_ID: 'dashboard',
    DASHBOARD_API_OIDC_CLIENT_SECRET: 'secret',
  })
  const begin = async (browser = createBrowser()) => {
    const response = await browser.request(`${service.url}/auth/sign-in`)
    await response.arrayBuffer()
    return response.headers.get('location')
  }
  const signIn = async () => {
    const browser = createBrowser()
    const location = await begin(browser)
    if (location) await statusOf(browser.request(provider.authorize(new URL(location))))
  }
  return { ...service, provider, begin, signIn }
}

describe.skipIf(noPromtool)('the alerts of a service', () => {
  it('whose process is stopped', async () => {
    const { cookies } = await prepareDatabase(database)
    const token = 'a-token-of-sixteen-or-more'
    const { url, child, ended } = await serve(database, { DASHBOARD_API_METRICS_TOKEN: token })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const read = async () => {
      const signal = AbortSignal.timeout(stopped ? 100 : 60_000)
      const response = await fetch(`${url}/metrics`, {
        headers: { authorization: `Bearer ${token}` },
        signal,
      })
      return response.text()
    }
    let stopped = false
    const use = async () => {
      if (!stopped) await statusOf(fetch(`${url}/v1/projects`, { headers: { cookie: cookies[0] } }))
    }
    const fault = () => {
      stopped = true
      child.kill('SIGSTOP')
    }
    await expectAlerts({ read, use, fault }, ['DashboardApiDown'])
  })

  it('whose database is locked, while nobody uses it', async () => {
    await prepareDatabase(database)
    const { read } = await startObserved(database)
    const other = await openConnection(database, 'write', 1_000)
    onTestFinished(() => other.close())
    const fault = () => other.exec('BEGIN IMMEDIATE')
    await expectAlerts({ read, fault, isSeen: isUnready }, ['DashboardApiNotReady'])
  })

  it.skipIf(noMounts)('whose disk is full, without a write of anybody', async () => {
    const { path } = smallDisk('32M')
    await prepareDatabase(join(path, 'dashboard.db'))
    const { read, close } = await startObserved(join(path, 'dashboard.db'))
    const fault = () => fill(path, 0)
    await expectAlerts({ read, fault, isSeen: isUnready }, [
      'DashboardApiNotReady',
      'DashboardApiDiskNearlyFull',
    ])
    await close()
  })

  it.skipIf(noMounts)('whose disk is nearly full', async () => {
    const { path } = smallDisk('64M')
    const { cookies } = await prepareDatabase(join(path, 'dashboard.db'))
    const { read, list, close } = await startObserved(join(path, 'dashboard.db'))
    const fault = () => fill(path, 5 * 1024 * 1024)
    const use = async () => expect(await list(cookies[0])).toBe(200)
    await expectAlerts({ read, use, fault }, ['DashboardApiDiskNearlyFull'])
    await close()
  })

  it('whose backup is too old', async () => {
    await prepareDatabase(database)
    const { read } = await startObserved(database)
    const fault = () => {
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(Date.now() + 3 * hour)
    }
    await expectAlerts({ read, fault, minutes: 17 }, ['DashboardApiBackupTooOld'])
  })

  it('that throttles one customer of two', async () => {
    const { cookies } = await prepareDatabase(database)
    const { read, list } = await startObserved(database, { DASHBOARD_API_PROJECTS_RATE: '20/1m' })
    let isFlooding = false
    const use = async () => {
      expect(await list(cookies[1])).toBe(200)
      for (let i = 0; i < (isFlooding ? 20 : 1); i += 1) await list(cookies[0])
    }
    const fault = () => {
      isFlooding = true
    }
    await expectAlerts({ read, use, fault }, ['DashboardApiRateLimited'])
  })

  it('that replies 500', async () => {
    await prepareDatabase(database)
    const { url, read } = await startObserved(database)
    const body = JSON.stringify({ email: 'ada@acme.example' })
    const headers = { 'content-type': 'application/json' }
    const use = () => statusOf(fetch(`${url}/v1/waitlist`, { method: 'POST', headers, body }))
    const fault = () => execSql(database, 'ALTER TABLE waitlist RENAME TO waitlist_of_another_program')
    await expectAlerts({ read, use, fault }, ['DashboardApiFault'])
  })

  it('whose identity provider is down, with metadata that is known: no browser comes back', async () => {
    const { read, begin, signIn } = await withSignIn()
    let isDown = false
    const use = () => (isDown ? begin() : signIn())
    const fault = () => {
      isDown = true
    }
    // No success is left within the time of the rule.
    await expectAlerts({ read, use, fault, minutes: 16 }, ['DashboardApiSignInsUnfinished'])
  })

  it('whose identity provider cannot be reached', async () => {
    const { read, provider, signIn } = await withSignIn()
    const fault = () => provider.tamper(({ failing }) => Object.assign(failing, { '/token': 503 }))
    await expectAlerts({ read, use: signIn, fault }, [
      'DashboardApiUnavailable',
      'DashboardApiSignInsFail',
      'DashboardApiSignInsUnfinished',
    ])
  })

  it('whose secret the identity provider rejects', async () => {
    const { read, provider, signIn } = await withSignIn()
    const fault = () =>
      provider.tamper((current) =>
        Object.assign(current, { tokens: { status: 401, body: '{"error":"invalid_client"}' } }),
      )
    await expectAlerts({ read, use: signIn, fault }, [
      'DashboardApiSignInsFail',
      'DashboardApiSignInsUnfinished',
    ])
  })

  it('that cannot decide about a logout of its identity provider', async () => {
    const { read, url, provider, signIn } = await withSignIn()
    const fault = async () => {
      provider.tamper(({ failing }) => Object.assign(failing, { '/keys': 503 }))
      const body = new URLSearchParams({ logout_token: await provider.logoutToken() })
      expect((await fetch(`${url}/auth/back-channel-logout`, { method: 'POST', body })).status).toBe(503)
      provider.tamper(() => {})
    }
    await expectAlerts({ read, use: signIn, fault }, ['DashboardApiLogoutsUndecided'])
  })

  const noOpenssl = spawnSync('openssl', ['version']).error !== undefined
  it.skipIf(noOpenssl)('whose identity provider has a certificate that is rejected', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const names = ['-subj', '/CN=tests', '-addext', 'subjectAltName=IP:127.0.0.1']
    const certificate = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
    execFileSync('openssl', [...certificate, ...names], { stdio: 'ignore' })
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) })
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    await prepareDatabase(database)
    const { url, read } = await startObserved(database, {
      DASHBOARD_API_OIDC_ISSUER: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      DASHBOARD_API_OIDC_CLIENT_ID: 'dashboard',
    })
    let isUsed = false
    const use = async () => {
      if (isUsed) expect(await statusOf(fetch(`${url}/auth/sign-in`))).toBe(502)
    }
    const fault = () => {
      isUsed = true
    }
    await expectAlerts({ read, use, fault }, ['DashboardApiSignInsFail'])
  })
})

it('the metrics count the connections that were closed for a limit', async () => {
  await prepareDatabase(database)
  const { url, read } = await startObserved(database, { DASHBOARD_API_MAX_CONNECTIONS: '1' })
  expect(await read()).toContain('\ndashboard_api_connections_closed_total 0\n')
  const first = await openWire(url)
  const second = await openWire(url)
  await first.closed
  second.end()
  expect(await read()).toContain('\ndashboard_api_connections_closed_total 1\n')
})
