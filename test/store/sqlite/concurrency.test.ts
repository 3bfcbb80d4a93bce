import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { fullState } from '../store-suite/records.js'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()

describe('sqlite store: concurrency', () => {
  test('reads do not pin the log: a checkpoint completes after each of them', async () => {
    const store = await folder.openStore()
    await store.load(fullState)
    await Promise.all([
      store.teamOfOrganization('org_acme'),
      store.listProjects('acme'),
      store.project('acme', 'p2'),
      store.updateProject('acme', 'p2', { status: 'active' }),
      store.user('ada'),
      store.usersWithEmail('ada@example.com'),
      store.session('owner'),
      store.listSessions(),
      store.waitlistAfter(undefined, 10_000),
      store.export(),
    ])
    const other = await folder.openConnection()
    expect(await other.all('PRAGMA wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
  })

  test('a snapshot does not change while others write, and does not block them', async () => {
    const db = await folder.openDatabase()
    const add = (email: string) =>
      db.transaction((connection) =>
        connection.run(`INSERT INTO waitlist (email, created_at) VALUES ($1, '')`, email),
      )
    const count = 'SELECT count(*) AS count FROM waitlist'
    await add('a')
    await db.snapshot(async (connection) => {
      expect(await connection.all(count)).toEqual([{ count: 1 }])
      await add('b')
      expect(await connection.all(count)).toEqual([{ count: 1 }])
      for (let i = 0; i < 4; i += 1) expect(await db.read(count)).toEqual([{ count: 2 }])
    })
  })

  test('a full disk makes the store unavailable until there is space', async () => {
    const db = await folder.openDatabase()
    const fill = (bytes: number) =>
      db.transaction((connection) =>
        connection.run(`INSERT INTO waitlist (email, created_at) VALUES ($1, '')`, 'x'.repeat(bytes)),
      )
    await db.transaction((connection) => connection.exec('PRAGMA max_page_count = 30'))
    await expect(fill(500_000)).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      cause: { code: 'SQLITE_FULL' },
    })
    await fill(1)
    await db.transaction((connection) => connection.exec('PRAGMA max_page_count = 100000'))
    await fill(500_000)
    expect(await db.read('SELECT length(email) AS length FROM waitlist')).toEqual([
      { length: 1 },
      { length: 500_000 },
    ])
  })

  test('a write waits for a lock that is released within the busy timeout', async () => {
    const store = await folder.openStore(folder.database(), 20_000)
    const other = await folder.openConnection()
    await other.run('BEGIN IMMEDIATE')
    const waiting = store.addToWaitlist(entry('waited'))
    expect(await names(store)).toEqual([])
    await other.run('COMMIT')
    expect(await waiting).toBe(true)
  })

  // SQLite itself waits for a reader, but not for a writer.
  test.each([
    ['reads', 'BEGIN; SELECT count(*) FROM teams'],
    ['writes', 'BEGIN IMMEDIATE'],
  ])('the switch to WAL waits for another connection that %s', async (_, sql) => {
    await (await folder.openStore()).close()
    const other = await folder.openConnection()
    await other.exec(`PRAGMA journal_mode = DELETE; ${sql}`)
    await expect(folder.openStore(folder.database(), 1)).rejects.toThrow(StoreUnavailableError)
    const waiting = folder.openStore(folder.database(), 20_000)
    await other.run('COMMIT')
    expect(await names(await waiting)).toEqual([])
  })

  test('close waits for a snapshot, so that no log remains', async () => {
    const db = await folder.openDatabase()
    let closed: Promise<void> | undefined
    await db.snapshot(async (connection) => {
      closed = db.close()
      for (let i = 0; i < 100; i += 1) await connection.all('SELECT count(*) FROM teams')
    })
    await closed
    expect(await readdir(folder.path())).toEqual(['store.db'])
  })
})
