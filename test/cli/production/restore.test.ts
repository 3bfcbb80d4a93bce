import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../store/open-stores.js'
import { addressesIn, createDatabase, damage } from '../../store/sqlite/database-files.js'
import { emptyFolder } from '../cli-process.js'
import { runDatabase } from './run-database.js'

describe('database restore', () => {
  async function liveAndBackup() {
    const folder = emptyFolder()
    const live = await createDatabase(join(folder, 'live.db'), ['new', 'newer'])
    const backup = await createDatabase(join(folder, 'backup.db'), ['old'])
    return { folder, live, backup }
  }

  test('replaces the database, reports the counts before and after, and keeps the old file', async () => {
    const { live, backup } = await liveAndBackup()
    const { code, stdout } = await runDatabase('restore', live, backup, '--yes', '--json')
    expect(code).toBe(0)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ before: { waitlist: 2 }, after: { waitlist: 1 } })
    expect(await addressesIn(live)).toEqual(['old'])
    expect(await addressesIn(report.kept)).toEqual(['new', 'newer'])
    expect(await addressesIn(backup)).toEqual(['old'])
  })

  test('shows the counts and changes nothing without --yes and without a terminal', async () => {
    const { folder, live, backup } = await liveAndBackup()
    const { code, stdout, stderr } = await runDatabase('restore', live, backup)
    expect(code).toBe(2)
    expect(stderr).toContain('--yes')
    expect(stdout.split('\n')).toContain('waitlist\t2\t1')
    expect(await addressesIn(live)).toEqual(['new', 'newer'])
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'live.db'])
  })

  // Refusals, which must not change anything, are tested in test/store/sqlite/restore-file.test.ts.
  test('exits with 1 while the database is in use, and with 2 if the file is not a backup', async () => {
    const { folder, live, backup } = await liveAndBackup()
    const running = await openSqliteStore(live)
    const inUse = await runDatabase('restore', live, backup, '--yes')
    expect([inUse.code, inUse.stderr]).toEqual([
      1,
      expect.stringContaining('Another process has the database'),
    ])
    await running.close()
    const damaged = await createDatabase(join(folder, 'damaged.db'), ['x'])
    damage(damaged)
    for (const [from, reason] of [
      [damaged, 'damaged'],
      [join(folder, 'missing.db'), 'no backup'],
      [live, 'the database itself'],
    ] as const) {
      const { code, stderr } = await runDatabase('restore', live, from, '--yes')
      expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
    }
    expect(await addressesIn(live)).toEqual(['new', 'newer'])
  })
})
