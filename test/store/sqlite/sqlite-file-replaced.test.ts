import { mkdir, readdir, readFile, realpath, rename, rm, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createDatabase, damage } from './database-files.js'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()
const database = () => folder.database()

/** Removes a database as `rm store.db*` does. */
const removeAll = () =>
  Promise.all(['', '-wal', '-shm'].map((end) => rm(`${database()}${end}`, { force: true })))

/** Opens a store, and counts how often the file was reported lost. */
async function open() {
  const onLost = vi.fn()
  const store = await folder.openStore(undefined, undefined, { onLost })
  return { store, onLost }
}

/** The error of calls once the file is lost. */
const fault = (reason: string) => ({
  name: 'StoreUnavailableError',
  message: `The database ${database()} ${reason}`,
})

describe('sqlite store: the file is', () => {
  test('removed: the write that notices it and all later calls are refused; no file is created', async () => {
    const { store, onLost } = await open()
    await store.addToWaitlist(entry('before'))
    await removeAll()
    const lost = fault('is no longer at its path')
    await expect(store.addToWaitlist(entry('after'))).rejects.toMatchObject(lost)
    await expect(store.probe()).rejects.toMatchObject(lost)
    await expect(names(store)).rejects.toMatchObject(lost)
    expect(onLost.mock.calls).toEqual([[expect.objectContaining(lost)]])
    await store.close()
    expect(await readdir(folder.path())).toEqual([])
  })

  test('removed during a write: the write is not acknowledged', async () => {
    const db = await folder.openDatabase()
    const write = db.transaction(async (connection) => {
      await removeAll()
      await connection.exec('PRAGMA user_version = 1')
    })
    await expect(write).rejects.toThrow('is no longer at its path')
  })

  test('replaced by a copy during a write: the write is not acknowledged, and the copy is not changed', async () => {
    const copy = await createDatabase(folder.path('copy.db'), ['from-the-copy'])
    const content = await readFile(copy)
    const db = await folder.openDatabase()
    const write = db.transaction(async (connection) => {
      await rename(copy, database())
      await connection.exec('PRAGMA user_version = 1')
    })
    await expect(write).rejects.toThrow('was replaced by another file while it was open')
    await db.close()
    expect(await readFile(database())).toEqual(content)
  })

  test('moved away and back: it stays lost to this process, and keeps its records', async () => {
    const { store } = await open()
    await store.addToWaitlist(entry('before'))
    const away = folder.path('away')
    await rename(database(), away)
    await expect(store.addToWaitlist(entry('meanwhile'))).rejects.toThrow('is no longer at its path')
    await rename(away, database())
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow('is no longer at its path')
    expect(await names(await folder.openStore())).toEqual(['before'])
  })

  test('behind a path that cannot be followed: it is not called removed', async () => {
    const name = folder.path('folder')
    await mkdir(folder.path('elsewhere'))
    await symlink('elsewhere', name)
    const file = join(name, 'store.db')
    const store = await folder.openStore(file)
    await store.addToWaitlist(entry('before'))
    await rm(name)
    await symlink('folder', name)
    const real = await realpath(folder.path('elsewhere', 'store.db'))
    const lost = new StoreUnavailableError(`The database ${real} cannot be accessed any more (ELOOP)`)
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow(lost)
    expect(await names(await folder.openStore(real))).toEqual(['before'])
  })

  test('left without its log: the file has the content of the log once the store is closed', async () => {
    const { store, onLost } = await open()
    await store.addToWaitlist(entry('in-the-log'))
    await rm(`${database()}-wal`)
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow('lost its log (-wal)')
    expect(onLost).toHaveBeenCalledTimes(1)
    await store.close()
    expect(await names(await folder.openStore())).toEqual(['in-the-log'])
  })

  test('left without the index of its log: it is lost, since commits of others would be invisible', async () => {
    const { store } = await open()
    await store.addToWaitlist(entry('before'))
    await rm(`${database()}-shm`)
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow("lost its log's index (-shm)")
    await store.close()
    expect(await names(await folder.openStore())).toEqual(['before'])
  })

  test('truncated: nothing is written to it, even when the store is closed', async () => {
    await createDatabase(database(), ['before'])
    const { store, onLost } = await open()
    await store.addToWaitlist(entry('in-the-log'))
    await truncate(database(), 8192)
    const contents = () => Promise.all([readFile(database()), readFile(`${database()}-wal`)])
    const before = await contents()
    await expect(store.addToWaitlist(entry('after'))).rejects.toMatchObject(fault('is damaged'))
    await expect(names(store)).rejects.toThrow('is damaged')
    await store.close()
    expect(await contents()).toEqual(before)
    expect(onLost).toHaveBeenCalledTimes(1)
  })

  test('damaged, and a read notices it: nothing is written to it', async () => {
    await createDatabase(database(), ['before'])
    const { store } = await open()
    damage(database())
    const before = await readFile(database())
    await expect(store.export()).rejects.toThrow('is damaged')
    await expect(store.addToWaitlist(entry('after'))).rejects.toThrow('is damaged')
    await store.close()
    expect(await readFile(database())).toEqual(before)
  })
})

describe('sqlite store: probe', () => {
  test('is a write without changes', async () => {
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

  test('fails, as every write does, while another process holds the lock; reads continue', async () => {
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
