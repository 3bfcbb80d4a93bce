import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applicationId, knownVersion } from '../../../src/store/sqlite/schema-version.js'
import { openSqliteStore } from '../../store/open-stores.js'
import { addressesIn, createDatabase, damage, execSql } from '../../store/sqlite/database-files.js'
import { entry } from '../../store/sqlite/sqlite-folder.js'
import { emptyFolder } from '../cli-process.js'
import { runDatabase, startWriter } from './run-database.js'

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

  test('migrates the backup to the newest version, and gives it the mode of the old file', async () => {
    const { folder, live } = await liveAndBackup()
    const old = join(folder, 'old.db')
    await execSql(old, `PRAGMA application_id = ${applicationId}`)
    chmodSync(live, 0o640)
    expect((await runDatabase('restore', live, old, '--yes')).code).toBe(0)
    expect(statSync(live).mode & 0o777).toBe(0o640)
    const { stdout } = await runDatabase('migrate', live, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ from: knownVersion, to: knownVersion })
    expect(await addressesIn(live)).toEqual([])
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

  test('is refused while a process has the database open, and that process continues', async () => {
    const { folder, live, backup } = await liveAndBackup()
    const running = await openSqliteStore(live)
    const { code, stderr } = await runDatabase('restore', live, backup, '--yes')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Another process has the database')])
    expect(await running.addToWaitlist(entry('meanwhile'))).toBe(true)
    await running.close()
    expect(await addressesIn(live)).toEqual(['meanwhile', 'new', 'newer'])
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'live.db'])
  })

  test('works after a process was killed with the database open', async () => {
    const { folder, backup } = await liveAndBackup()
    const file = join(folder, 'killed.db')
    const { child, lines, ended } = startWriter(file)
    const [first] = await once(lines, 'line')
    child.kill('SIGKILL')
    await ended
    const { code, stdout } = await runDatabase('restore', file, backup, '--yes', '--json')
    expect(code).toBe(0)
    expect(await addressesIn(file)).toEqual(['old'])
    // The old file includes what the killed process left in its write-ahead log.
    expect(await addressesIn(JSON.parse(stdout).kept)).toContain(first.replace('@example.com', ''))
  })

  test('refuses a foreign, a newer and a damaged backup; the database stays', async () => {
    const { folder, live } = await liveAndBackup()
    const letter = join(folder, 'letter.db')
    writeFileSync(letter, 'a letter to a friend'.repeat(20))
    const newer = await createDatabase(join(folder, 'newer.db'), [])
    await execSql(newer, 'PRAGMA user_version = 999')
    const damaged = await createDatabase(join(folder, 'damaged.db'), ['x'])
    damage(damaged)
    for (const [from, reason] of [
      [letter, 'not a SQLite database'],
      [newer, 'version 999'],
      [damaged, 'damaged'],
      [join(folder, 'missing.db'), 'no backup'],
      [live, 'the database itself'],
    ] as const) {
      const { code, stderr } = await runDatabase('restore', live, from, '--yes')
      expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
    }
    expect(await addressesIn(live)).toEqual(['new', 'newer'])
    expect(readdirSync(folder).sort()).toEqual([
      'backup.db',
      'damaged.db',
      'letter.db',
      'live.db',
      'newer.db',
    ])
  })

  test('replaces an unreadable database, and creates a missing one', async () => {
    const { folder, live, backup } = await liveAndBackup()
    writeFileSync(live, Buffer.alloc(8192, 0x5a))
    const { code, stdout } = await runDatabase('restore', live, backup, '--yes', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).before).toBeUndefined()
    expect(readFileSync(JSON.parse(stdout).kept)).toEqual(Buffer.alloc(8192, 0x5a))
    expect(await addressesIn(live)).toEqual(['old'])

    const fresh = join(folder, 'new-folder', 'fresh.db')
    expect((await runDatabase('restore', fresh, backup, '--yes')).code).toBe(0)
    expect(await addressesIn(fresh)).toEqual(['old'])
  })

  test('never replaces the database of another program', async () => {
    const { folder, backup } = await liveAndBackup()
    const foreign = join(folder, 'foreign.db')
    await execSql(foreign, 'CREATE TABLE songs (title TEXT)')
    const bytes = readFileSync(foreign)
    const { code, stderr } = await runDatabase('restore', foreign, backup, '--yes')
    expect([code, stderr]).toEqual([2, expect.stringContaining('another program')])
    expect(readFileSync(foreign)).toEqual(bytes)
  })
})
