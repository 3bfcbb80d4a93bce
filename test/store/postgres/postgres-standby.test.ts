import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startNetwork, throughPort } from '../../../bench/drills/network.js'
import { createPostgres, createStandby } from '../../../bench/drills/postgres-server.js'
import { openReader } from '../../../src/store/open/open-store.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { noPostgres } from '../../programs/embedded-postgres.js'
import { openPostgresStore } from '../open-stores.js'
import { acmeProject } from '../sqlite/sqlite-folder.js'
import { addTeams } from '../store-suite/records.js'
import { addressOf } from './postgres-database.js'

const reason = noPostgres()
if (reason) console.warn(`Skipped: ${reason}`)

describe.skipIf(reason)('a primary and its standby', () => {
  let folder: string
  let primary: Awaited<ReturnType<typeof createPostgres>>
  let standby: typeof primary
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'standby-'))
    chmodSync(folder, 0o755)
    primary = await createPostgres(join(folder, 'primary'), { fsync: 'off' })
    await (await openPostgresStore(addressOf(primary.url))).close()
    standby = await createStandby(primary, join(folder, 'standby'))
    await standby.start()
  })
  afterAll(async () => {
    await primary?.stop()
    await standby?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const openStore = async (address: string) => {
    const store = await openPostgresStore(addressOf(address), { timeoutMs: 2_000 })
    onTestFinished(store.close)
    return store
  }
  /** Waits until the standby has replayed every change of the primary. */
  const caughtUp = async () => {
    const [row] = await primary.query('SELECT pg_current_wal_lsn() AS at')
    const isReplayed = `SELECT pg_last_wal_replay_lsn() >= '${row?.at}' AS is`
    await expect.poll(async () => (await standby.query(isReplayed))[0]?.is).toBe(true)
  }

  test('a commit in progress when a standby returned the version is not missed', async () => {
    const store = await openStore(primary.url)
    await addTeams(store)
    await store.addProject(acmeProject('p'))
    const other = new pg.Client({ connectionString: primary.url })
    await other.connect()
    await other.query("BEGIN; UPDATE projects SET name = 'renamed' WHERE id = 'p'")
    // This transaction begins later and ends earlier.
    await store.addToWaitlist({ email: 'a@b.example', createdAt: '2026-01-01T00:00:00.000Z' })
    await caughtUp()

    const reader = await openReader(addressOf(standby.url))
    onTestFinished(reader.close)
    const { version } = await reader.listProjects('acme')
    await other.query('COMMIT')
    await other.end()
    await caughtUp()
    expect(await reader.project('acme', 'p')).toMatchObject({ name: 'renamed' })
    expect((await reader.listProjects('acme')).version).not.toBe(version)
  })

  test('the standby is refused where the service would write', async () => {
    const opening = openStore(standby.url)
    await expect(opening).rejects.toThrow(StoreUnavailableError)
    await expect(opening).rejects.toThrow('it is a standby, which accepts no writes')
  })

  test('the promoted standby is used; the old primary is refused when the address leads to it again', async () => {
    const balancer = await startNetwork(primary.port)
    onTestFinished(balancer.close)
    const store = await openStore(throughPort(primary.url, balancer.port))
    await store.addProject(acmeProject('before'))
    await caughtUp()
    const outcome = (id: string) =>
      store.addProject(acmeProject(id)).then(
        () => 'written',
        (error) => error.message,
      )

    // From now on both accept writes.
    await standby.query('SELECT pg_promote()')
    expect(await outcome('to the old one')).toBe('written')
    balancer.switchTo(standby.port)
    await expect.poll(() => outcome('to the new one'), { interval: 50 }).toBe('written')
    expect(await standby.query("SELECT FROM projects WHERE id = 'to the new one'")).toHaveLength(1)

    balancer.switchTo(primary.port)
    expect(await outcome('refused')).toContain('its server was replaced by one that was promoted')
    await expect(store.listProjects('acme')).rejects.toThrow(StoreUnavailableError)
    expect(await primary.query("SELECT FROM projects WHERE id = 'refused'")).toEqual([])
    balancer.switchTo(standby.port)
    await expect.poll(() => outcome('to the new one again'), { interval: 50 }).toBe('written')
  })

  test('another database is refused, until the service is started again', async () => {
    const other = await createPostgres(join(folder, 'other'), { fsync: 'off' })
    onTestFinished(() => other.stop())
    await (await openPostgresStore(addressOf(other.url))).close()
    const balancer = await startNetwork(standby.port)
    onTestFinished(balancer.close)
    const store = await openStore(throughPort(standby.url, balancer.port))
    await store.listTeams()
    balancer.switchTo(other.port)
    await expect(store.listTeams()).rejects.toThrow('it is another database than before; restart the service')
    const restarted = await openStore(throughPort(standby.url, balancer.port))
    expect(await restarted.listTeams()).toEqual([])
  })

  test('a write that a missing synchronous standby did not confirm is not acknowledged', async () => {
    const alone = await createPostgres(join(folder, 'alone'), { fsync: 'off' })
    onTestFinished(() => alone.stop())
    const store = await openStore(alone.url)
    await addTeams(store)
    const setStandby = (change: string) =>
      alone.query(`ALTER SYSTEM ${change}`).then(() => alone.query('SELECT pg_reload_conf()'))
    await setStandby("SET synchronous_standby_names = 'missing'")
    const isSet = "SELECT WHERE current_setting('synchronous_standby_names') = 'missing'"
    await expect.poll(() => alone.query(isSet)).toHaveLength(1)
    await expect(store.addProject(acmeProject('waits'))).rejects.toThrow(StoreUnavailableError)
    await setStandby('RESET synchronous_standby_names')
  })
})
