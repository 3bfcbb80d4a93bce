import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPostgres, createStandby } from '../../../bench/drills/postgres-server.js'
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
  /** Waits until the standby has replayed all that the primary has. */
  const caughtUp = async () => {
    const [row] = await primary.query('SELECT pg_current_wal_lsn() AS at')
    const isReplayed = `SELECT pg_last_wal_replay_lsn() >= '${row?.at}' AS is`
    await expect.poll(async () => (await standby.query(isReplayed))[0]?.is).toBe(true)
  }

  test('a commit that was in progress when a standby told the version is not missed', async () => {
    const store = await openStore(primary.url)
    await addTeams(store)
    await store.addProject(acmeProject('p'))
    const other = new pg.Client({ connectionString: primary.url })
    await other.connect()
    await other.query("BEGIN; UPDATE projects SET name = 'renamed' WHERE id = 'p'")
    // A later transaction that ends earlier.
    await store.addToWaitlist({ email: 'a@b.example', createdAt: '2026-01-01T00:00:00.000Z' })
    await caughtUp()

    const reader = await openStore(`${standby.url}?target_session_attrs=any`)
    const { version } = await reader.listProjects('acme')
    await other.query('COMMIT')
    await other.end()
    await caughtUp()
    expect(await reader.project('acme', 'p')).toMatchObject({ name: 'renamed' })
    expect((await reader.listProjects('acme')).version).not.toBe(version)
  })

  test('with target_session_attrs=any reads go on while the primary is down, and writes go on once it is back', async () => {
    const { host } = new URL(primary.url)
    const both = primary.url.replace(host, `${host},127.0.0.1:${standby.port}`)
    const store = await openStore(`${both}?target_session_attrs=any`)
    await store.addProject(acmeProject('before'))
    await caughtUp()
    await primary.kill()
    expect((await store.listProjects('acme')).projects.map(({ id }) => id)).toContain('before')
    await expect(store.addProject(acmeProject('refused'))).rejects.toThrow(StoreUnavailableError)
    expect((await store.listProjects('acme')).projects).not.toEqual([])

    await primary.start()
    const write = () =>
      store.addProject(acmeProject('after')).then(
        () => 'written',
        () => 'refused',
      )
    await expect.poll(write, { interval: 100 }).toBe('written')
    expect((await primary.query("SELECT FROM projects WHERE id = 'after'")).length).toBe(1)
  })
})
