import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { backUp } from '../../../src/store/sqlite/copy-database.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { fullState } from '../store-suite/records.js'
import { addressesIn, createDatabase, damage } from './database-files.js'
import { entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()
const backup = () => folder.path('backup.db')

describe('a backup', () => {
  test('is one complete file, also while the database is open', async () => {
    const store = await folder.openStore()
    await store.load(fullState)
    const records = await backUp(folder.database(), backup())
    expect(records).toEqual({ teams: 2, users: 2, sessions: 2, projects: 3, waitlist: 2 })
    const files = (await readdir(folder.path())).filter((name) => !name.startsWith('store.db'))
    expect(files).toEqual(['backup.db'])
    // Its header has the format without a log, so that it can be read from a read-only disk.
    expect([...(await readFile(backup())).subarray(18, 20)]).toEqual([1, 1])
    await store.addToWaitlist(entry('later'))
    expect(await (await folder.openStore(backup())).export()).toStrictEqual(fullState)
  })

  test('of a damaged database fails with the reason and its path, and leaves no file', async () => {
    const file = await createDatabase(folder.database(), ['ada'])
    damage(file)
    await expect(backUp(file, backup())).rejects.toMatchObject({
      name: 'DatabaseRefusedError',
      message: expect.stringContaining(`Cannot use the database ${file}: it is damaged`),
      cause: expect.any(Error),
    })
    expect(await readdir(folder.path())).toEqual(['store.db'])
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('that %s ends leaves no file', async (signal) => {
    const file = await createDatabase(folder.database(), ['ada'])
    const script = fileURLToPath(new URL('copying-process.js', import.meta.url))
    const child = spawn(process.execPath, [script, file, backup()], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    expect(await readdir(folder.path())).toHaveLength(2)
    child.kill(signal)
    expect(await ended).toEqual([null, signal])
    expect(await readdir(folder.path())).toEqual(['store.db'])
  })

  test('of a locked database fails, and leaves no file', async () => {
    await createDatabase(folder.database(), ['ada'])
    const other = await folder.openConnection()
    await other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    const refused = backUp(folder.database(), backup(), 10)
    await expect(refused).rejects.toThrow(StoreUnavailableError)
    await expect(refused).rejects.toThrow('database is locked')
    expect((await readdir(folder.path())).filter((name) => !name.startsWith('store.db'))).toEqual([])
  })

  test('that cannot get its name fails, and leaves no file', async () => {
    await createDatabase(folder.database(), ['ada'])
    await mkdir(backup())
    await expect(backUp(folder.database(), backup())).rejects.toMatchObject({ code: 'EEXIST' })
    expect((await readdir(folder.path())).sort()).toEqual(['backup.db', 'store.db'])
    expect(await addressesIn(folder.database())).toEqual(['ada'])
  })
})
