import { readdir } from 'node:fs/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
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

  test('refuses every call once they are closed', async () => {
    const db = await folder.openConnections()
    await db.close()
    const calls = [
      () => db.read('SELECT 1'),
      () => db.readLarge('SELECT 1'),
      () => db.transaction((connection) => connection.all('SELECT 1')),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailableError)
  })

  test('are closed after a transaction that takes longer than any may wait', async () => {
    const db = await folder.openConnections()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let goOn = () => {}
    const waited = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const written = db.transaction(async (connection) => {
      await waited
      await connection.exec('PRAGMA user_version = 1')
      return 'written'
    })
    const closed = db.close().then(() => 'closed')
    await db.snapshot(async () => {}).catch(() => {})
    vi.advanceTimersByTime(1001)
    goOn()
    expect(await Promise.all([written, closed])).toEqual(['written', 'closed'])
    await expect(db.transaction((connection) => connection.all('SELECT 1'))).rejects.toThrow('is closed')
  })
})
