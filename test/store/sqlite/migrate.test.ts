import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { DatabaseRefusedError } from '../../../src/store/database-refused.js'
import { openReader } from '../../../src/store/open/databases.js'
import { checkDatabase } from '../../../src/store/sqlite/maintain.js'
import { migrateFile } from '../../../src/store/sqlite/migrate.js'
import { knownVersion } from '../../../src/store/sqlite/schema-version.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { fullState } from '../store-suite/records.js'
import { addressesIn, createDatabase, createOlder, execSql } from './database-files.js'
import { acmeProject, entry, folderForEachTest, names } from './sqlite-folder.js'

vi.mock('../../../src/store/migrations-folder.js', async () =>
  (await import('../second-version.js')).secondVersion(),
)

const folder = folderForEachTest()
const file = folder.database
const files = () => readdirSync(folder.path()).sort()
const copies = () => files().filter((name) => name.includes('.before-migration-'))
/** A database of the version before, with an address on its waitlist. */
const createPrevious = async () => createOlder(file(), await createDatabase(folder.path('newest'), ['ada']))

describe('a migration of a file', () => {
  test('is made after a verified copy, which has the version before', async () => {
    await createPrevious()
    const { from, to, copy = '' } = await migrateFile(file(), 1000)
    expect([from, to]).toEqual([knownVersion - 1, knownVersion])
    expect(copies()).toEqual([basename(copy)])
    expect(await addressesIn(file())).toEqual(['ada'])
    expect((await migrateFile(copy, 1000, { keepsCopy: false })).from).toBe(knownVersion - 1)
    expect(await addressesIn(copy)).toEqual(['ada'])
  })

  test('makes no copy where there is nothing to migrate, or where none is wanted', async () => {
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

  test('by several processes at once leaves one copy', async () => {
    await createPrevious()
    const runs = await Promise.all([1, 2, 3].map(() => migrateFile(file(), 5000)))
    expect(runs.map(({ from }) => from).sort()).toEqual([knownVersion - 1, knownVersion, knownVersion])
    const kept = runs.flatMap(({ copy }) => (copy ? [basename(copy)] : []))
    expect(copies()).toEqual(kept)
    expect(kept).toHaveLength(1)
  })

  test('that fails leaves the database as it was, and no copy', async () => {
    await createPrevious()
    // The second migration makes this column.
    await execSql(file(), "ALTER TABLE projects ADD COLUMN priority TEXT NOT NULL DEFAULT ''")
    const before = readFileSync(file())
    await expect(migrateFile(file(), 1000)).rejects.toThrow()
    expect(readFileSync(file())).toEqual(before)
    expect(copies()).toEqual([])
  })
})

describe('a store', () => {
  test('refuses an older database, and changes nothing', async () => {
    await createPrevious()
    const before = readFileSync(file())
    const refused = folder.openStore()
    await expect(refused).rejects.toThrow(DatabaseRefusedError)
    await expect(refused).rejects.toThrow(
      `it has version ${knownVersion - 1}, and this program needs version ${knownVersion}. Migrate it with "database migrate"`,
    )
    expect(readFileSync(file())).toEqual(before)
  })

  test('migrates it where that is asked for, and says so', async () => {
    await createPrevious()
    const store = await folder.openStore(file(), 1000, { migrate: true })
    expect(await store.describe()).toMatchObject({
      created: false,
      version: knownVersion,
      migrated: { from: knownVersion - 1, to: knownVersion, copy: folder.path(copies()[0] ?? '') },
    })
    const again = await folder.openStore(file(), 1000, { migrate: true })
    expect((await again.describe()).migrated).toBeUndefined()
  })

  test('goes on working while a later program migrates the database within the window', async () => {
    const store = await folder.openStore()
    await store.load(fullState)
    const later = await folder.openConnection()
    await later.exec(`BEGIN; CREATE TABLE additions (id TEXT) STRICT; ALTER TABLE projects ADD COLUMN addition TEXT;
      CREATE INDEX projects_by_addition ON projects (addition);
      UPDATE dashboard_schema SET version = ${knownVersion + 1}; COMMIT`)
    expect(await store.addToWaitlist(entry('after'))).toBe(true)
    expect(await names(store)).toContain('after')
    await store.probe()
    expect(await later.all('SELECT version FROM dashboard_schema')).toEqual([{ version: knownVersion + 1 }])
    // A restart of this program opens it, too.
    const restarted = await folder.openStore(file(), 1000, { migrate: true })
    expect(await restarted.describe()).toMatchObject({ version: knownVersion + 1 })
    expect(copies()).toEqual([])
  })

  test('is not ready on a database that a later program closed to it, or that is older', async () => {
    const store = await folder.openStore()
    const other = await folder.openConnection()
    await other.exec(`UPDATE dashboard_schema SET version = ${knownVersion - 1}`)
    await expect(store.probe()).rejects.toThrow(StoreUnavailableError)
    await other.exec(`UPDATE dashboard_schema SET version = ${knownVersion + 1}`)
    await store.probe()
    await other.exec(`PRAGMA user_version = ${knownVersion + 1}`)
    await expect(store.probe()).rejects.toThrow(StoreUnavailableError)
  })
})

describe('a reader', () => {
  test('refuses an older database, and says what to do', async () => {
    await createOlder(file())
    const before = readFileSync(file())
    const refused = openReader({ kind: 'sqlite', name: 'the.db', file: file() })
    await expect(refused).rejects.toThrow(DatabaseRefusedError)
    await expect(refused).rejects.toThrow(
      `it has version 1, and this program needs version ${knownVersion}. Migrate it with "database migrate"`,
    )
    expect(readFileSync(file())).toEqual(before)
    expect(files()).toEqual(['store.db'])
  })

  test('reads a newer one within the window, and refuses one beyond it', async () => {
    await createDatabase(file(), ['ada'])
    await execSql(file(), 'UPDATE dashboard_schema SET version = 999')
    const reader = await openReader({ kind: 'sqlite', name: file(), file: file() })
    expect(await reader.countWaitlist()).toBe(1)
    await reader.close()
    await execSql(file(), 'PRAGMA user_version = 999')
    await expect(openReader({ kind: 'sqlite', name: file(), file: file() })).rejects.toThrow(
      'it needs a program that knows version 999',
    )
  })

  test('sees each commit of a server that runs', async () => {
    const store = await folder.openStore()
    const reader = await openReader({ kind: 'sqlite', name: file(), file: file() })
    await store.addToWaitlist(entry('later'))
    expect((await reader.waitlistAfter(undefined, 10_000)).map(({ email }) => email)).toEqual([
      'later@example.com',
    ])
    await reader.close()
    await store.addToWaitlist(entry('latest'))
    expect(await names(store)).toHaveLength(2)
  })
})

test('the check of an older file accepts it, and says what migrates it', async () => {
  await createOlder(file())
  const { ok, checks } = await checkDatabase(file())
  expect(ok).toBe(true)
  const found = '1; "database migrate" or "serve" migrates it to 2'
  expect(checks[1]).toEqual({ check: 'version', ok: true, found })
})

test('a migrated file has the schema of a new one, and its records', async () => {
  const newest = await folder.openStore(folder.path('newest.db'))
  await newest.load(fullState)
  await createOlder(file(), folder.path('newest.db'))
  const store = await folder.openStore(file(), 5000, { migrate: true })
  expect(await store.export()).toStrictEqual(await newest.export())
  const schemaOf = async (path: string) =>
    (await folder.openConnection('write', path)).all(
      'SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2',
    )
  expect(await schemaOf(file())).toEqual(await schemaOf(folder.path('newest.db')))
  expect(await checkDatabase(file())).toMatchObject({ ok: true })
  const { version } = await store.listProjects('acme')
  await store.addProject(acmeProject('later'))
  expect((await store.listProjects('acme')).version).not.toBe(version)
})
