import { execFileSync, spawnSync } from 'node:child_process'
import { copyFile, readFile, rename, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { DatabaseRefusedError } from '../../../src/store/database-refused.js'
import { backUp } from '../../../src/store/sqlite/copy-database.js'
import { vacuumDatabase } from '../../../src/store/sqlite/maintain.js'
import { openSqliteStore } from '../open-stores.js'
import { addressesIn, createDatabase } from './database-files.js'
import { entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()
const file = folder.database
const backup = () => folder.path('backup.db')

/** Creates a database with a log, as a killed process leaves it. The store keeps it open at another path. */
async function crash(...during: string[]): Promise<void> {
  const live = folder.path('live.db')
  await createDatabase(live, ['before'])
  const store = await folder.openStore(live)
  await store.probe()
  await backUp(live, backup())
  for (const name of during) await store.addToWaitlist(entry(name))
  for (const end of ['', '-wal']) await copyFile(`${live}${end}`, `${file()}${end}`)
}

/** The addresses in a copy of the file and its log: reading the log changes its index. */
async function addressesOfCopy(): Promise<string[]> {
  const copy = folder.path('copy.db')
  for (const end of ['', '-shm', '-wal']) await copyFile(`${file()}${end}`, `${copy}${end}`)
  return addressesIn(copy)
}

describe('a log beside a file', () => {
  test('of a killed process is used', async () => {
    await crash('after')
    expect(await addressesIn(file())).toEqual(['after', 'before'])
  })

  test('of a killed process is also used after a vacuum', async () => {
    const live = folder.path('live.db')
    await createDatabase(live, ['before'])
    const store = await folder.openStore(live)
    await vacuumDatabase(live)
    await store.probe()
    for (const end of ['', '-wal']) await copyFile(`${live}${end}`, `${file()}${end}`)
    expect(await addressesIn(file())).toEqual(['before'])
  })

  test.each([
    ['copied', copyFile],
    ['moved', rename],
  ])('is refused where a backup was %s over the file', async (_, put) => {
    await crash('after')
    await put(backup(), file())
    const contents = () => Promise.all([readFile(file()), readFile(`${file()}-wal`)])
    const before = await contents()
    const refused = openSqliteStore(file())
    await expect(refused).rejects.toThrow(DatabaseRefusedError)
    await expect(refused).rejects.toThrow(`If the file is a backup, remove ${file()}-wal`)
    expect(await contents()).toEqual(before)
  })

  test.each([
    ['cp', 0],
    ['cp -p', 2500],
  ])('is refused where an earlier copy of the file was put there by %s', async (command, waitMs) => {
    const live = folder.path('live.db')
    await createDatabase(live, ['before'])
    await copyFile(live, backup())
    await utimes(backup(), 0, 0)
    const store = await folder.openStore(live)
    await store.addToWaitlist(entry('after'))
    // The clock of a file system has steps of some milliseconds.
    for (const end of ['', '-shm', '-wal']) await copyFile(`${live}${end}`, `${file()}${end}`)
    expect(await addressesOfCopy()).toEqual(['after', 'before'])
    await new Promise((resolve) => setTimeout(resolve, waitMs + 50))
    execFileSync('sh', ['-c', `${command} "$0" "$1"`, backup(), file()])
    await expect(openSqliteStore(file())).rejects.toThrow(`If the file is a backup, remove ${file()}-wal`)
    await expect(backUp(file(), folder.path('second.db'))).rejects.toThrow(DatabaseRefusedError)
  })

  test('is refused if it is a minute older than the file; touch confirms that it belongs to the file', async () => {
    await crash('after')
    const old = new Date(Date.now() - 120_000)
    await utimes(`${file()}-wal`, old, old)
    await expect(openSqliteStore(file())).rejects.toThrow(`run: touch ${file()}-wal`)
    await utimes(`${file()}-wal`, new Date(), new Date())
    expect(await addressesIn(file())).toEqual(['after', 'before'])
  })
})

const mounts = spawnSync('unshare', ['-m', 'true']).status === 0
const bin = fileURLToPath(new URL('../../../bin/dashboard-api.js', import.meta.url))

describe.skipIf(!mounts)('a database in a namespace of mounts (skipped where none can be made)', () => {
  /** Runs a command with a mount. */
  const run = (mount: string, ...command: string[]) => {
    const args = [process.execPath, bin, ...command, '--database', folder.path('inside/app data.db')]
    return spawnSync('unshare', ['-m', 'sh', '-ec', `${mount} && exec "$@"`, 'sh', ...args], {
      encoding: 'utf8',
    })
  }

  test.each([
    [['waitlist', 'add', 'new@example.com']],
    [['waitlist', 'export']],
    [['project', 'list', '--team', 'Acme']],
    [['database', 'check']],
    [['database', 'backup', '--to', tmpdir()]],
  ])('is refused where the file is mounted without its folder, by %j', async (command) => {
    await createDatabase(folder.path('outside.db'), ['before'])
    execFileSync('mkdir', [folder.path('inside')])
    execFileSync('touch', [folder.path('inside/app data.db')])
    const { status, stderr } = run(
      `mount --bind ${folder.path('outside.db')} '${folder.path('inside/app data.db')}'`,
      ...command,
    )
    expect({ status, stderr }).toMatchObject({ status: 2 })
    expect(stderr).toContain(
      `Mount the folder that has the file at ${folder.path('inside')}, not the file alone.`,
    )
  })

  test('is used where the folder of the file is mounted', async () => {
    execFileSync('mkdir', [folder.path('outside'), folder.path('inside')])
    await createDatabase(folder.path('outside/app data.db'), ['before'])
    const mount = `mount --bind ${folder.path('outside')} ${folder.path('inside')}`
    const { status, stderr } = run(mount, 'waitlist', 'add', 'new@example.com')
    expect({ status, stderr }).toMatchObject({ status: 0 })
    expect(await addressesIn(folder.path('outside/app data.db'))).toEqual(['before', 'new'])
  })
})
