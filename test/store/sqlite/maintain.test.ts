import { execFileSync } from 'node:child_process'
import { mkdir, open, stat, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { checkDatabase, migrateDatabase, vacuumDatabase } from '../../../src/store/sqlite/maintain.js'
import { applicationId, knownVersion } from '../../../src/store/sqlite/schema-version.js'
import { fullState } from '../store-suite/records.js'
import { addressesIn, createDatabase, execSql } from './database-files.js'
import { folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()
const file = folder.database

async function overwrite(offset: number, length: number): Promise<void> {
  const opened = await open(file(), 'r+')
  await opened.write(Buffer.alloc(length, 0xa5), 0, length, offset)
  await opened.close()
}

describe('the check of a database', () => {
  const passed = [
    { check: 'file', ok: true, found: 'a database of this program' },
    { check: 'version', ok: true, found: `${knownVersion}, the newest` },
    { check: 'integrity', ok: true, found: 'every page and index' },
    { check: 'schema', ok: true, found: 'every table, index and trigger' },
    { check: 'references', ok: true, found: 'every reference' },
    { check: 'sizes', ok: true, found: 'the size of every team' },
  ]

  test('lists what was found, and counts the records', async () => {
    await (await folder.openStore()).load(fullState)
    expect(await checkDatabase(file())).toEqual({
      ok: true,
      checks: passed,
      records: { teams: 2, users: 2, sessions: 2, projects: 3, waitlist: 2 },
    })
  })

  test('finds a team whose size is unknown, and whose list would be empty', async () => {
    await (await folder.openStore()).load(fullState)
    await execSql(file(), "DELETE FROM changes WHERE scope = 'acme'")
    const { ok, checks } = await checkDatabase(file())
    expect([ok, checks.at(-1)?.found]).toEqual([false, '1 teams with a wrong size'])
  })

  test('ends at a file that is no database', async () => {
    await writeFile(file(), 'a letter to a friend'.repeat(20))
    expect(await checkDatabase(file())).toEqual({
      ok: false,
      checks: [{ check: 'file', ok: false, found: 'it is not a SQLite database' }],
    })
  })

  test('ends at what is no file: a folder, or a pipe, which is not waited for', async () => {
    await mkdir(file())
    execFileSync('mkfifo', [folder.path('pipe')])
    for (const path of [file(), folder.path('pipe')]) {
      expect((await checkDatabase(path)).checks).toEqual([
        { check: 'file', ok: false, found: 'it is not a file' },
      ])
    }
  })

  test('ends at a newer version', async () => {
    await createDatabase(file(), [])
    await execSql(file(), 'PRAGMA user_version = 999; UPDATE dashboard_schema SET version = 999')
    expect(await checkDatabase(file())).toEqual({
      ok: false,
      checks: [passed[0], { check: 'version', ok: false, found: `999; this program knows ${knownVersion}` }],
    })
  })

  test('accepts a newer version that works with this program', async () => {
    await createDatabase(file(), [])
    await execSql(file(), 'UPDATE dashboard_schema SET version = 999')
    const { ok, checks } = await checkDatabase(file())
    const found = `999; this program knows ${knownVersion}, and works with it`
    expect([ok, checks[1]]).toEqual([true, { check: 'version', ok: true, found }])
  })

  test('ends at a damaged page', async () => {
    await createDatabase(file(), ['ada'])
    await overwrite(6 * 4096, 4096)
    const { ok, checks, records } = await checkDatabase(file())
    expect([ok, records]).toEqual([false, undefined])
    expect(checks).toEqual([
      ...passed.slice(0, 2),
      { check: 'integrity', ok: false, found: expect.stringMatching(/[Pp]age/) },
    ])
    expect(checks[2]?.found).not.toMatch(/\bok\b/)
  })

  test('ends at a schema that cannot be read', async () => {
    await createDatabase(file(), ['ada'])
    await overwrite(100, 500)
    const { ok, checks } = await checkDatabase(file())
    expect(ok).toBe(false)
    expect(checks.at(-1)).toEqual({
      check: 'integrity',
      ok: false,
      found: expect.stringMatching(/^SQLITE_(CORRUPT|NOTADB)/),
    })
  })

  test('ends at dangling references, which it counts', async () => {
    await createDatabase(file(), [])
    const add = (id: string) =>
      `INSERT INTO projects (id, name, name_key, status, team_id, created_at) VALUES ('${id}', 'P', 'p', 's', 'none', '');`
    await execSql(file(), `PRAGMA foreign_keys = OFF; ${add('a')} ${add('b')}`)
    const { ok, checks, records } = await checkDatabase(file())
    expect([ok, records]).toEqual([false, undefined])
    expect(checks).toEqual([
      ...passed.slice(0, 4),
      { check: 'references', ok: false, found: '2 rows with a dangling reference' },
    ])
  })

  test('ends where there is no file, and where a table is missing', async () => {
    expect((await checkDatabase(file())).checks).toEqual([
      { check: 'file', ok: false, found: 'it does not exist' },
    ])
    await execSql(file(), `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${knownVersion}`)
    expect((await checkDatabase(file())).checks.at(-1)).toEqual({
      check: 'schema',
      ok: false,
      found: expect.stringContaining('table projects is missing'),
    })
  })
})

describe('maintenance of a database', () => {
  test('migrates it once', async () => {
    await execSql(file(), `PRAGMA application_id = ${applicationId}`)
    expect(await migrateDatabase(file())).toEqual({ from: 0, to: knownVersion })
    expect(await migrateDatabase(file())).toEqual({ from: knownVersion, to: knownVersion })
    expect(await addressesIn(file())).toEqual([])
  })

  test('frees the space of removed records', async () => {
    await createDatabase(file(), ['ada'])
    await execSql(
      file(),
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO waitlist (email, created_at) SELECT i || '@example.org', '' FROM n;
       DELETE FROM waitlist WHERE email LIKE '%@example.org'`,
    )
    const { size } = await stat(file())
    const { before, after } = await vacuumDatabase(file())
    expect(before).toBe(size)
    expect(after).toBeLessThan(before / 2)
    expect((await stat(file())).size).toBe(after)
    expect(await addressesIn(file())).toEqual(['ada'])
  })
})
