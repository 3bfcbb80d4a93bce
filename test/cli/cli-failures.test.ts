import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../src/store/sqlite/connection.js'
import { emptyState } from '../../src/store/state-file.js'
import { openSqliteStore } from '../store/open-stores.js'
import { bin, emptyFolder, run, start, startProcess } from './cli-process.js'

/** Creates a database with a long waitlist. */
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

/** Mounts a small file system on a folder until the test ends; false if this user may not mount. */
function mountSmall(folder: string): boolean {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status !== 0) return false
  onTestFinished(() => void spawnSync('umount', [folder]))
  return true
}

describe('failures of the command line', () => {
  test('a full disk during an export leaves the old file unchanged, and no temporary file', async ({
    skip,
  }) => {
    const { database, out, old } = await longWaitlist(5000)
    if (!mountSmall(out)) skip('needs the permission to mount a file system')
    writeFileSync(`${out}/list.csv`, old)
    const { code, stdout, stderr } = await run([
      ...['waitlist', 'export', '--database', database, '--output', `${out}/list.csv`],
    ])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^error: .*list\.csv could not be written and is unchanged: ENOSPC/)
    expect(readFileSync(`${out}/list.csv`, 'utf8')).toBe(old)
    expect(readdirSync(out)).toEqual(['list.csv'])
  })

  test('a signal during an export leaves the old file unchanged, and no temporary file', async () => {
    const { database, out, old } = await longWaitlist(400_000)
    writeFileSync(`${out}/list.csv`, old)
    const running = start(['waitlist', 'export', '--database', database, '--output', `${out}/list.csv`])
    await expect.poll(() => readdirSync(out).length, { interval: 5 }).toBe(2)
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: `error: Nothing was written: ${out}/list.csv is unchanged.\n`,
    })
    expect(readFileSync(`${out}/list.csv`, 'utf8')).toBe(old)
    expect(readdirSync(out)).toEqual(['list.csv'])
  })

  test('a closed pipe ends an export without an error', async () => {
    const { database } = await longWaitlist(100_000)
    const { child, ended, until } = start(['waitlist', 'export', '--database', database])
    await until('stdout', /email,createdAt/)
    child.stdout?.destroy()
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('a closed pipe does not end a change', async () => {
    const database = `${emptyFolder()}/seeded.db`
    const amounts = ['--teams', '400', '--users', '0', '--projects', '50', '--json']
    const { child, ended, until } = start(['seed', ...amounts, '--database', database])
    await until('stdout', /progress/)
    child.stdout?.destroy()
    child.stderr?.destroy()
    expect(await ended).toMatchObject({ code: 0 })
    const { teams } = JSON.parse((await run(['team', 'list', '--json', '--database', database])).stdout)
    expect(teams).toHaveLength(400)
  })

  test('a folder in place of a file is a mistake of the user, whatever the command', async () => {
    const { folder, database } = await longWaitlist(1)
    const commands = [
      ...['team list', 'database check', 'database migrate', 'database vacuum', 'seed'].map(
        (command) => `${command} --database ${folder}`,
      ),
      `database backup ${folder}/x.db --database ${folder}`,
      `database copy --from ${folder} --to ${folder}/x.db`,
      `database copy --from ${database} --to ${folder}`,
      `database restore ${database} --yes --database ${folder}`,
      `database restore ${folder} --yes --database ${database}`,
    ]
    for (const command of commands) {
      const { code, stdout, stderr } = await run(command.split(' '))
      expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: '' })
      expect(stderr).toMatch(/^error: .*\nhint: Choose another|^error: There is no backup at/)
    }
  })

  test.skipIf(!existsSync('/dev/full'))(
    'a full disk behind the output is an error without a stack trace, whatever is printed',
    async () => {
      const { database } = await longWaitlist(5000)
      const commands = [
        'openapi',
        '--help',
        'help serve',
        'completion bash',
        'config',
        `config --json`,
        `team list --database ${database}`,
        `session list --database ${database}`,
        `waitlist list --json --database ${database}`,
        `waitlist export --database ${database}`,
        `database check --json --database ${database}`,
      ]
      const results = await Promise.all(
        commands.map(
          (args) =>
            startProcess('/bin/sh', ['-c', `"$0" "$1" ${args} > /dev/full`, process.execPath, bin]).ended,
        ),
      )
      expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
        commands.map(() => ({
          code: 1,
          stderr: 'error: Standard output cannot be written: ENOSPC: no space left on device, write.\n',
        })),
      )
    },
  )

  test('a locked database is a failure with a hint', async () => {
    const { database } = await longWaitlist(1)
    const other = await openConnection(database, 'write', 1000)
    await other.exec('BEGIN IMMEDIATE')
    try {
      const write = await run(['waitlist', 'add', 'ada@example.com', '--database', database])
      expect(write).toMatchObject({ code: 1, stdout: '' })
      expect(write.stderr).toMatch(
        /^error: .*cannot be used for now.*\nhint: Another connection has locked it/,
      )
      expect(write.stderr).not.toMatch(/^ +at /m)
      // Readers do not wait for writers.
      const read = await run(['waitlist', 'list', '--database', database])
      expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('somebody-0@example.com') })
    } finally {
      await other.exec('ROLLBACK')
      await other.close()
    }
  })
})
