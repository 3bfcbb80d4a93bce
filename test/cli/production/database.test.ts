import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../../src/store/sqlite/connection.js'
import { applicationId, knownVersion } from '../../../src/store/sqlite/migrations.js'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.js'
import { entry, names } from '../../store/sqlite/sqlite-folder.js'
import { emptyFolder, run } from '../cli-process.js'

/** A database with these addresses on its waitlist, closed again. */
async function databaseOf(file: string, addresses: string[]): Promise<string> {
  const store = await openSqliteStore(file)
  for (const address of addresses) await store.addToWaitlist(entry(address))
  await store.close()
  return file
}

async function addressesIn(file: string): Promise<string[]> {
  const store = await openSqliteStore(file)
  const found = await names(store)
  await store.close()
  return found.sort()
}

/** A process that adds to a waitlist, a line for each address that is kept. */
function startWriter(file: string) {
  const script = fileURLToPath(new URL('../../store/sqlite/sqlite-process.js', import.meta.url))
  const child = spawn(process.execPath, [script, file, 'w', '100000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, lines: createInterface(child.stdout) }
}

const database = (command: string, file: string, ...rest: string[]) =>
  run(['database', command, ...rest, '--database', file])

/** Runs SQL on a file as another program does. */
async function alter(file: string, sql: string): Promise<void> {
  const handle = await openConnection(file, 'create', 1000)
  await handle.exec(sql)
  await handle.close()
}

/** Breaks the index of names: its pages are overwritten. */
function damage(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 4096 * 2)
  writeFileSync(file, bytes)
}

describe('database backup', () => {
  test('copies a database that is written to: all that was acknowledged before, in one plain file', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'live.db')
    const backup = join(folder, 'backup.db')
    const writer = startWriter(file)
    const acknowledged: string[] = []
    writer.lines.on('line', (line) => acknowledged.push(line.replace('@example.com', '')))
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(20)
    const before = [...acknowledged]
    const { code, stdout } = await database('backup', file, backup, '--json')
    expect(code).toBe(0)
    expect(acknowledged.length).toBeGreaterThan(before.length)
    const { records } = JSON.parse(stdout)
    expect(readdirSync(folder).filter((name) => !name.startsWith('live.db'))).toEqual(['backup.db'])
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const copied = await addressesIn(backup)
    expect(copied).toEqual(expect.arrayContaining(before))
    expect(copied.length).toBe(records.waitlist)
  })

  test('replaces nothing, and leaves nothing behind where it fails', async () => {
    const folder = emptyFolder()
    const file = await databaseOf(join(folder, 'live.db'), ['ada'])
    const taken = await databaseOf(join(folder, 'taken.db'), ['grace'])
    const refused = await database('backup', file, taken)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is there already')])
    expect(await addressesIn(taken)).toEqual(['grace'])

    const nowhere = await database('backup', file, join(folder, 'no-such-folder', 'backup.db'))
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('there is no such folder')])

    damage(file)
    const damaged = await database('backup', file, join(folder, 'backup.db'))
    expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining('damaged')])
    expect(readdirSync(folder).sort()).toEqual(['live.db', 'taken.db'])
  })

  test('of a file that is not there, or is not ours, is refused', async () => {
    const folder = emptyFolder()
    const backup = join(folder, 'backup.db')
    const missing = await database('backup', join(folder, 'missing.db'), backup)
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('There is no database')])
    const foreign = join(folder, 'foreign.db')
    await alter(foreign, 'CREATE TABLE songs (title TEXT)')
    const refused = await database('backup', foreign, backup)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('another program')])
    expect(readdirSync(folder)).toEqual(['foreign.db'])
  })
})

describe('database restore', () => {
  async function liveAndBackup() {
    const folder = emptyFolder()
    const live = await databaseOf(join(folder, 'live.db'), ['new', 'newer'])
    const backup = await databaseOf(join(folder, 'backup.db'), ['old'])
    return { folder, live, backup }
  }

  test('puts the backup in place, says what was there before and after, and keeps the old file', async () => {
    const { live, backup } = await liveAndBackup()
    const { code, stdout } = await database('restore', live, backup, '--yes', '--json')
    expect(code).toBe(0)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ before: { waitlist: 2 }, after: { waitlist: 1 } })
    expect(await addressesIn(live)).toEqual(['old'])
    expect(await addressesIn(report.kept)).toEqual(['new', 'newer'])
    expect(await addressesIn(backup)).toEqual(['old'])
  })

  test('shows the counts and changes nothing where there is no terminal to ask on', async () => {
    const { folder, live, backup } = await liveAndBackup()
    const { code, stdout, stderr } = await database('restore', live, backup)
    expect(code).toBe(2)
    expect(stderr).toContain('--yes')
    expect(stdout.split('\n')).toContain('waitlist\t2\t1')
    expect(await addressesIn(live)).toEqual(['new', 'newer'])
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'live.db'])
  })

  test('is refused while a process has the database open, and that one goes on', async () => {
    const { folder, live, backup } = await liveAndBackup()
    const running = await openSqliteStore(live)
    const { code, stderr } = await database('restore', live, backup, '--yes')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Another process has the database')])
    expect(await running.addToWaitlist(entry('meanwhile'))).toBe(true)
    await running.close()
    expect(await addressesIn(live)).toEqual(['meanwhile', 'new', 'newer'])
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'live.db'])
  })

  test('goes on after a process that was killed with the database open', async () => {
    const { folder, backup } = await liveAndBackup()
    const file = join(folder, 'killed.db')
    const { child, lines, ended } = startWriter(file)
    const [first] = await once(lines, 'line')
    child.kill('SIGKILL')
    await ended
    const { code, stdout } = await database('restore', file, backup, '--yes', '--json')
    expect(code).toBe(0)
    expect(await addressesIn(file)).toEqual(['old'])
    // What the killed process left in its log is in the file that is kept.
    expect(await addressesIn(JSON.parse(stdout).kept)).toContain(first.replace('@example.com', ''))
  })

  test('refuses what is no backup of ours, a newer one and a damaged one; the database stays', async () => {
    const { folder, live } = await liveAndBackup()
    const letter = join(folder, 'letter.db')
    writeFileSync(letter, 'a letter to a friend'.repeat(20))
    const newer = await databaseOf(join(folder, 'newer.db'), [])
    await alter(newer, 'PRAGMA user_version = 999')
    const damaged = await databaseOf(join(folder, 'damaged.db'), ['x'])
    damage(damaged)
    for (const [from, reason] of [
      [letter, 'not a SQLite database'],
      [newer, 'version 999'],
      [damaged, 'damaged'],
      [join(folder, 'missing.db'), 'no backup'],
      [live, 'the database itself'],
    ] as const) {
      const { code, stderr } = await database('restore', live, from, '--yes')
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

  test('replaces a database that is damaged beyond reading, and makes one where there is none', async () => {
    const { folder, live, backup } = await liveAndBackup()
    writeFileSync(live, Buffer.alloc(8192, 0x5a))
    const { code, stdout } = await database('restore', live, backup, '--yes', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).before).toBeUndefined()
    expect(readFileSync(JSON.parse(stdout).kept)).toEqual(Buffer.alloc(8192, 0x5a))
    expect(await addressesIn(live)).toEqual(['old'])

    const fresh = join(folder, 'new-folder', 'fresh.db')
    expect((await database('restore', fresh, backup, '--yes')).code).toBe(0)
    expect(await addressesIn(fresh)).toEqual(['old'])
  })

  test('never replaces the database of another program', async () => {
    const { folder, backup } = await liveAndBackup()
    const foreign = join(folder, 'foreign.db')
    await alter(foreign, 'CREATE TABLE songs (title TEXT)')
    const bytes = readFileSync(foreign)
    const { code, stderr } = await database('restore', foreign, backup, '--yes')
    expect([code, stderr]).toEqual([2, expect.stringContaining('another program')])
    expect(readFileSync(foreign)).toEqual(bytes)
  })
})

describe('database check', () => {
  test('says what was looked at, also while the database is in use, and changes nothing', async () => {
    const file = await databaseOf(join(emptyFolder(), 'live.db'), ['ada'])
    const running = await openSqliteStore(file)
    onTestFinished(() => running.close())
    const { code, stdout } = await database('check', file, '--json')
    expect(code).toBe(0)
    const { ok, checks, records } = JSON.parse(stdout)
    expect([ok, records.waitlist]).toEqual([true, 1])
    expect(checks.map(({ check }: { check: string }) => check)).toEqual([
      'file',
      'version',
      'integrity',
      'references',
    ])
  })

  test('ends with 1 where something is wrong, and says what', async () => {
    const folder = emptyFolder()
    const damaged = await databaseOf(join(folder, 'damaged.db'), ['ada'])
    damage(damaged)
    const dangling = await databaseOf(join(folder, 'dangling.db'), [])
    await alter(
      dangling,
      `PRAGMA foreign_keys = OFF;
       INSERT INTO projects (id, name, name_key, status, team_id, created_at) VALUES ('p', 'P', 'p', 'active', 'no-team', '')`,
    )
    const letter = join(folder, 'letter.db')
    writeFileSync(letter, 'a letter to a friend'.repeat(20))
    const failed = async (file: string) => {
      const { code, stdout } = await database('check', file, '--json')
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

describe('database migrate and vacuum', () => {
  test('migrate brings a file to the newest version, once', async () => {
    const file = join(emptyFolder(), 'old.db')
    await alter(file, `PRAGMA application_id = ${applicationId}`)
    const first = await database('migrate', file, '--json')
    expect([first.code, JSON.parse(first.stdout)]).toEqual([0, { database: file, from: 0, to: knownVersion }])
    const second = await database('migrate', file, '--json')
    expect(JSON.parse(second.stdout)).toMatchObject({ from: knownVersion, to: knownVersion })
    expect(await addressesIn(file)).toEqual([])
  })

  test('migrate makes no database where there is none', async () => {
    const folder = emptyFolder()
    const { code, stderr } = await database('migrate', join(folder, 'missing.db'))
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no database')])
    expect(readdirSync(folder)).toEqual([])
  })

  test('vacuum gives room back and keeps what is there, also while the database is in use', async () => {
    const file = await databaseOf(join(emptyFolder(), 'live.db'), ['kept'])
    await alter(
      file,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO waitlist (email, created_at) SELECT i || '@example.org', '' FROM n;
       DELETE FROM waitlist WHERE email LIKE '%@example.org'`,
    )
    const running = await openSqliteStore(file)
    const { code, stdout } = await database('vacuum', file, '--json')
    const { before, after } = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(after).toBeLessThan(before / 2)
    expect(await names(running)).toEqual(['kept'])
    await running.close()
  })
})
