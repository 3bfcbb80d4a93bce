import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { fullState } from '../store-suite/records.js'
import { acmeProject, entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()

describe('sqlite store: several at once', () => {
  test('a second store on the file sees every commit at once, however often it has read before', async () => {
    const [one, other] = [await folder.openStore(), await folder.openStore()]
    for (let i = 0; i < 10; i += 1) {
      await one.addToWaitlist(entry(`one-${i}`))
      expect(await names(other)).toHaveLength(2 * i + 1)
      await other.addToWaitlist(entry(`other-${i}`))
      expect(await names(one)).toHaveLength(2 * i + 2)
    }
  })

  test('reads do not pin the log: a checkpoint gets through after any of them', async () => {
    const store = await folder.openStore()
    await store.load(fullState)
    await Promise.all([
      store.teamOfOrganization('org_acme'),
      store.listProjects('acme'),
      store.project('acme', 'p2'),
      store.projectNamed('acme', 'p2'),
      store.updateProject('acme', 'p2', { status: 'active' }),
      store.user('ada'),
      store.userWithEmail('ada@example.com'),
      store.session('owner'),
      store.listSessions(),
      store.listWaitlist(),
      store.export(),
    ])
    const other = await folder.openHandle()
    expect(await other.all('PRAGMA wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
  })

  test('a snapshot stays as it is while others write, and nobody else is held back', async () => {
    const db = await folder.openConnections()
    const add = (email: string) =>
      db.write((handle) => handle.run(`INSERT INTO waitlist (email, created_at) VALUES (?, '')`, email))
    const count = 'SELECT count(*) AS count FROM waitlist'
    await add('a')
    await db.snapshot(async (handle) => {
      expect(await handle.all(count)).toEqual([{ count: 1 }])
      await add('b')
      expect(await handle.all(count)).toEqual([{ count: 1 }])
      for (let i = 0; i < 4; i += 1) expect(await db.read(count)).toEqual([{ count: 2 }])
    })
  })

  test('an export is one state of the store, with its parts in step', async () => {
    const store = await folder.openStore()
    await store.load(fullState)
    const exports = Array.from({ length: 5 }, () => store.export())
    const writes = Array.from({ length: 50 }, (_, i) =>
      store.load({
        ...fullState,
        users: [{ id: `u${i}`, email: '', givenName: '', familyName: '', picture: '' }],
        sessions: [{ id: `s${i}`, userId: `u${i}`, permissions: [] }],
      }),
    )
    for (const state of await Promise.all(exports)) expect(state.users).toHaveLength(state.sessions.length)
    await Promise.all(writes)
  })

  test('one failed write among many harms no other', async () => {
    const store = await folder.openStore()
    await store.load({ ...fullState, projects: [] })
    const writes = Array.from({ length: 60 }, (_, i) => {
      const isBad = i % 3 === 1
      return store.addProject(isBad ? { ...acmeProject(`p${i}`), teamId: 'none' } : acmeProject(`p${i}`))
    })
    const outcomes = await Promise.allSettled(writes)
    const added = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [`p${i}`] : []))
    expect(added).toHaveLength(40)
    expect((await store.export()).projects.map(({ id }) => id)).toEqual(added)
  })

  test('a load that fails half-way leaves nothing behind', async () => {
    const store = await folder.openStore()
    await expect(store.load({ ...fullState, teams: [] })).rejects.toThrow('FOREIGN KEY')
    expect((await store.export()).users).toEqual([])
  })

  test('a full disk is unavailable, and writes go on once there is room', async () => {
    const db = await folder.openConnections()
    const fill = (bytes: number) =>
      db.write((handle) =>
        handle.run(`INSERT INTO waitlist (email, created_at) VALUES (?, '')`, 'x'.repeat(bytes)),
      )
    await db.write((handle) => handle.exec('PRAGMA max_page_count = 30'))
    await expect(fill(500_000)).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      cause: { code: 'SQLITE_FULL' },
    })
    await fill(1)
    await db.write((handle) => handle.exec('PRAGMA max_page_count = 100000'))
    await fill(500_000)
    expect(await db.read('SELECT length(email) AS length FROM waitlist')).toEqual([
      { length: 1 },
      { length: 500_000 },
    ])
  })

  test("another's lock makes writes unavailable after the busy time-out, and reads go on", async () => {
    const store = await folder.openStore(folder.database(), 20)
    await store.addToWaitlist(entry('before'))
    const other = await folder.openHandle()
    await other.run('BEGIN IMMEDIATE')
    const refused = store.addToWaitlist(entry('meanwhile'))
    await expect(refused).rejects.toThrow(StoreUnavailableError)
    await expect(refused).rejects.toMatchObject({ cause: { code: 'SQLITE_BUSY' } })
    expect(await names(store)).toEqual(['before'])

    await other.run('ROLLBACK')
    expect(await store.addToWaitlist(entry('later'))).toBe(true)
    expect(await names(store)).toEqual(['before', 'later'])
  })

  test('a write waits for a lock that is let go within the busy time-out', async () => {
    const store = await folder.openStore(folder.database(), 20_000)
    const other = await folder.openHandle()
    await other.run('BEGIN IMMEDIATE')
    const waiting = store.addToWaitlist(entry('waited'))
    expect(await names(store)).toEqual([])
    await other.run('COMMIT')
    expect(await waiting).toBe(true)
  })

  test('two stores may open the same new file at once', async () => {
    for (let i = 0; i < 10; i += 1) {
      const file = folder.path(`${i}.db`)
      const stores = await Promise.all([folder.openStore(file), folder.openStore(file)])
      await Promise.all(stores.map((store, j) => store.addToWaitlist(entry(`${j}`))))
      for (const store of stores) expect(await names(store)).toEqual(['0', '1'])
    }
  })

  test('the change to WAL waits until others have let go of the file', async () => {
    await (await folder.openStore()).close()
    const other = await folder.openHandle()
    await other.exec('PRAGMA journal_mode = DELETE; BEGIN; SELECT count(*) FROM teams')
    const waiting = folder.openStore(folder.database(), 20_000)
    await expect(folder.openStore(folder.database(), 1)).rejects.toThrow(StoreUnavailableError)
    await other.run('COMMIT')
    expect(await names(await waiting)).toEqual([])
  })

  test('close waits for a snapshot, so that no log is left behind', async () => {
    const db = await folder.openConnections()
    let closed: Promise<void> | undefined
    await db.snapshot(async (handle) => {
      closed = db.close()
      for (let i = 0; i < 100; i += 1) await handle.all('SELECT count(*) FROM teams')
    })
    await closed
    expect(await readdir(folder.path())).toEqual(['store.db'])
  })

  test('close finishes what was begun, then every call is unavailable', async () => {
    const store = await folder.openStore()
    await store.load(fullState)
    const begun = Array.from({ length: 30 }, (_, i) => store.addProject(acmeProject(`late${i}`)))
    const reads = [store.export(), store.listProjects('acme'), store.listWaitlist()]
    const closed = Promise.all([store.close(), store.close()])
    await expect(store.listWaitlist()).rejects.toThrow(StoreUnavailableError)
    await Promise.all([...begun, ...reads, closed])
    expect(await readdir(folder.path())).toEqual(['store.db'])

    const calls = [
      () => store.listProjects('acme'),
      () => store.addToWaitlist(entry('late')),
      () => store.export(),
      () => store.load(fullState),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailableError)
    await store.close()
    expect(await (await folder.openStore()).listProjects('acme')).toHaveLength(2 + begun.length)
  })
})
