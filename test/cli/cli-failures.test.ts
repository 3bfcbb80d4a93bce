import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../src/store/sqlite/connection.js'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.js'
import { emptyState } from '../../src/store/state-file.js'
import { emptyFolder, run, start } from './cli-process.js'

/** A database with a long waitlist. */
async function longWaitlist(length: number) {
  const folder = emptyFolder()
  const database = `${folder}/waitlist.db`
  const store = await openSqliteStore(database)
  const waitlist = Array.from({ length }, (_, i) => ({
    email: `somebody-${i}@example.com`,
    createdAt: new Date(Date.UTC(2026, 0, 1) + (i % 7)).toISOString(),
  }))
  await store.load({ ...emptyState(), waitlist })
  await store.close()
  mkdirSync(`${folder}/out`)
  return { folder, database, out: `${folder}/out`, old: 'the old list' }
}

/** A small file system over a folder, gone after the test; false where this user may not make one. */
function mountSmall(folder: string): boolean {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status !== 0) return false
  onTestFinished(() => void spawnSync('umount', [folder]))
  return true
}

describe('the command line, in hardship', () => {
  test('a full disk while exporting leaves the old file whole, and nothing beside it', async ({ skip }) => {
    const { database, out, old } = await longWaitlist(5000)
    if (!mountSmall(out)) skip('making a small disk needs mount, and the right to it')
    writeFileSync(`${out}/list.csv`, old)
    const { code, stdout, stderr } = await run([
      ...['waitlist', 'export', '--database', database, '--output', `${out}/list.csv`],
    ])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^error: .*list\.csv could not be written and is as it was: ENOSPC/)
    expect(readFileSync(`${out}/list.csv`, 'utf8')).toBe(old)
    expect(readdirSync(out)).toEqual(['list.csv'])
  })

  test('a signal while exporting leaves the old file whole, and nothing beside it', async () => {
    const { database, out, old } = await longWaitlist(400_000)
    writeFileSync(`${out}/list.csv`, old)
    const running = start(['waitlist', 'export', '--database', database, '--output', `${out}/list.csv`])
    await expect.poll(() => readdirSync(out).length, { timeout: 20_000, interval: 5 }).toBe(2)
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: `error: Nothing was written: ${out}/list.csv is as it was.\n`,
    })
    expect(readFileSync(`${out}/list.csv`, 'utf8')).toBe(old)
    expect(readdirSync(out)).toEqual(['list.csv'])
  })

  test('a reader that goes away early ends an export quietly', async () => {
    const { database } = await longWaitlist(100_000)
    const { child, ended, until } = start(['waitlist', 'export', '--database', database])
    await until('stdout', /email,createdAt/)
    child.stdout?.destroy()
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('a database that another process has locked is a failure, said with what to do', async () => {
    const { database } = await longWaitlist(1)
    const other = await openConnection(database, 'write', 1000)
    await other.exec('BEGIN IMMEDIATE')
    try {
      const write = await run(['waitlist', 'add', 'ada@example.com', '--database', database])
      expect(write).toMatchObject({ code: 1, stdout: '' })
      expect(write.stderr).toMatch(/^error: .*cannot be used for now.*\nhint: Another process may be at work/)
      expect(write.stderr).not.toMatch(/^ +at /m)
      // Who only reads need not wait.
      const read = await run(['waitlist', 'list', '--database', database])
      expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('somebody-0@example.com') })
    } finally {
      await other.exec('ROLLBACK')
      await other.close()
    }
  })
})
