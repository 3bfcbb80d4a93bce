import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { openReader } from '../../../src/store/open/open-store.js'
import { checkDatabase } from '../../../src/store/sqlite/maintain.js'
import { migrateFile } from '../../../src/store/sqlite/migrate.js'
import { applicationId, knownVersion } from '../../../src/store/sqlite/schema-version.js'
import { testMigrations } from '../migrations-suite.js'
import { addressesIn, createDatabase, createOlder, execSql } from './database-files.js'
import { entry, folderForEachTest } from './sqlite-folder.js'

vi.mock('../../../src/store/migrations-folder.js', async () =>
  (await import('../second-version.js')).secondVersion(),
)

const folder = folderForEachTest()
let files = 0
testMigrations('SQLite', [1], async () => {
  files += 1
  const path = folder.path(`${files}.db`)
  await execSql(path, `PRAGMA application_id = ${applicationId}`)
  return {
    address: { kind: 'sqlite', name: path, file: path },
    run: async (sql) => (await folder.openConnection('write', path)).all(sql),
    createFirst: async () => void (await createOlder(path)),
    migrate: () => migrateFile(path, 5000),
    check: () => checkDatabase(path),
    schema: async () =>
      (await folder.openConnection('write', path)).all(
        'SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2',
      ),
    closeTo: (version) => `PRAGMA user_version = ${version}`,
  }
})

const file = folder.database
const copies = () => readdirSync(folder.path()).filter((name) => name.includes('.before-migration-'))
/** Creates a database of the previous version, with an address on its waitlist. */
const createPrevious = async () => createOlder(file(), await createDatabase(folder.path('newest'), ['ada']))

describe('a migration of a file', () => {
  test('is made after a verified copy, which has the previous version', async () => {
    await createPrevious()
    // Of several concurrent calls, one makes it.
    const runs = await Promise.all([1, 2, 3].map(() => migrateFile(file(), 5000)))
    const { from, to, copy = '' } = runs.find((each) => each.copy) ?? {}
    expect([from, to]).toEqual([knownVersion - 1, knownVersion])
    expect(copies()).toEqual([basename(copy)])
    expect(await addressesIn(file())).toEqual(['ada'])
    expect((await migrateFile(copy, 1000, { keepsCopy: false })).from).toBe(knownVersion - 1)
    expect(await addressesIn(copy)).toEqual(['ada'])
  })

  test('makes no copy if there is nothing to migrate, or if none is wanted', async () => {
    await createPrevious()
    expect(await migrateFile(file(), 1000, { keepsCopy: false })).toEqual({
      from: knownVersion - 1,
      to: knownVersion,
    })
    expect(await migrateFile(file(), 1000)).toEqual({ from: knownVersion, to: knownVersion })
    await execSql(file(), 'UPDATE dashboard_schema SET version = 999')
    expect(await migrateFile(file(), 1000)).toEqual({ from: 999, to: 999 })
    expect(copies()).toEqual([])
  })

  test('that fails leaves the database as it was, and no copy', async () => {
    await createPrevious()
    // The second migration adds this column.
    await execSql(file(), "ALTER TABLE projects ADD COLUMN priority TEXT NOT NULL DEFAULT ''")
    const before = readFileSync(file())
    await expect(migrateFile(file(), 1000)).rejects.toThrow()
    expect(readFileSync(file())).toEqual(before)
    expect(copies()).toEqual([])
  })
})

test('a reader sees each commit of a running server', async () => {
  const store = await folder.openStore()
  const reader = await openReader({ kind: 'sqlite', name: file(), file: file() })
  await store.addToWaitlist(entry('later'))
  expect(await reader.countWaitlist()).toBe(1)
  await reader.close()
  await store.addToWaitlist(entry('latest'))
  expect(await store.countWaitlist()).toBe(2)
})

test('the check of an older file accepts it, and names the command that migrates it', async () => {
  await createOlder(file())
  const { ok, checks } = await checkDatabase(file())
  expect(ok).toBe(true)
  const found = '1; "database migrate" or "serve" migrates it to 2'
  expect(checks[1]).toEqual({ check: 'version', ok: true, found })
})
