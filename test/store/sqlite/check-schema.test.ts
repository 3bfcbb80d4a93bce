import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkDatabase } from '../../../src/store/sqlite/maintain.js'
import { restoreFile } from '../../../src/store/sqlite/restore-file.js'
import { knownVersion } from '../../../src/store/sqlite/schema-version.js'
import { fullState, session } from '../store-suite/records.js'
import { execSql } from './database-files.js'
import { folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()
const file = folder.database

/** Adds a permission to each new session. */
const trigger = `CREATE TRIGGER session_added AFTER INSERT ON sessions BEGIN
  UPDATE sessions SET permissions = '["create:projects"]' WHERE id = new.id;
END`

async function create(): Promise<void> {
  const store = await folder.openStore()
  await store.load(fullState)
  await store.close()
}

/** The fault that the check finds in the schema, undefined if there is none. A restore must find the same. */
async function findFault(): Promise<string | undefined> {
  const { ok, checks } = await checkDatabase(file())
  const refuse = () => Promise.reject(new Error('not confirmed'))
  const restoring = restoreFile(folder.path('restored.db'), file(), refuse, 10)
  if (ok) {
    await expect(restoring).rejects.toThrow('not confirmed')
    return undefined
  }
  const { check, found } = checks.at(-1) ?? {}
  expect(check).toBe('schema')
  await expect(restoring).rejects.toThrow(
    `Cannot use the database ${file()}: its schema was changed (${found})`,
  )
  expect(existsSync(folder.path('restored.db'))).toBe(false)
  return found
}

describe('the check and the restore of a SQLite file', () => {
  test('refuse a trigger that gives sessions other permissions', async () => {
    await create()
    expect(await findFault()).toBeUndefined()
    await execSql(file(), trigger)
    const store = await folder.openStore()
    await store.addSession(session({ id: 'new', orgCode: 'org_acme' }))
    expect((await store.session('new'))?.permissions).toEqual(['create:projects'])
    await store.close()
    expect(await findFault()).toBe('trigger session_added is not of this program')
  })

  test.each([
    ['a view', 'CREATE VIEW members AS SELECT * FROM users', 'view members is not of this program'],
    ['a table', 'CREATE TABLE songs (title TEXT)', 'table songs is not of this program'],
    [
      'a trigger in the place of ours',
      `DROP TRIGGER audit_log_updated; CREATE TRIGGER audit_log_updated BEFORE UPDATE ON audit_log BEGIN SELECT 1; END`,
      'trigger audit_log_updated is not of this program',
    ],
    ['no trigger', 'DROP TRIGGER audit_log_updated', 'trigger audit_log_updated is missing'],
    ['a column', 'ALTER TABLE users ADD COLUMN song TEXT', 'table users is not of this program'],
    [
      'an index that refuses records',
      'CREATE UNIQUE INDEX names ON teams (name)',
      'index names is not of this program',
    ],
  ])('refuse %s', async (_, sql, fault) => {
    await create()
    await execSql(file(), sql)
    expect(await findFault()).toBe(fault)
  })

  test.each([
    ['an index', 'CREATE INDEX users_by_name ON users (family_name)'],
    ['the statistics of the planner', 'ANALYZE'],
    [
      'the tables of Litestream',
      'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); CREATE TABLE _litestream_lock (id INTEGER)',
    ],
    [
      'what a later version adds',
      `UPDATE dashboard_schema SET version = ${knownVersion + 1}; CREATE TABLE additions (id TEXT) STRICT;
       ALTER TABLE projects ADD COLUMN addition TEXT; CREATE INDEX projects_by_addition ON projects (addition)`,
    ],
  ])('accept %s', async (_, sql) => {
    await create()
    await execSql(file(), sql)
    expect(await findFault()).toBeUndefined()
  })

  test('also refuse a trigger in a later version', async () => {
    await create()
    await execSql(file(), `UPDATE dashboard_schema SET version = ${knownVersion + 1}; ${trigger}`)
    expect(await findFault()).toBe('trigger session_added is not of this program')
  })
})
