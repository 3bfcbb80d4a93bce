import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../../src/store/sqlite/connection.js'
import { applicationId, knownVersion } from '../../../src/store/sqlite/schema-version.js'
import { openSqliteStore } from '../../store/open-stores.js'
import { noMounts, smallDisk } from '../../store/small-disk.js'
import { addressesIn, createDatabase, damage, execSql } from '../../store/sqlite/database-files.js'
import { emptyFolder, run, start } from '../cli-process.js'
import { runDatabase } from './run-database.js'

const stillThere = 'live.db-wal still has what was removed: other connections have used it'

describe('database check', () => {
  test('lists its checks, also while the database is in use', async () => {
    const file = await createDatabase(join(emptyFolder(), 'live.db'), ['ada'])
    const running = await openSqliteStore(file)
    onTestFinished(() => running.close())
    const { code, stdout } = await runDatabase('check', file, '--json')
    expect(code).toBe(0)
    const { ok, checks, records } = JSON.parse(stdout)
    expect([ok, records.waitlist]).toEqual([true, 1])
    expect(checks.map(({ check }: { check: string }) => check)).toEqual([
      'file',
      'version',
      'integrity',
      'schema',
      'references',
      'sizes',
    ])
  })

  test('exits with 1 and names the failed check', async () => {
    const folder = emptyFolder()
    const damaged = await createDatabase(join(folder, 'damaged.db'), ['ada'])
    damage(damaged)
    const dangling = await createDatabase(join(folder, 'dangling.db'), [])
    await execSql(
      dangling,
      `PRAGMA foreign_keys = OFF;
       INSERT INTO projects (id, name, name_key, status, team_id, created_at) VALUES ('p', 'P', 'p', 'active', 'no-team', '')`,
    )
    const letter = join(folder, 'letter.db')
    writeFileSync(letter, 'a letter to a friend'.repeat(20))
    const failed = async (file: string) => {
      const { code, stdout } = await runDatabase('check', file, '--json')
      const { ok, checks } = JSON.parse(stdout)
      return [
        code,
        ok,
        checks.filter((check: { ok: boolean }) => !check.ok).map(({ check }: { check: string }) => check),
      ]
    }
    expect(await failed(damaged)).toEqual([1, false, ['integrity']])
    expect(await failed(dangling)).toEqual([1, false, ['references']])
    expect(await failed(letter)).toEqual([1, false, ['file']])
  })
})

describe('the hint of database check', () => {
  const checked = async (change: (file: string) => unknown) => {
    const file = await createDatabase(join(emptyFolder(), 'checked.db'), ['ada'])
    await change(file)
    return runDatabase('check', file)
  }

  test('names the parts of the schema that were changed', async () => {
    const sql = 'CREATE TRIGGER seen AFTER INSERT ON sessions BEGIN SELECT 1; END'
    const { code, stderr } = await checked((file) => execSql(file, sql))
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /The schema of .* was changed: trigger seen is not of this program\.\nhint: Find out who/,
    )
  })

  test('recommends to restore a backup only if the database is damaged', async () => {
    expect((await checked(damage)).stderr).toContain('hint: Replace it with a backup')
    const newer = await checked((file) => execSql(file, 'PRAGMA user_version = 999'))
    expect(newer.code).toBe(1)
    expect(newer.stderr).toContain('hint: Use the program that made it, or a newer one.')
    const letter = await checked((file) => writeFileSync(file, 'a letter to a friend'.repeat(20)))
    expect(letter.stderr).toMatch(/is not a database of this program: .*\nhint: Choose another --database/)
    for (const { stderr } of [newer, letter]) expect(stderr).not.toMatch(/backup|restore|damaged\./)
  })
})

describe('database migrate and vacuum', () => {
  test('migrate brings a file to the newest version once', async () => {
    const file = join(emptyFolder(), 'old.db')
    await execSql(file, `PRAGMA application_id = ${applicationId}`)
    const first = await runDatabase('migrate', file, '--json')
    expect([first.code, JSON.parse(first.stdout)]).toEqual([0, { database: file, from: 0, to: knownVersion }])
    const second = await runDatabase('migrate', file, '--json')
    expect(JSON.parse(second.stdout)).toMatchObject({ from: knownVersion, to: knownVersion })
    expect(await addressesIn(file)).toEqual([])
  })

  test('migrate does not create a missing database', async () => {
    const folder = emptyFolder()
    const { code, stderr } = await runDatabase('migrate', join(folder, 'missing.db'))
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no database')])
    expect(readdirSync(folder)).toEqual([])
  })

  test('vacuum fails while the log still contains removed records', async () => {
    const file = await createDatabase(join(emptyFolder(), 'live.db'), ['canary'])
    const reader = await openConnection(file, 'read', 1000)
    onTestFinished(() => reader.close())
    await reader.exec('BEGIN')
    await reader.all('SELECT * FROM waitlist')
    const removed = await run(['waitlist', 'remove', 'canary@example.com', '--database', file])
    expect([removed.code, removed.stderr]).toEqual([1, expect.stringContaining(stillThere)])
    const { code, stderr } = await runDatabase('vacuum', file)
    expect([code, stderr]).toEqual([1, expect.stringContaining(stillThere)])
    await reader.exec('COMMIT')
    expect(await runDatabase('vacuum', file)).toMatchObject({ code: 0 })
    expect(await addressesIn(file)).toEqual([])
  })

  test.skipIf(noMounts)('vacuum uses only the disk of the database', async () => {
    const { path } = smallDisk('1m')
    const file = await createDatabase(join(emptyFolder(), 'live.db'), ['ada'])
    await execSql(file, 'CREATE TABLE filler AS SELECT randomblob(8000000)')
    const env = { TMPDIR: path, SQLITE_TMPDIR: '' }
    const { code, stderr } = await start(['database', 'vacuum', '--database', file], { env }).ended
    expect([code, stderr]).toEqual([0, expect.stringContaining('bytes before')])
  })
})
