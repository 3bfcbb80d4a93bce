import { execFileSync } from 'node:child_process'
import {
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AuditAction, auditEntry } from '../../../src/store/audit-log.js'
import { DatabaseInUseError, prepareRestore } from '../../../src/store/sqlite/prepare-restore.js'
import { applicationId } from '../../../src/store/sqlite/schema-version.js'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.js'
import { zeroCounts } from '../../../src/store/state-file.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { addressesIn, createDatabase, createOlder, damage, execSql } from './database-files.js'
import { entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()
const live = folder.database
const backup = () => folder.path('backup.db')
const files = async () => (await readdir(folder.path())).sort()

/** Prepares a restore that does not wait for locks. The test ends it. */
async function prepare(file = live()) {
  const restore = await prepareRestore(file, backup(), 10)
  onTestFinished(() => restore.end())
  return restore
}

describe('a prepared restore', () => {
  test('counts the records of both, and changes nothing without a commit', async () => {
    await createDatabase(live(), ['new', 'newer'])
    await createDatabase(backup(), ['old'])
    const before = await files()
    const restore = await prepare()
    expect([restore.before?.waitlist, restore.after.waitlist]).toEqual([2, 1])
    await restore.end()
    expect(await files()).toEqual(before)
    expect(await addressesIn(live())).toEqual(['new', 'newer'])
  })

  test('replaces the database, and keeps the old file under another name', async () => {
    await createDatabase(live(), ['new', 'newer'])
    await chmod(live(), 0o640)
    await createDatabase(backup(), ['old'])
    const restore = await prepare()
    const kept = (await restore.commit()) as string
    await restore.end()
    expect(kept).toMatch(/store\.db\.before-restore-\d{8}T\d{9}Z$/)
    expect(await files()).toEqual(['backup.db', 'store.db', kept.slice(folder.path().length + 1)])
    expect(await addressesIn(live())).toEqual(['old'])
    expect(await addressesIn(kept)).toEqual(['new', 'newer'])
    expect((await stat(live())).mode & 0o777).toBe(0o640)
  })

  test('refuses to replace what is no file, and to take the database itself for a backup', async () => {
    await createDatabase(backup(), ['old'])
    await mkdir(folder.path('folder'))
    execFileSync('mkfifo', [folder.path('pipe')])
    for (const name of ['folder', 'pipe']) {
      await expect(prepare(folder.path(name))).rejects.toThrow('it is not a file')
    }
    await symlink(backup(), folder.path('link.db'))
    await link(backup(), folder.path('same.db'))
    for (const name of ['link.db', 'same.db']) {
      await expect(prepare(folder.path(name))).rejects.toThrow('it is the database itself')
    }
    expect(await files()).toEqual(['backup.db', 'folder', 'link.db', 'pipe', 'same.db'])
    expect(await addressesIn(backup())).toEqual(['old'])
  })

  test('of a database that its disk does not let write says so, and not that it is in use', async () => {
    await createDatabase(live(), ['new'])
    await createDatabase(backup(), ['old'])
    await mkdir(`${live()}-wal`)
    await expect(prepare()).rejects.toThrow(/^The database .* cannot be used for now \(SQLITE_(?!BUSY)/)
  })

  test('keeps the audit log of the database, and adds an entry of its own', async () => {
    const record = async (file: string, action: AuditAction) => {
      const store = await openSqliteStore(file)
      await store.appendToAudit(auditEntry({ via: 'a test' }, { action }))
      await store.close()
    }
    await createDatabase(live(), ['new'])
    await record(live(), 'team.create')
    await copyFile(live(), backup())
    await record(live(), 'team.rename')
    await record(backup(), 'team.remove')
    const restore = await prepare()
    await restore.commit()
    await restore.end()
    const store = await openSqliteStore(live())
    const entries = await store.auditAfter(undefined, 10)
    await store.close()
    const actions = ['team.remove', 'team.rename', 'team.create', 'database.create']
    expect(entries.map(({ action }) => action)).toEqual(['database.restore', ...actions])
    expect(entries[0]).toMatchObject({ target: backup(), outcome: 'success' })
  })

  test('replaces a database without an audit log', async () => {
    await createOlder(live(), 4)
    await createDatabase(backup(), ['old'])
    const restore = await prepare()
    await restore.commit()
    await restore.end()
    expect(await addressesIn(live())).toEqual(['old'])
  })

  test('locks the database until its end', async () => {
    await createDatabase(live(), ['new'])
    await createDatabase(backup(), ['old'])
    const restore = await prepare()
    await expect(folder.openStore(live(), 10)).rejects.toThrow(StoreUnavailableError)
    await restore.end()
    expect(await addressesIn(live())).toEqual(['new'])
  })

  test('is refused while the database is open, and leaves nothing behind', async () => {
    const store = await folder.openStore()
    await createDatabase(backup(), ['old'])
    const before = await files()
    const refused = prepareRestore(live(), backup(), 10)
    await expect(refused).rejects.toThrow(DatabaseInUseError)
    await expect(refused).rejects.toMatchObject({ cause: expect.any(StoreUnavailableError) })
    expect(await files()).toEqual(before)
    await store.probe()
  })

  test('creates a missing database, with its folder', async () => {
    await createDatabase(backup(), ['old'])
    const fresh = folder.path('new', 'folder', 'fresh.db')
    const restore = await prepare(fresh)
    expect(restore.before).toBeUndefined()
    expect(await restore.commit()).toBeUndefined()
    await restore.end()
    expect(await addressesIn(fresh)).toEqual(['old'])
    expect((await stat(fresh)).mode & 0o777).toBe(0o600)
  })

  test('does not apply the log of a removed database', async () => {
    await createDatabase(backup(), ['old'])
    const store = await folder.openStore()
    await store.addToWaitlist(entry('lost'))
    await copyFile(`${live()}-wal`, folder.path('log'))
    await store.close()
    await rm(live())
    await rename(folder.path('log'), `${live()}-wal`)
    const restore = await prepare()
    expect(await restore.commit()).toBeUndefined()
    await restore.end()
    expect(await addressesIn(live())).toEqual(['old'])
  })

  test('replaces an empty database and an unreadable one', async () => {
    await createDatabase(backup(), ['old'])
    await writeFile(live(), '')
    const first = await prepare()
    expect(first.before).toEqual(zeroCounts())
    await first.commit()
    await first.end()
    expect(await addressesIn(live())).toEqual(['old'])

    const nonsense = Buffer.alloc(8192, 0x5a)
    await writeFile(live(), nonsense)
    const second = await prepare()
    expect(second.before).toBeUndefined()
    const kept = (await second.commit()) as string
    await second.end()
    expect(await readFile(kept)).toEqual(nonsense)
    expect(await addressesIn(live())).toEqual(['old'])
  })

  test('never replaces the database of another program', async () => {
    await createDatabase(backup(), ['old'])
    await execSql(live(), 'CREATE TABLE songs (title TEXT)')
    const before = await readFile(live())
    await expect(prepareRestore(live(), backup(), 10)).rejects.toThrow(
      'it is the database of another program',
    )
    expect(await readFile(live())).toEqual(before)
  })

  test.each([
    [
      'a newer',
      'it needs a program that knows version 999',
      (file: string) => execSql(file, 'PRAGMA user_version = 999'),
    ],
    ['a damaged', 'it is damaged', damage],
    ['no', 'it is not a SQLite database', (file: string) => writeFile(file, 'a letter'.repeat(100))],
  ])('refuses %s backup by its path, and releases the database', async (_, reason, change) => {
    await createDatabase(live(), ['new'])
    await createDatabase(backup(), ['old'])
    await change(backup())
    await expect(prepareRestore(live(), backup(), 10)).rejects.toThrow(
      `Cannot use the database ${backup()}: ${reason}`,
    )
    expect(await files()).toEqual(['backup.db', 'store.db'])
    expect(await addressesIn(live())).toEqual(['new'])
  })

  test('migrates an older backup, which stays as it is', async () => {
    await execSql(backup(), `PRAGMA application_id = ${applicationId}`)
    const before = await readFile(backup())
    await copyFile(backup(), live())
    const restore = await prepare()
    expect(restore.after).toEqual(zeroCounts())
    await restore.commit()
    await restore.end()
    expect(await addressesIn(live())).toEqual([])
    expect(await readFile(backup())).toEqual(before)
  })
})
