import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noMounts, smallDisk } from '../../store/small-disk.js'
import { addressesIn, createDatabase, damage, execSql } from '../../store/sqlite/database-files.js'
import { emptyFolder } from '../cli-process.js'
import { runDatabase, startWriter } from './run-database.js'

describe('database backup', () => {
  test('copies every write committed before, while another process writes, to a single file', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'live.db')
    const backup = join(folder, 'backup.db')
    const writer = startWriter(file)
    const acknowledged: string[] = []
    writer.lines.on('line', (line) => acknowledged.push(line.replace('@example.com', '')))
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(20)
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

  test('replaces no file, and leaves none behind if it fails', async () => {
    const folder = emptyFolder()
    const file = await createDatabase(join(folder, 'live.db'), ['ada'])
    const taken = await createDatabase(join(folder, 'taken.db'), ['grace'])
    const refused = await runDatabase('backup', file, taken)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('exists already')])
    expect(await addressesIn(taken)).toEqual(['grace'])

    const missing = await runDatabase('backup', file, join(folder, 'no-such-folder', 'backup.db'))
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no such folder')])

    damage(file)
    const damaged = await runDatabase('backup', file, join(folder, 'backup.db'))
    expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining('damaged')])
    expect(readdirSync(folder).sort()).toEqual(['live.db', 'taken.db'])
  })

  test.skipIf(noMounts)('blames the disk of the backup where that is full', async () => {
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

  test('refuses a missing database and the database of another program', async () => {
    const folder = emptyFolder()
    const backup = join(folder, 'backup.db')
    const missing = await runDatabase('backup', join(folder, 'missing.db'), backup)
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('There is no database')])
    const foreign = join(folder, 'foreign.db')
    await execSql(foreign, 'CREATE TABLE songs (title TEXT)')
    const refused = await runDatabase('backup', foreign, backup)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('another program')])
    expect(readdirSync(folder)).toEqual(['foreign.db'])
  })
})
