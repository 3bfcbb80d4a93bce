import { createHash } from 'node:crypto'
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DatabaseRefusedError, openSqliteStore } from '../../../src/store/sqlite/sqlite-store.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { fullState } from '../store-suite/records.js'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()
const file = folder.database

const longAgo = new Date('2026-01-01T00:00:00.000Z')

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** All that a refusal has to leave as it was: the content, the time of the last change, the files beside it. */
const look = async () => ({
  content: await readFile(file()).then(digest, () => undefined),
  changedAt: (await stat(file())).mtimeMs,
  beside: await readdir(dirname(file())),
})

/** Expects that the file is refused for this reason, and stays as it is. */
async function expectRefusal(reason: string | RegExp): Promise<void> {
  await utimes(file(), longAgo, longAgo)
  const before = await look()
  const refused = openSqliteStore(file())
  await expect(refused).rejects.toThrow(DatabaseRefusedError)
  await expect(refused).rejects.toThrow(reason)
  await expect(refused).rejects.toThrow(`Cannot use the database ${file()}: `)
  expect(await look()).toStrictEqual(before)
}

/** A database of ours with something in it, closed. */
async function makeDatabase(): Promise<void> {
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

describe('sqlite store refuses, and leaves as it is,', () => {
  test.each([
    ['a text', 'hello\n'],
    ['one byte', '\0'],
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
    const other = await folder.openHandle('create')
    await other.exec(`${pragma}; CREATE TABLE projects (id TEXT)`)
    await other.close()
    await expectRefusal('it is the database of another program')
  })

  test("another program's database that is in use", async () => {
    const other = await folder.openHandle('create')
    await other.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (id TEXT)')
    await expectRefusal('it is the database of another program')
  })

  test('a version that is newer than it knows, even where the content looks damaged', async () => {
    await makeDatabase()
    await overwrite(60, int32(99))
    await overwrite(100, Buffer.alloc(500, 0xa5))
    await expectRefusal(/it has version 99, and this program knows versions up to \d+\. Use the program/)
  })

  test('a newer version that is in the log alone', async () => {
    await makeDatabase()
    const other = await folder.openHandle()
    await other.exec('PRAGMA user_version = 99')
    expect((await readFile(file())).readInt32BE(60)).not.toBe(99)
    await expectRefusal('it has version 99')
  })

  test('a newer version in the log that a crash left, and the log too', async () => {
    await makeDatabase()
    const other = await folder.openHandle()
    await other.exec('PRAGMA user_version = 99')
    const crashed = folder.path('crashed.db')
    const files = [crashed, `${crashed}-wal`]
    await copyFile(file(), crashed)
    await copyFile(`${file()}-wal`, `${crashed}-wal`)
    const before = await Promise.all(files.map((path) => readFile(path)))
    await expect(openSqliteStore(crashed)).rejects.toThrow('it has version 99')
    expect(await Promise.all(files.map((path) => readFile(path)))).toEqual(before)
  })

  test('a database with a damaged page', async () => {
    await makeDatabase()
    const pageSize = (await readFile(file())).readUInt16BE(16)
    await overwrite(6 * pageSize, Buffer.alloc(pageSize, 0xa5))
    await expectRefusal(/it is damaged \(.*[Pp]age.*\)\. Put back a copy that is whole/)
  })

  test('a database whose table of tables is damaged', async () => {
    await makeDatabase()
    await overwrite(100, Buffer.alloc(500, 0xa5))
    await expectRefusal('it is damaged (SQLITE_')
  })

  test('a database that was cut off', async () => {
    await makeDatabase()
    await truncate(file(), Math.floor((await stat(file())).size / 2))
    await expectRefusal('it is damaged (')
  })

  test('a row that breaks what its table requires', async () => {
    await makeDatabase()
    const other = await folder.openHandle()
    await other.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'description TEXT', 'description TEXT NOT NULL')`)
    await other.close()
    await expectRefusal('it is damaged (NULL value in projects.description')
  })

  test('a folder', async () => {
    await mkdir(file())
    await expectRefusal('it is not a file')
  })

  test('a path below a file, which it names', async () => {
    await writeFile(file(), 'a file')
    const below = folder.path('store.db', 'inner', 'x.db')
    const refused = openSqliteStore(below)
    await expect(refused).rejects.toThrow(DatabaseRefusedError)
    await expect(refused).rejects.toThrow(`Cannot use the database ${below}: `)
    expect(await readFile(file(), 'utf8')).toBe('a file')
  })

  const isRoot = process.getuid?.() === 0
  test.skipIf(isRoot)('a file and a folder without permission (root may do all)', async () => {
    await makeDatabase()
    await chmod(file(), 0o444)
    await expectRefusal('it cannot be read and written (EACCES)')
    await chmod(file(), 0o644)
    await chmod(folder.path(), 0o555)
    await expectRefusal('its folder cannot be written (EACCES)')
    await chmod(folder.path(), 0o755)
  })
})

describe('sqlite store takes', () => {
  test('an empty file as a new one', async () => {
    await writeFile(file(), '')
    const store = await folder.openStore()
    expect(await store.addToWaitlist(entry('a'))).toBe(true)
  })

  test('a database that is in use, with what is in its log alone', async () => {
    const first = await folder.openStore()
    await first.addToWaitlist(entry('a'))
    expect((await stat(`${file()}-wal`)).size).toBeGreaterThan(0)
    expect(await names(await folder.openStore())).toEqual(['a'])
  })

  test('a database that it has made itself, and leaves it as it is', async () => {
    await makeDatabase()
    await utimes(file(), longAgo, longAgo)
    const before = await look()
    await (await folder.openStore()).close()
    expect(await look()).toStrictEqual(before)
  })

  test('no more than a pause from a lock: the file may be fine', async () => {
    await makeDatabase()
    const other = await folder.openHandle()
    await other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    await expect(openSqliteStore(file(), { busyTimeoutMs: 10 })).rejects.toThrow(StoreUnavailableError)
    await other.exec('COMMIT')
    expect(await names(await folder.openStore())).toHaveLength(1002)
  })
})
