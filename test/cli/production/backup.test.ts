import {
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openConnection } from '../../../src/store/sqlite/connection.js'
import { noMounts, smallDisk } from '../../store/small-disk.js'
import { addressesIn, createDatabase, damage, execSql } from '../../store/sqlite/database-files.js'
import { asOtherUser, noOtherUser, otherUser } from '../../store/sqlite/other-user.js'
import { bin, emptyFolder, run, startProcess } from '../cli-process.js'
import { runDatabase, startWriter } from './run-database.js'

describe('database backup', () => {
  test('copies every write committed before, while another process writes, to a single file', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'live.db')
    const backup = join(folder, 'backup.db')
    const writer = startWriter(file)
    const acknowledged: string[] = []
    writer.lines.on('line', (line) => acknowledged.push(line.replace('@example.com', '')))
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
    const before = [...acknowledged]
    const { code, stdout } = await runDatabase('backup', file, backup, '--json')
    expect(code).toBe(0)
    expect(acknowledged.length).toBeGreaterThan(before.length)
    const { records } = JSON.parse(stdout)
    expect(readdirSync(folder).filter((name) => !name.startsWith('live.db'))).toEqual(['backup.db'])
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const copied = await addressesIn(backup)
    expect(copied).toEqual(expect.arrayContaining(before))
    expect(copied.length).toBe(records.waitlist)
  })

  test('replaces no file, and leaves no file after a failure', async () => {
    const folder = emptyFolder()
    const file = await createDatabase(join(folder, 'live.db'), ['ada'])
    const taken = await createDatabase(join(folder, 'taken.db'), ['grace'])
    const refused = await runDatabase('backup', file, taken)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('exists already')])
    expect(await addressesIn(taken)).toEqual(['grace'])

    const missing = await runDatabase('backup', file, join(folder, 'no-such-folder', 'backup.db'))
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no such folder')])
    // SQLite would remove the file as a log of the database.
    const log = await runDatabase('backup', file, `${file}-wal`)
    expect([log.code, log.stderr]).toEqual([2, expect.stringContaining('belongs to a SQLite')])

    damage(file)
    const damaged = await runDatabase('backup', file, join(folder, 'backup.db'))
    expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining('damaged')])
    expect(readdirSync(folder).sort()).toEqual(['live.db', 'taken.db'])
  })

  test('does not change a file that it refuses: a damaged one, or one of another program with a log', async () => {
    const folder = emptyFolder()
    const damaged = await createDatabase(join(folder, 'damaged.db'), ['ada'])
    const bytes = readFileSync(damaged)
    // Damages a page of the waitlist: the audit log can still be written.
    bytes.fill(0x5a, bytes.indexOf('ada') - 64, bytes.indexOf('ada') + 3)
    writeFileSync(damaged, bytes)
    const other = join(folder, 'other.db')
    const holder = await openConnection(other, 'create', 1000)
    await holder.all('PRAGMA journal_mode = WAL')
    await holder.exec('CREATE TABLE audit_log (id)')
    for (const suffix of ['', '-wal']) copyFileSync(`${other}${suffix}`, join(folder, `foreign.db${suffix}`))
    await holder.close()
    const contents = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'hex')])
    const before = contents()
    const foreign = join(folder, 'foreign.db')
    const backup = await createDatabase(join(emptyFolder(), 'backup.db'), ['ada'])
    const restored = await runDatabase('restore', foreign, backup, '--yes')
    expect([restored.code, restored.stderr]).toEqual([2, expect.stringContaining('this one was not changed')])
    // A reader creates the index of a log.
    rmSync(`${foreign}-shm`, { force: true })
    for (const file of [damaged, foreign]) {
      const refused = [
        await runDatabase('backup', file, join(folder, 'backup.db')),
        await runDatabase('vacuum', file),
      ]
      for (const { code, stderr } of refused) {
        expect([code, stderr]).toEqual([2, expect.stringContaining('this one was not changed')])
        expect(stderr).not.toContain('audit log')
      }
    }
    expect(contents()).toEqual(before)
  })

  test.skipIf(noMounts)('names the disk of the backup if that is full', async () => {
    const folder = emptyFolder()
    const file = await createDatabase(join(folder, 'live.db'), ['ada'])
    await execSql(file, 'CREATE TABLE filler AS SELECT zeroblob(2000000)')
    const { path } = smallDisk('1m')
    const backup = join(path, 'backup.db')
    const { code, stderr } = await runDatabase('backup', file, backup)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`error: ${backup} could not be written`)])
    expect(stderr).toMatch(/ENOSPC: .*\nhint: Free space on its disk\. Choose another file\./)
    expect(stderr).not.toContain('live.db')
    expect(readdirSync(path)).toEqual([])
  })
})

describe('database backup --to', () => {
  const namePattern = /^live-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db$/

  async function createFolders() {
    const folder = emptyFolder()
    const to = join(folder, 'backups')
    mkdirSync(to)
    return { to, file: await createDatabase(join(folder, 'live.db'), ['ada']) }
  }

  test('creates a file named after the time in UTC, which can be restored', async () => {
    const { to, file } = await createFolders()
    await execSql(
      file,
      `INSERT INTO teams (id, name, org_code) VALUES ('acme', 'Acme', 'org_acme');
       INSERT INTO projects (id, name, name_key, status, team_id, created_at) VALUES ('p', 'P', 'p', 'active', 'acme', '')`,
    )
    const before = new Date().toISOString().replaceAll(':', '-')
    const { code, stdout, stderr } = await runDatabase('backup', file, '--to', to)
    expect([code, stderr]).toEqual([0, `Backed up ${file} with 1 project.\n`])
    const [name = '', ...others] = readdirSync(to)
    expect([stdout, others]).toEqual([`${join(to, name)}\n`, []])
    expect(name).toMatch(namePattern)
    expect(name.slice('live-'.length) >= before).toBe(true)
    await execSql(file, 'DELETE FROM waitlist')
    expect((await runDatabase('restore', file, join(to, name), '--yes')).code).toBe(0)
    expect(await addressesIn(file)).toEqual(['ada'])
  })

  test('with --keep removes older backups of this database, and no other file', async () => {
    const { to, file } = await createFolders()
    const old = ['2026-01-01T00-00-00.000Z', '2026-01-01T00-00-00.001Z', '2026-01-02T00-00-00.000Z']
    const backups = old.map((time) => `live-${time}.db`)
    const others = [
      'other-2026-01-01T00-00-00.000Z.db',
      'live-2-2026-01-01T00-00-00.000Z.db',
      'live-2026-02-30T00-00-00.000Z.db',
      'live-2026-01-01T00-00-00.000Z.db-wal',
      'live-2026-01-01T00-00-00Z.db',
      'live-2026-01-01.db',
      'live-.db',
      'live.db',
      'LIVE-2026-01-01T00-00-00.000Z.db',
    ]
    const later = 'live-9998-01-01T00-00-00.000Z.db'
    for (const name of [...backups, ...others, later]) writeFileSync(join(to, name), name)
    mkdirSync(join(to, 'live-2025-01-01T00-00-00.000Z.db'))
    symlinkSync(file, join(to, 'live-2025-01-02T00-00-00.000Z.db'))
    const { code, stdout, stderr } = await runDatabase('backup', file, '--to', to, '--keep', '2d', '--json')
    expect(code).toBe(0)
    const { backup, ...report } = JSON.parse(stdout)
    const name = basename(backup)
    expect(name).toMatch(namePattern)
    expect(report).toEqual({
      database: file,
      records: expect.objectContaining({ waitlist: 1 }),
      kept: [later, name, backups[2]],
      removed: [backups[1], backups[0]],
      failed: [],
      later: [later],
    })
    expect(stderr).toContain('1 backup of a later time than now')
    expect(stderr).toContain(`Kept 3 backups, removed 2.\nRemoved ${backups[1]}\nRemoved ${backups[0]}\n`)
    expect(readdirSync(to).sort()).toEqual(
      [
        name,
        ...backups.slice(2),
        ...others,
        later,
        'live-2025-01-01T00-00-00.000Z.db',
        'live-2025-01-02T00-00-00.000Z.db',
      ].sort(),
    )
  })

  test('removes nothing if the new backup fails', async () => {
    const { to, file } = await createFolders()
    const old = ['live-2026-01-01T00-00-00.000Z.db', 'live-2026-01-02T00-00-00.000Z.db']
    for (const name of old) writeFileSync(join(to, name), '')
    damage(file)
    const { code, stderr } = await runDatabase('backup', file, '--to', to, '--keep', '1w')
    expect([code, stderr]).toEqual([2, expect.stringContaining('damaged')])
    expect(readdirSync(to).sort()).toEqual(old)
  })

  test('refuses a database whose index lacks a row, which a quick check does not find', async () => {
    const { to, file } = await createFolders()
    await execSql(
      file,
      `PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = sql || ' WHERE false' WHERE name = 'waitlist_in_order'`,
    )
    await execSql(file, 'REINDEX waitlist_in_order')
    await execSql(
      file,
      `PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = replace(sql, ' WHERE false', '') WHERE name = 'waitlist_in_order'`,
    )
    const { code, stderr } = await runDatabase('backup', file, '--to', to)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`Cannot use the database ${file}: it is damaged (wrong # of entries in index`),
    ])
    expect(readdirSync(to)).toEqual([])
  })

  test('completes each of several concurrent runs, even in one millisecond', async () => {
    const { to, file } = await createFolders()
    const clock = `--import=data:text/javascript,Date.now=()=>${Date.UTC(2026, 2, 1)}`
    const backUp = (args: string[], env: Record<string, string> = {}) =>
      Promise.all(
        [1, 2, 3].map(() => run(['database', 'backup', '--database', file, '--to', to, ...args], { env })),
      )
    const sameTime = await backUp([], { NODE_OPTIONS: clock })
    expect(sameTime.map(({ code }) => code)).toEqual([0, 0, 0])
    const names = [0, 1, 2].map((ms) => `live-2026-03-01T00-00-00.00${ms}Z.db`)
    expect(sameTime.map(({ stdout }) => basename(stdout.trim())).sort()).toEqual(names)
    expect(readdirSync(to)).toEqual(names)

    const thinning = await backUp(['--keep', '24h,7d'])
    expect(thinning.map(({ code, stderr }) => [code, stderr.includes('error')])).toEqual(
      thinning.map(() => [0, false]),
    )
    const newest = readdirSync(to).sort().at(-1) as string
    expect(thinning.map(({ stdout }) => basename(stdout.trim()))).toContain(newest)
    expect(await addressesIn(join(to, newest))).toEqual(['ada'])
    expect(readdirSync(to).filter((name) => names.includes(name))).toEqual(names.slice(2))
  })

  test.skipIf(noOtherUser)(asOtherUser('works with any umask'), async () => {
    const folder = emptyFolder()
    const file = await createDatabase(join(folder, 'live.db'), ['ada'])
    for (const path of [folder, file]) if (otherUser) chownSync(path, otherUser, otherUser)
    const script = 'umask 0377; exec "$0" "$@"'
    const args = [process.execPath, bin, 'database', 'backup', '--database', file, join(folder, 'backup.db')]
    const { code } = await startProcess('/bin/sh', ['-c', script, ...args], { user: otherUser }).ended
    expect([code, statSync(join(folder, 'backup.db')).mode & 0o777]).toEqual([0, 0o600])
  })

  test.each([
    [[], /Expected either a file or --to/],
    [['a.db', '--to', '.'], /Expected either a file or --to/],
    [['a.db', '--keep', '1d'], /--keep needs --to/],
    [['--to', '.', '--keep', 'all'], /Expected counts of hours, days and weeks such as 24h,7d,4w/],
    [['--to', 'missing'], /There is no folder missing\./],
    [['--to', 'live.db'], /The folder live\.db cannot be read \(ENOTDIR\)/],
  ])('refuses %j', async (args, message) => {
    const folder = emptyFolder()
    await createDatabase(join(folder, 'live.db'), [])
    const { code, stderr } = await run(['database', 'backup', ...args, '--database', 'live.db'], {
      cwd: folder,
    })
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    expect(readdirSync(folder)).toEqual(['live.db'])
  })
})

test.each([
  [
    ['backup', '--to', '/backups', '--keep', '1d'],
    "pg_dump --format=custom --file='/backups/dashboard.dump' '",
  ],
  [['restore', 'a.dump'], "--dbname='"],
  [['vacuum'], 'vacuumdb --full'],
])(
  'database %j names the tool of PostgreSQL for a PostgreSQL database',
  async ([command = '', ...args], tool) => {
    const postgres = 'postgres://dashboard@127.0.0.1:1/dashboard'
    const { code, stderr } = await runDatabase(command, postgres, ...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(tool)])
    expect(stderr).toContain(postgres)
  },
)
