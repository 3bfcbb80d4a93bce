import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { execSql } from './database-files.js'
import { folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

describe('a SQLite database', () => {
  test('does not migrate the database of another program', async () => {
    await execSql(folder.database(), 'CREATE TABLE songs (title TEXT)')
    await expect(folder.openDatabase()).rejects.toThrow('it is the database of another program')
    const tables = await (await folder.openConnection()).all('SELECT name FROM sqlite_schema')
    expect(tables).toEqual([{ name: 'songs' }])
  })

  test('refuses every call once it is closed', async () => {
    const db = await folder.openDatabase()
    await db.close()
    const calls = [
      () => db.read('SELECT 1'),
      () => db.readLarge('SELECT 1'),
      () => db.transaction((connection) => connection.all('SELECT 1')),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailableError)
  })

  test('is closed after a transaction that takes longer than any may wait', async () => {
    const db = await folder.openDatabase()
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
