import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

describe('a SQLite database', () => {
  test('is closed after a transaction that exceeds the longest time limit', async () => {
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
