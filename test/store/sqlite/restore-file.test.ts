import { execFileSync } from 'node:child_process'
import {
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { auditEntry } from '../../../src/store/audit-entry.js'
import type { AuditAction } from '../../../src/store/audit-log.js'
import { DatabaseInUseError, restoreFile } from '../../../src/store/sqlite/restore-file.js'
import { applicationId } from '../../../src/store/sqlite/schema-version.js'
import { zeroCounts } from '../../../src/store/state-file.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { openSqliteStore } from '../open-stores.js'
import { addressesIn, createDatabase, damage, execSql } from './database-files.js'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()
const live = folder.database
const backup = () => folder.path('backup.db')
const files = async () => (await readdir(folder.path())).sort()

/** Restores without waiting for locks. */
const restore = (file = live(), confirm: Parameters<typeof restoreFile>[2] = async () => {}) =>
  restoreFile(file, backup(), confirm, 10)

/** The error of a file that was looked at and differs: nothing shows that a process has it open. */
const changedMeanwhile = () =>
  new DatabaseInUseError(`The database ${live()} was created, replaced or removed meanwhile`)

describe('a restore', () => {
  test('counts the records of both files, and changes nothing without confirmation', async () => {
    await createDatabase(live(), ['new', 'newer'])
    await createDatabase(backup(), ['old'])
    const before = await files()
    const refused = restore(live(), async (counts) => {
      expect([counts.before?.waitlist, counts.after.waitlist]).toEqual([2, 1])
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    expect(await files()).toEqual(before)
    expect(await addressesIn(live())).toEqual(['new', 'newer'])
  })

  test.skipIf(process.platform !== 'linux')(
    'that waited for another restore does not replace a file that it has not locked',
    async () => {
      await createDatabase(live(), ['new'])
      await createDatabase(backup(), ['old'])
      const links = async () => {
        const descriptors = await readdir('/proc/self/fd')
        const paths = descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
        return (await Promise.all(paths)).filter((path) => path === live()).length
      }
      let second: Promise<unknown> | undefined
      await restore(live(), async () => {
        const opened = await links()
        second = restoreFile(live(), backup(), async () => {}, 10_000).catch((error) => error)
        await expect.poll(links, { timeout: 10_000 }).toBeGreaterThan(opened)
      })
      expect(await second).toEqual(changedMeanwhile())
    },
  )

  test('replaces the database, and keeps the old file under another name', async () => {
    await createDatabase(live(), ['new', 'newer'])
    await chmod(live(), 0o640)
    await createDatabase(backup(), ['old'])
    const { kept = '' } = await restore()
    expect(kept).toMatch(/store\.db\.before-restore-\d{8}T\d{9}Z$/)
    expect(await files()).toEqual(['backup.db', 'store.db', kept.slice(folder.path().length + 1)])
    expect(await addressesIn(live())).toEqual(['old'])
    expect(await addressesIn(kept)).toEqual(['new', 'newer'])
    expect((await stat(live())).mode & 0o777).toBe(0o640)
  })

  test('refuses to replace anything but a file, and to use the database itself as the backup', async () => {
    await createDatabase(backup(), ['old'])
    await mkdir(folder.path('folder'))
    execFileSync('mkfifo', [folder.path('pipe')])
    for (const name of ['folder', 'pipe']) {
      await expect(restore(folder.path(name))).rejects.toThrow('it is not a file')
    }
    await symlink(backup(), folder.path('link.db'))
    await link(backup(), folder.path('same.db'))
    for (const name of ['link.db', 'same.db']) {
      await expect(restore(folder.path(name))).rejects.toThrow('it is the database itself')
    }
    expect(await files()).toEqual(['backup.db', 'folder', 'link.db', 'pipe', 'same.db'])
    expect(await addressesIn(backup())).toEqual(['old'])
  })

  test('of a database that cannot be written to fails with that reason, and not as if it were in use', async () => {
    await createDatabase(live(), ['new'])
    await createDatabase(backup(), ['old'])
    await mkdir(`${live()}-wal`)
    await expect(restore()).rejects.toThrow(/^The database .* cannot be used for now \(SQLITE_(?!BUSY)/)
  })

  test('keeps the audit log of the database, and adds an entry', async () => {
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
    await restore()
    const store = await openSqliteStore(live())
    const entries = await store.auditAfter(undefined, 10)
    await store.close()
    const actions = ['team.remove', 'team.rename', 'team.create', 'database.create']
    expect(entries.map(({ action }) => action)).toEqual(['database.restore', ...actions])
    expect(entries[0]).toMatchObject({ target: backup(), outcome: 'success' })
  })

  test('locks the database until its end', async () => {
    await createDatabase(live(), ['new'])
    await createDatabase(backup(), ['old'])
    await restore(live(), () => expect(folder.openStore(live(), 10)).rejects.toThrow(StoreUnavailableError))
    expect(await addressesIn(live())).toEqual(['old'])
  })

  test('is refused while the database is open, and leaves nothing behind', async () => {
    const store = await folder.openStore()
    await createDatabase(backup(), ['old'])
    const before = await files()
    const refused = restore()
    await expect(refused).rejects.toThrow(DatabaseInUseError)
    await expect(refused).rejects.toMatchObject({ cause: expect.any(StoreUnavailableError) })
    expect(await files()).toEqual(before)
    await store.probe()
  })

  test('creates a missing database, with its folder', async () => {
    await createDatabase(backup(), ['old'])
    const fresh = folder.path('new', 'folder', 'fresh.db')
    expect(await restore(fresh)).toMatchObject({ before: undefined, kept: undefined })
    expect(await addressesIn(fresh)).toEqual(['old'])
    expect((await stat(fresh)).mode & 0o777).toBe(0o600)
  })

  test('does not replace a database that another process creates meanwhile', async () => {
    await createDatabase(backup(), ['old'])
    const refused = restore(live(), async () => {
      await (await folder.openStore()).addToWaitlist(entry('new'))
    })
    await expect(refused).rejects.toEqual(changedMeanwhile())
    const store = await folder.openStore()
    await store.probe()
    expect(await names(store)).toEqual(['new'])
  })

  test('does not apply the log of a removed database', async () => {
    await createDatabase(backup(), ['old'])
    const store = await folder.openStore()
    await store.addToWaitlist(entry('lost'))
    await copyFile(`${live()}-wal`, folder.path('log'))
    await store.close()
    await rm(live())
    await rename(folder.path('log'), `${live()}-wal`)
    expect((await restore()).kept).toBeUndefined()
    expect(await addressesIn(live())).toEqual(['old'])
  })

  test('replaces an empty database and an unreadable one', async () => {
    await createDatabase(backup(), ['old'])
    await writeFile(live(), '')
    expect((await restore()).before).toEqual(zeroCounts())
    expect(await addressesIn(live())).toEqual(['old'])

    const nonsense = Buffer.alloc(8192, 0x5a)
    await writeFile(live(), nonsense)
    const { before, kept = '' } = await restore()
    expect(before).toBeUndefined()
    expect(await readFile(kept)).toEqual(nonsense)
    expect(await addressesIn(live())).toEqual(['old'])
  })

  test('never replaces the database of another program', async () => {
    await createDatabase(backup(), ['old'])
    await execSql(live(), 'CREATE TABLE songs (title TEXT)')
    const before = await readFile(live())
    await expect(restore()).rejects.toThrow('it is the database of another program')
    expect(await readFile(live())).toEqual(before)
  })

  // Which files are refused: refusals.test.ts.
  test('refuses a damaged backup by its path, and releases the database', async () => {
    await createDatabase(live(), ['new'])
    damage(await createDatabase(backup(), ['old']))
    await expect(restore()).rejects.toThrow(`Cannot use the database ${backup()}: it is damaged`)
    expect(await files()).toEqual(['backup.db', 'store.db'])
    expect(await addressesIn(live())).toEqual(['new'])
  })

  test('migrates an older backup, which stays as it is', async () => {
    await execSql(backup(), `PRAGMA application_id = ${applicationId}`)
    const before = await readFile(backup())
    await copyFile(backup(), live())
    expect((await restore()).after).toEqual(zeroCounts())
    expect(await addressesIn(live())).toEqual([])
    expect(await readFile(backup())).toEqual(before)
  })
})
