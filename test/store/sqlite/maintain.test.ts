import { execFileSync } from 'node:child_process'
import { mkdir, open, stat, unlink, writeFile } from 'node:fs/promises'
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

  test('lists its findings, and counts the records', async () => {
    await (await folder.openStore()).load(fullState)
    expect(await checkDatabase(file())).toEqual({
      ok: true,
      checks: passed,
      records: { teams: 2, users: 2, sessions: 2, projects: 3, waitlist: 2 },
    })
  })

  const failed = (check: string, found: unknown) => ({ check, ok: false, found })
  const dangling = ['a', 'b'].map(
    (id) =>
      `INSERT INTO projects (id, name, name_key, status, team_id, created_at) VALUES ('${id}', 'P', 'p', 's', 'none', '');`,
  )
  const newer = 'PRAGMA user_version = 999; UPDATE dashboard_schema SET version = 999'

  test.each<[string, () => Promise<unknown>, object]>([
    ['no file', async () => unlink(file()), failed('file', 'it does not exist')],
    [
      'no database',
      () => writeFile(file(), 'a letter to a friend'.repeat(20)),
      failed('file', 'it is not a SQLite database'),
    ],
    ['a folder', () => unlink(file()).then(() => mkdir(file())), failed('file', 'it is not a file')],
    // The check does not wait for the other end of a pipe.
    [
      'a pipe',
      () => unlink(file()).then(() => execFileSync('mkfifo', [file()])),
      failed('file', 'it is not a file'),
    ],
    [
      'a newer version',
      () => execSql(file(), newer),
      failed('version', `999; this program knows ${knownVersion}`),
    ],
    [
      'a damaged page',
      () =>
        unlink(file())
          .then(() => createDatabase(file(), ['ada']))
          .then(() => overwrite(6 * 4096, 4096)),
      failed('integrity', expect.stringMatching(/^(?!.*\bok\b).*[Pp]age/s)),
    ],
    [
      'a damaged schema',
      () => overwrite(100, 500),
      failed('integrity', expect.stringMatching(/^SQLITE_(CORRUPT|NOTADB)/)),
    ],
    [
      'a missing table',
      () => execSql(file(), 'DROP TABLE provider_logouts'),
      failed('schema', expect.stringContaining('table provider_logouts is missing')),
    ],
    [
      'dangling references',
      () => execSql(file(), `PRAGMA foreign_keys = OFF; ${dangling.join('')}`),
      failed('references', '2 rows with a dangling reference'),
    ],
    [
      'a team of unknown size',
      () => execSql(file(), "DELETE FROM changes WHERE scope = 'acme'"),
      failed('sizes', '1 teams with a wrong size'),
    ],
  ])('stops at %s', async (_, change, fault) => {
    const store = await folder.openStore()
    await store.load(fullState)
    await store.close()
    await change()
    const { ok, checks, records } = await checkDatabase(file())
    expect([ok, records]).toEqual([false, undefined])
    expect(checks.filter((check) => !check.ok)).toEqual([fault])
    expect(checks.at(-1)).toEqual(fault)
  })

  test('accepts a newer version that is compatible with this program', async () => {
    await createDatabase(file(), [])
    await execSql(file(), 'UPDATE dashboard_schema SET version = 999')
    const { ok, checks } = await checkDatabase(file())
    const found = `999; this program knows ${knownVersion}, and works with it`
    expect([ok, checks[1]]).toEqual([true, { check: 'version', ok: true, found }])
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
