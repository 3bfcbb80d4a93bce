import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { DatabaseRefusedError } from '../../../src/store/database-refused.js'
import { openConnections } from '../../../src/store/sqlite/open-connections.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { execSql } from './database-files.js'
import { folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

describe('the connections to a file', () => {
  test('creates no file in the mode "write"', async () => {
    await expect(openConnections(folder.database(), 10, 'write')).rejects.toThrow(StoreUnavailableError)
    expect(await readdir(folder.path())).toEqual([])
  })

  test('does not migrate the database of another program', async () => {
    await execSql(folder.database(), 'CREATE TABLE songs (title TEXT)')
    await expect(folder.openConnections()).rejects.toThrow('it is the database of another program')
    const tables = await (await folder.openConnection()).all('SELECT name FROM sqlite_schema')
    expect(tables).toEqual([{ name: 'songs' }])
  })

  test('refuses a database that cannot have a write-ahead log', async () => {
    const inMemory = openConnections(':memory:', 10, 'write')
    await expect(inMemory).rejects.toThrow(DatabaseRefusedError)
    await expect(inMemory).rejects.toThrow('does not support a write-ahead log')
  })

  test('refuses every call once it is closed', async () => {
    const db = await folder.openConnections()
    await db.close()
    expect(() => db.changeCounter()).toThrow(StoreUnavailableError)
    const calls = [
      () => db.read('SELECT 1'),
      () => db.readLarge('SELECT 1'),
      () => db.transaction(async () => {}),
      () => db.snapshot(async () => {}),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailableError)
  })
})
