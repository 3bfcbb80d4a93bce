import { existsSync } from 'node:fs'
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { emptyLog, vacuumDatabase } from '../../../src/store/sqlite/maintain.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { fullState } from '../store-suite/records.js'
import { createDatabase, damage } from './database-files.js'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()
const database = () => folder.database()

/** Removes a database as `rm store.db*` does. */
const removeAll = () =>
  Promise.all(['', '-wal', '-shm'].map((end) => rm(`${database()}${end}`, { force: true })))

/** Stops the clock that limits how often the path is checked. */
function useFakeClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Waits until a write succeeds. An error other than StoreUnavailableError fails the test. */
const writable = (write: () => Promise<unknown>) =>
  expect
    .poll(
      () =>
        write().then(
          () => 'written',
          (error) => (error instanceof StoreUnavailableError ? 'unavailable' : error),
        ),
      { interval: 50 },
    )
    .toBe('written')

describe('sqlite store: the file is', () => {
  test('removed: writes are refused, reads continue, and no file is created', async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('before'))
    await removeAll()
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow(StoreUnavailableError)
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow('does not exist')
    expect(await names(store)).toEqual(['before'])
    expect(await readdir(folder.path())).toEqual([])
  })

  test('removed during a write: the write is not acknowledged', async () => {
    const db = await folder.openReopening()
    const write = db.transaction(async (connection) => {
      await removeAll()
      await connection.exec('PRAGMA user_version = 1')
    })
    await expect(write).rejects.toThrow('removed or replaced')
  })

  test('replaced by a valid copy during a write: the write is not acknowledged', async () => {
    const copy = await createDatabase(folder.path('copy.db'), ['from-the-copy'])
    const db = await folder.openReopening()
    const write = db.transaction(async (connection) => {
      await rename(copy, database())
      await connection.exec('PRAGMA user_version = 1')
    })
    await expect(write).rejects.toThrow('removed or replaced')
    expect(await db.read('SELECT email FROM waitlist')).toEqual([{ email: 'from-the-copy@example.com' }])
  })

  test('moved away and back: writes succeed again, and nothing is lost', async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('before'))
    const away = folder.path('away')
    await rename(database(), away)
    await expect(store.addToWaitlist(entry('meanwhile'))).rejects.toThrow(StoreUnavailableError)
    await rename(away, database())
    await store.addToWaitlist(entry('after'))
    expect((await names(store)).sort()).toEqual(['after', 'before'])
  })

  test('replaced by a copy beside the old log: the copy is served, without the content of the old log', async () => {
    const copy = await createDatabase(folder.path('copy.db'), ['from-the-copy'])
    const store = await folder.openStore()
    for (let i = 0; i < 20; i += 1) await store.addToWaitlist(entry(`old-${i}`))
    await rename(copy, database())
    await writable(() => store.addToWaitlist(entry('after')))
    expect((await names(store)).sort()).toEqual(['after', 'from-the-copy'])
    await store.close()
    expect(await names(await folder.openStore())).toEqual(await names(await folder.openStore()))
    // The old log still exists: it may hold commits that are not in the old file.
    expect((await readdir(folder.path())).some((name) => name.includes('-wal.replaced-'))).toBe(true)
  })

  test('replaced by a copy with a log of its own: the content of that log is served', async () => {
    const other = folder.path('other.db')
    await (await folder.openStore(other)).addToWaitlist(entry('in-its-log'))
    const store = await folder.openStore()
    await removeAll()
    for (const end of ['-wal', '']) await copyFile(`${other}${end}`, `${database()}${end}`)
    await writable(() => store.addToWaitlist(entry('after')))
    expect((await names(store)).sort()).toEqual(['after', 'in-its-log'])
  })

  test('replaced by a copy: reads alone open it, after a moment', async () => {
    useFakeClock()
    const copy = await createDatabase(folder.path('copy.db'), ['from-the-copy'])
    const store = await folder.openStore()
    await removeAll()
    await rename(copy, database())
    vi.advanceTimersByTime(101)
    await expect.poll(() => names(store)).toEqual(['from-the-copy'])
  })

  test('replaced by an invalid file: the next attempt to open it is 250 ms later', async () => {
    useFakeClock()
    const copy = await createDatabase(folder.path('copy.db'), ['restored'])
    const store = await folder.openStore()
    await removeAll()
    await writeFile(database(), 'a letter to a friend'.repeat(20))
    const reason = 'is not a SQLite database'
    await expect(store.probe()).rejects.toThrow(reason)
    await rename(copy, database())
    vi.advanceTimersByTime(249)
    await expect(store.probe()).rejects.toThrow(reason)
    vi.advanceTimersByTime(1)
    await store.probe()
    expect(await names(store)).toEqual(['restored'])
  })

  test('replaced by another kind of file: that file is not changed, and a valid one is opened later', async () => {
    const copy = await createDatabase(folder.path('copy.db'), ['restored'])
    const store = await folder.openStore()
    await store.addToWaitlist(entry('before'))
    await removeAll()
    await writeFile(database(), 'a letter to a friend'.repeat(20))
    await expect(store.addToWaitlist(entry('lost'))).rejects.toMatchObject({
      message: expect.stringContaining('is not a SQLite database'),
      cause: { name: 'DatabaseRefusedError' },
    })
    await rm(database())
    await writeFile(database(), '')
    await expect.poll(() => store.probe().catch(({ message }) => message)).toContain('empty')
    expect(await names(store)).toEqual(['before'])
    await rm(database())
    await rename(copy, database())
    await writable(() => store.probe())
    expect(await names(store)).toEqual(['restored'])
  })

  test('left without its log: the content of the log is not lost', async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('in-the-log'))
    await rm(`${database()}-wal`)
    await writable(() => store.addToWaitlist(entry('after')))
    expect((await names(store)).sort()).toEqual(['after', 'in-the-log'])
    await store.close()
    expect((await names(await folder.openStore())).sort()).toEqual(['after', 'in-the-log'])
  })

  test('left without its log: reads go on meanwhile', async () => {
    const db = await folder.openReopening()
    await rm(`${database()}-wal`)
    const write = db.transaction((connection) => connection.exec('PRAGMA user_version = 1'))
    let isPending = true
    const ended = write.catch(() => {}).then(() => (isPending = false))
    while (isPending) {
      expect(db.changeCounter).not.toThrow()
      expect(await db.read('SELECT 1 AS one')).toEqual([{ one: 1 }])
    }
    await ended
  })

  test('left without its log, which comes back after it could not be made again: writes succeed', async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('before'))
    const ends = ['-wal', '-shm']
    for (const end of ends) await rename(`${database()}${end}`, folder.path(`away${end}`))
    await mkdir(`${database()}-wal`)
    await expect(store.addToWaitlist(entry('meanwhile'))).rejects.toThrow(StoreUnavailableError)
    await rmdir(`${database()}-wal`)
    for (const end of ends) await rename(folder.path(`away${end}`), `${database()}${end}`)
    await writable(() => store.addToWaitlist(entry('after')))
    expect((await names(store)).sort()).toEqual(['after', 'before'])
  })

  test('truncated: it is not used any more, nor written, and another file takes its place', async () => {
    const copy = await createDatabase(folder.path('copy.db'), ['from-the-copy'])
    await createDatabase(database(), ['before'])
    const store = await folder.openStore()
    await store.addToWaitlist(entry('in-the-log'))
    await truncate(database(), 8192)
    const contents = () => Promise.all([readFile(database()), readFile(`${database()}-wal`)])
    const before = await contents()
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow(StoreUnavailableError)
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow('is damaged')
    await expect(names(store)).rejects.toThrow('is damaged')
    expect(await contents()).toEqual(before)
    await rename(copy, database())
    await writable(() => store.addToWaitlist(entry('after')))
    expect((await names(store)).sort()).toEqual(['after', 'from-the-copy'])
  })

  test('truncated: nothing is written to it at the end either', async () => {
    await createDatabase(database(), ['before'])
    const store = await folder.openStore()
    await store.addToWaitlist(entry('in-the-log'))
    await truncate(database(), 8192)
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow('is damaged')
    const before = await readFile(database())
    await store.close()
    expect(await readFile(database())).toEqual(before)
  })

  test('damaged where a read finds it: it is not used any more, until the content is there again', async () => {
    await createDatabase(database(), ['before'])
    const store = await folder.openStore()
    const before = await readFile(database())
    damage(database())
    await expect(store.export()).rejects.toThrow(StoreUnavailableError)
    await expect(store.addToWaitlist(entry('meanwhile'))).rejects.toThrow('is damaged')
    await writeFile(database(), before)
    await writable(() => store.addToWaitlist(entry('after')))
    expect((await names(store)).sort()).toEqual(['after', 'before'])
  })

  test('vacuumed by another process: no write is refused', async () => {
    const store = await folder.openStore()
    const many = Array.from({ length: 2_000 }, (_, i) => entry(`${i}`.padStart(50, 'x')))
    await Promise.all(many.map((each) => store.addToWaitlist(each)))
    await emptyLog(database())
    await store.addToWaitlist(entry('at its longest'))
    await store.remove({ waitlist: many.slice(1).map(({ email }) => email) })
    const { before, after } = await vacuumDatabase(database())
    expect(after).toBeLessThan(before)
    await store.addToWaitlist(entry('after'))
    expect(await names(store)).toHaveLength(3)
  })

  test('vacuumed by another process: it stays locked, so that nobody takes away its log', {
    skip: process.platform !== 'linux',
  }, async () => {
    const isLocked = async () => {
      const { ino } = await stat(database())
      const line = new RegExp(`POSIX .* ${process.pid} \\S+:${ino} `)
      return line.test(await readFile('/proc/locks', 'utf8'))
    }
    const store = await folder.openStore()
    await store.addToWaitlist(entry('before'))
    expect(await isLocked()).toBe(true)
    const many = Array.from({ length: 2_000 }, (_, i) => entry(`${i}`.padStart(50, 'x')))
    await Promise.all(many.map((each) => store.addToWaitlist(each)))
    await emptyLog(database())
    await store.addToWaitlist(entry('at its longest'))
    await store.remove({ waitlist: many.map(({ email }) => email) })
    const { size } = await stat(database())
    // Only by SQLite: this process is the one whose locks are looked at.
    await (await folder.openConnection()).exec('VACUUM')
    await emptyLog(database())
    expect((await stat(database())).size).toBeLessThan(size)
    await store.addToWaitlist(entry('after'))
    expect(await isLocked()).toBe(true)
  })

  test('left without the index of its log: commits of others are seen', async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('before'))
    await rm(`${database()}-shm`)
    await writable(() => store.addToWaitlist(entry('after')))
    const other = await folder.openStore()
    await other.addTeam({ id: 'acme', name: 'Acme', orgCode: 'org_acme' })
    expect(await store.team('acme')).toBeDefined()
    await other.load({ ...fullState, teams: [], projects: [], waitlist: [] })
    expect((await store.caller('viewer'))?.session.revokedAt).toBeUndefined()
    await other.revokeSession('viewer', '2026-03-01T12:00:00.000Z')
    expect(await store.caller('viewer')).toMatchObject({ session: { revokedAt: '2026-03-01T12:00:00.000Z' } })
    expect((await names(other)).sort()).toEqual(['after', 'before'])
  })

  test('replaced repeatedly: no descriptor stays open', {
    skip: process.platform !== 'linux',
  }, async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('first'))
    const open = async () => (await readdir('/proc/self/fd')).length
    const replace = async (name: string) => {
      const copy = await createDatabase(folder.path('copy.db'), [name])
      await rename(copy, database())
      await writable(() => store.addToWaitlist(entry(`after-${name}`)))
    }
    await replace('one')
    const before = await open()
    for (const name of ['two', 'three', 'four']) await replace(name)
    await expect.poll(open).toBeLessThanOrEqual(before)
  })

  test('removed: the store can be closed', async () => {
    const store = await folder.openStore()
    await removeAll()
    await expect(store.probe()).rejects.toThrow(StoreUnavailableError)
    await store.close()
    expect(existsSync(database())).toBe(false)
  })
})

describe('sqlite store: probe', () => {
  test('is a write that changes nothing', async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('ada'))
    const before = await store.export()
    await store.probe()
    expect(await store.export()).toEqual(before)
  })

  test('fails where another program has changed the version of the database', async () => {
    const store = await folder.openStore()
    await store.probe()
    const other = await folder.openConnection()
    await other.exec('PRAGMA user_version = 999')
    await expect(store.probe()).rejects.toThrow(
      'for programs that know version 999; this program knows version',
    )
  })

  test('fails as every write does, while another process holds the lock; reads continue', async () => {
    const store = await folder.openStore(database(), 200)
    await store.addToWaitlist(entry('before'))
    const other = await folder.openConnection()
    await other.exec('BEGIN IMMEDIATE')
    const writes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => store.addToWaitlist(entry(`w-${i}`))),
    )
    for (const write of writes) {
      expect(write).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
    }
    await expect(store.probe()).rejects.toThrow(StoreUnavailableError)
    expect(await names(store)).toEqual(['before'])
    await other.exec('ROLLBACK')
    await store.addToWaitlist(entry('after'))
    await store.probe()
    expect((await names(store)).sort()).toEqual(['after', 'before'])
  })

  test('counts the open sessions', async () => {
    const store = await folder.openStore()
    const session = { userId: 'u', permissions: [] }
    await store.addUser({ id: 'u', email: 'u@example.com', givenName: '', familyName: '', picture: '' })
    await store.addSession({ ...session, id: 'open', expiresAt: '2026-03-01T13:00:00.000Z' })
    await store.addSession({ ...session, id: 'expired', expiresAt: '2026-03-01T11:00:00.000Z' })
    await store.addSession({ ...session, id: 'revoked', expiresAt: '2026-03-01T13:00:00.000Z' })
    await store.revokeSession('revoked', '2026-03-01T11:30:00.000Z')
    expect(await store.countOpenSessions('2026-03-01T12:00:00.000Z')).toBe(1)
  })
})
