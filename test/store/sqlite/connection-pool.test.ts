import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { BatchQuery } from '../../../src/store/batch-reader.js'
import { DatabaseRefusedError } from '../../../src/store/database-refused.js'
import { openConnectionPool } from '../../../src/store/sqlite/connection-pool.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { execSql } from './database-files.js'
import { folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

describe('a connection pool', () => {
  test('creates no file in the mode "write"', async () => {
    await expect(openConnectionPool(folder.database(), 10, 'write')).rejects.toThrow(StoreUnavailableError)
    expect(await readdir(folder.path())).toEqual([])
  })

  test('does not migrate the database of another program', async () => {
    await execSql(folder.database(), 'CREATE TABLE songs (title TEXT)')
    await expect(folder.openPool()).rejects.toThrow('it is the database of another program')
    const tables = await (await folder.openConnection()).all('SELECT name FROM sqlite_schema')
    expect(tables).toEqual([{ name: 'songs' }])
  })

  test('refuses a database that cannot have a write-ahead log', async () => {
    const inMemory = openConnectionPool(':memory:', 10, 'write')
    await expect(inMemory).rejects.toThrow(DatabaseRefusedError)
    await expect(inMemory).rejects.toThrow('does not support a write-ahead log')
  })

  test('reads many keys in one query, but large results one at a time', async () => {
    const db = await folder.openPool()
    const keysOfQuery: BatchQuery<number> = {
      sql: 'SELECT key AS at, json_quote(count(*) OVER ()) AS found FROM json_each(?)',
    }
    const read = (call: typeof db.readByKey) =>
      Promise.all(['a', 'b', 'b'].map((key) => call(keysOfQuery, key)))
    expect(await read(db.readByKey)).toEqual([[2], [2], [2]])
    expect(await read(db.readLargeByKey)).toEqual([[1], [1], [1]])
  })

  test('refuses every call once it is closed', async () => {
    const db = await folder.openPool()
    await db.close()
    expect(() => db.version()).toThrow(StoreUnavailableError)
    const calls = [
      () => db.read('SELECT 1'),
      () => db.readByKey({ sql: 'SELECT 1' }, 'a'),
      () => db.readLargeByKey({ sql: 'SELECT 1' }, 'a'),
      () => db.write(async () => {}),
      () => db.run({ run: async () => [] }, 'a'),
      () => db.snapshot(async () => {}),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailableError)
  })
})
