import { createHash } from 'node:crypto'
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { defaultDatabaseFile } from '../../../src/store/database-address.js'
import { DatabaseRefusedError } from '../../../src/store/database-refused.js'
import type { OpeningOptions } from '../../../src/store/production-store.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { openSqliteStore } from '../open-stores.js'
import { fullState } from '../store-suite/records.js'
import { damageText, execSql } from './database-files.js'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()
const file = folder.database

const longAgo = new Date('2026-01-01T00:00:00.000Z')

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The content, the modification time, and the files beside it, which a refusal must not change. */
const inspect = async () => ({
  content: await readFile(file()).then(digest, () => undefined),
  changedAt: (await stat(file())).mtimeMs,
  siblings: await readdir(dirname(file())),
})

/** Expects that the file is refused for this reason and not changed. */
async function expectRefusal(reason: string | RegExp, options: OpeningOptions = {}): Promise<void> {
  await utimes(file(), longAgo, longAgo)
  const before = await inspect()
  const refused = openSqliteStore(file(), options)
  await expect(refused).rejects.toThrow(DatabaseRefusedError)
  await expect(refused).rejects.toThrow(reason)
  await expect(refused).rejects.toThrow(`Cannot use the database ${file()}: `)
  expect(await inspect()).toStrictEqual(before)
}

/** Creates a database with some content, and closes it. */
async function createDatabase(): Promise<void> {
  const store = await folder.openStore()
  await store.load(fullState)
  await store.load({
    ...fullState,
    waitlist: Array.from({ length: 1000 }, (_, i) => entry(`someone-${i}`)),
  })
  await store.close()
}

async function overwrite(offset: number, bytes: Buffer): Promise<void> {
  const opened = await open(file(), 'r+')
  await opened.write(bytes, 0, bytes.length, offset)
  await opened.close()
}

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** Changes the working directory until the end of the test. */
function workIn(path: string): void {
  const spy = vi.spyOn(process, 'cwd').mockReturnValue(path)
  onTestFinished(() => spy.mockRestore())
}

describe('sqlite store refuses, without changing it,', () => {
  test.each([
    ['a text', 'hello\n'],
    ['something long', 'SQLite format 2\0'.repeat(1000)],
    ['the beginning of a header', 'SQLite format 3\0'],
  ])('%s', async (_, content) => {
    await writeFile(file(), content)
    await expectRefusal('it is not a SQLite database. Choose another file')
  })

  test.each([
    ['without a mark', 'PRAGMA journal_mode = DELETE'],
    ['with a log', 'PRAGMA journal_mode = WAL'],
    ['with a mark of its own', 'PRAGMA application_id = 1196444487'],
    ['with a version like ours', 'PRAGMA user_version = 1'],
  ])("another program's database %s", async (_, pragma) => {
    const other = await folder.openConnection('create')
    await other.exec(`${pragma}; CREATE TABLE projects (id TEXT)`)
    await other.close()
    await expectRefusal('it is the database of another program')
  })

  test('a newer version, even if the content looks damaged', async () => {
    await createDatabase()
    await overwrite(60, int32(99))
    await overwrite(100, Buffer.alloc(500, 0xa5))
    await expectRefusal(
      /it needs a program that knows version 99, and this one knows versions up to \d+\. Use the program/,
    )
  })

  test('a newer version in the log of a crash, without changing the log', async () => {
    await createDatabase()
    const other = await folder.openConnection()
    await other.exec('PRAGMA user_version = 99')
    const crashed = folder.path('crashed.db')
    const files = [crashed, `${crashed}-wal`]
    await copyFile(file(), crashed)
    await copyFile(`${file()}-wal`, `${crashed}-wal`)
    const before = await Promise.all(files.map((path) => readFile(path)))
    await expect(openSqliteStore(crashed)).rejects.toThrow('it needs a program that knows version 99')
    expect(await Promise.all(files.map((path) => readFile(path)))).toEqual(before)
  })

  test.each<[string, () => Promise<unknown>, string | RegExp]>([
    ['a page', () => overwrite(6 * 4096, Buffer.alloc(4096, 0xa5)), /\(.*[Pp]age.*\)\. Restore a backup/],
    ['a schema table', () => overwrite(100, Buffer.alloc(500, 0xa5)), '(SQLITE_'],
    ['an end', async () => truncate(file(), Math.floor((await stat(file())).size / 2)), '('],
    [
      'a row that violates a constraint',
      () =>
        execSql(
          file(),
          `PRAGMA writable_schema = ON;
           UPDATE sqlite_schema SET sql = replace(sql, 'description TEXT', 'description TEXT NOT NULL')`,
        ),
      '(NULL value in projects.description',
    ],
  ])('a database with a damaged part: %s', async (_, damage, reason) => {
    await createDatabase()
    await damage()
    await expectRefusal('it is damaged')
    await expectRefusal(reason)
  })

  test.each([
    ['an index that differs from its table', () => damageText(file(), 'someone-500'), 'missing from index'],
    [
      'a reference to a record that is not there',
      () => execSql(file(), "PRAGMA foreign_keys = OFF; DELETE FROM teams WHERE id = 'acme'"),
      'rows with a dangling reference',
    ],
  ])('%s, where the file is checked in full', async (_, change, reason) => {
    await createDatabase()
    await change()
    await expectRefusal(reason, { checkFully: true })
  })

  test('a folder', async () => {
    await mkdir(file())
    await expectRefusal('it is not a file')
  })

  test('a path below a file, and names the path', async () => {
    await writeFile(file(), 'a file')
    const below = folder.path('store.db', 'inner', 'x.db')
    const refused = openSqliteStore(below)
    await expect(refused).rejects.toThrow(DatabaseRefusedError)
    await expect(refused).rejects.toThrow(`Cannot use the database ${below}: `)
    await expect(refused).rejects.toMatchObject({ cause: { code: 'ENOTDIR' } })
    expect(await readFile(file(), 'utf8')).toBe('a file')
  })

  test('a path in a folder that cannot be created', async () => {
    await symlink(folder.path('nowhere', 'x'), folder.path('data'))
    workIn(folder.path())
    const refused = openSqliteStore(defaultDatabaseFile)
    await expect(refused).rejects.toThrow(DatabaseRefusedError)
    await expect(refused).rejects.toThrow('its folder cannot be created (')
    expect(await readdir(folder.path())).toEqual(['data'])
  })

  const isRoot = process.getuid?.() === 0
  test('a missing folder, unless it is the folder of the default file', async () => {
    const inner = folder.path('new', 'inner', 'x.db')
    await expect(openSqliteStore(inner)).rejects.toThrow(`there is no folder ${folder.path('new', 'inner')}`)
    expect(await readdir(folder.path())).toEqual([])
    workIn(folder.path())
    await (await openSqliteStore(defaultDatabaseFile)).close()
    expect(await readdir(folder.path('data'))).toEqual(['dashboard.db'])
  })

  test('a missing or empty file where it must exist', async () => {
    const refused = (reason: string) =>
      expect(openSqliteStore(file(), { mustExist: true })).rejects.toThrow(reason)
    await refused('it does not exist')
    expect(await readdir(folder.path())).toEqual([])
    await writeFile(file(), '')
    await refused('it is empty')
    await (await folder.openStore()).close()
    await (await openSqliteStore(file(), { mustExist: true })).close()
  })

  test.skipIf(isRoot)('a file and a folder without permission (not as root)', async () => {
    await createDatabase()
    await chmod(file(), 0o444)
    await expectRefusal('it cannot be read and written (EACCES)')
    await chmod(file(), 0o644)
    await truncate(file())
    await chmod(file(), 0o444)
    await expectRefusal('it cannot be read and written (EACCES)')
    await chmod(file(), 0o644)
    await chmod(folder.path(), 0o555)
    await expectRefusal('its folder cannot be written (EACCES)')
    await chmod(folder.path(), 0o755)
  })
})

describe('sqlite store opens', () => {
  test('an existing database, without changing it', async () => {
    await createDatabase()
    await utimes(file(), longAgo, longAgo)
    const before = await inspect()
    await (await folder.openStore()).close()
    expect(await inspect()).toStrictEqual(before)
  })

  test('a locked database after the lock is released', async () => {
    await createDatabase()
    const other = await folder.openConnection()
    await other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    await expect(openSqliteStore(file(), { busyTimeoutMs: 10 })).rejects.toThrow(StoreUnavailableError)
    await other.exec('COMMIT')
    expect(await names(await folder.openStore())).toHaveLength(1002)
  })

  test('a database without a log once another process has read it, however the clock is set', async () => {
    await createDatabase()
    const other = await folder.openConnection()
    await other.exec('PRAGMA journal_mode = DELETE; BEGIN')
    await other.all('SELECT * FROM teams')
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await expect(openSqliteStore(file(), { busyTimeoutMs: 10 })).rejects.toThrow(StoreUnavailableError)
    await other.exec('COMMIT')
    expect(await names(await folder.openStore())).toHaveLength(1002)
  })
})
