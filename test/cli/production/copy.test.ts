import { linkSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDatabase, execSql } from '../../store/sqlite/database-files.js'
import { emptyFolder, run, start } from '../cli-process.js'

const copy = (from: string, to: string, ...more: string[]) =>
  run(['database', 'copy', '--from', from, '--to', to, ...more])

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('database copy', () => {
  test('prints the number of records and a digest of each kind', async () => {
    const folder = emptyFolder()
    const from = await createDatabase(join(folder, 'from.db'), ['ada', 'grace'])
    const to = join(folder, 'to.db')
    const { code, stdout, stderr } = await copy(from, to)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^Copied .* every record is the same\.\n$/),
    })
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(rows[0]).toEqual(['Kind', 'Records', 'Digest'])
    expect(rows.at(-1)).toEqual(['waitlist', '2', expect.stringMatching(/^[\da-f]{64}$/)])

    const events = linesOf((await copy(from, join(folder, 'json.db'), '--json')).stdout)
    const done = events.at(-1)
    expect(done).toMatchObject({ event: 'done', from, sourceChanged: false })
    expect(done.kinds).toHaveLength(5)
    expect(done.kinds[4]).toEqual({ kind: 'waitlist', records: 2, digest: rows.at(-1)?.[2] })
    expect(events[0]).toMatchObject({ event: 'progress', step: 'copy', total: 2 })
  })

  test('refuses databases that cannot be copied, with a hint', async () => {
    const folder = emptyFolder()
    const from = await createDatabase(join(folder, 'from.db'), ['ada'])
    const other = await createDatabase(join(folder, 'other.db'), ['grace'])
    symlinkSync(from, join(folder, 'link.db'))
    linkSync(from, join(folder, 'hard.db'))
    mkdirSync(join(folder, 'a-folder'))
    await execSql(join(folder, 'songs.db'), 'CREATE TABLE songs (title TEXT)')
    const newer = await createDatabase(join(folder, 'newer.db'), [])
    await execSql(newer, 'UPDATE dashboard_schema SET version = 1000')
    const to = join(folder, 'to.db')
    const refusals: [string, string, RegExp][] = [
      [
        join(folder, 'missing.db'),
        to,
        /There is no database at .*missing\.db\.\nhint: Choose another --from/,
      ],
      [from, other, /other\.db: it has records already: 1 waitlist\. Copy to a new file/],
      [from, from, /from\.db is .*from\.db itself/],
      [from, join(folder, 'link.db'), /link\.db is .*from\.db itself/],
      [from, join(folder, 'hard.db'), /hard\.db is .*from\.db itself/],
      [from, join(folder, 'a-folder'), /it is not a file/],
      [join(folder, 'a-folder'), to, /it is not a file/],
      [from, join(folder, 'songs.db'), /another program/],
      [join(folder, 'songs.db'), to, /another program/],
      [newer, to, /has version 1000, and this program needs version \d+\. Use the program that made it/],
      [from, newer, /has version 1000/],
      [from, 'mysql://ada:canary@db/x', /--to: expected the path of a SQLite file, or a PostgreSQL address/],
      ['postgress://ada:canary@db/x', to, /--from: expected/],
      ['postgres://ada:canary@db/x', to, /--from: .*A flag takes no password: set PGPASSWORD/],
    ]
    for (const [source, target, message] of refusals) {
      const { code, stdout, stderr } = await copy(source, target)
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(message),
      })
      expect(stderr).not.toContain('canary')
    }
    expect(await run(['database', 'copy', '--from', from])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("required option '--to <file>'"),
    })
  })

  test('stops at a signal with nothing copied, and the next run copies all', async () => {
    const folder = emptyFolder()
    const from = join(folder, 'from.db')
    await run(['seed', '--database', from, '--teams', '30', '--projects', '1000', '--users', '1'])
    const to = join(folder, 'to.db')
    const running = start(['database', 'copy', '--from', from, '--to', to, '--json'])
    await running.until('stdout', /"event":"progress"/)
    running.child.kill('SIGTERM')
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(143)
    expect(stderr).toMatch(/^error: Interrupted: nothing was copied\.\nhint: Run/)
    const { event, step, total } = linesOf(stdout).at(-1)
    expect({ event, step, total }).toEqual({ event: 'interrupted', step: 'copy', total: 30_060 })

    expect(await run(['team', 'list', '--database', to, '--json'])).toMatchObject({
      code: 0,
      stdout: '{"teams":[]}\n',
    })

    const { kinds } = linesOf((await copy(from, to, '--json')).stdout).at(-1)
    const copied = kinds.reduce((sum: number, { records }: { records: number }) => sum + records, 0)
    expect(copied).toBe(30_060)
  })
})
