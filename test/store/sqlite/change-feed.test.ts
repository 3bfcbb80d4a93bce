import { describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { openFilled, revokedAt, update } from '../database-suite/change-feed.js'
import { folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

describe('the change feed of SQLite', () => {
  test('has a new version after every commit, by any store on the file', async () => {
    const store = await openFilled(folder)
    const other = await folder.openStore()
    for (const writer of [store, other, store, other]) {
      const before = store.changes.version()
      expect(store.changes.version()).toBe(before)
      await update(writer)
      expect(store.changes.version()).not.toBe(before)
    }
  })

  test.each([
    ['another file', 0],
    ['another schema', 1],
    ['a later commit', 2],
  ])('reports that anything may have changed after a cursor of %s', async (_, part) => {
    const { changes } = await openFilled(folder)
    const { cursor } = await changes.since()
    const foreign = cursor.split('.').map((number, i) => (i === part ? Number(number) + 1 : number))
    expect(await changes.since(foreign.join('.'))).toEqual({ cursor, teams: undefined })
  })

  test.each(['before', 'after'])(
    'reports that anything may have changed where a session is revoked in the commit of a project, %s it',
    async (order) => {
      const store = await openFilled(folder)
      const { cursor } = await store.changes.since()
      const version = store.changes.version()
      const writes = [() => update(store), () => store.revokeSession('s', revokedAt)]
      if (order === 'before') writes.reverse()
      await Promise.all(writes.map((write) => write()))
      expect(store.changes.version()).not.toBe(version)
      expect((await store.changes.since(cursor)).teams).toBeUndefined()
      expect((await store.caller('s'))?.session.revokedAt).toBe(revokedAt)
    },
  )

  test('reports that anything may have changed where another database was copied over the file', async () => {
    const store = await openFilled(folder)
    const backup = folder.path('backup.db')
    const connection = await folder.openConnection()
    await connection.backup(backup)
    await update(store)
    const { cursor } = await store.changes.since()
    await (await folder.openConnection('write', backup)).backup(folder.database())
    expect((await store.changes.since(cursor)).teams).toBeUndefined()
    expect((await store.project('acme', 'p-acme'))?.status).toBe('active')
  })

  test('has no version once the store is closed', async () => {
    const store = await openFilled(folder)
    await store.close()
    expect(() => store.changes.version()).toThrow(StoreUnavailableError)
    await expect(store.changes.since()).rejects.toThrow(StoreUnavailableError)
  })
})
