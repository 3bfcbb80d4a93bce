import { describe, expect, test } from 'vitest'
import { generateBatches } from '../../../src/cli/generate/records.js'
import { nameKey } from '../../../src/contract/project-name.js'
import { parseState, type State } from '../../../src/store/state-file.js'
import { openSqliteStore } from '../../store/open-stores.js'
import { emptyFolder, run, start } from '../cli-process.js'

const amounts = ['--teams', '3', '--projects', '40', '--users', '2']
const none = { teams: 0, users: 0, projects: 0 }

/** All data of a database. */
async function contentOf(database: string): Promise<State> {
  const store = await openSqliteStore(database)
  const state = await store.export()
  await store.close()
  return state
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const seed = (database: string, ...args: string[]) => run(['seed', '--database', database, ...args])

describe('dashboard-api seed with generated data', () => {
  test('generates the same data for the same seed, other data for another seed, and adds nothing the second time', async () => {
    const folder = emptyFolder()
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${folder}/${name}.db`) as [string, string, string]
    const { stdout } = await seed(a, ...amounts, '--seed', '42', '--json')
    const created = { teams: 3, users: 6, projects: 120 }
    const any = expect.any(Number)
    expect(linesOf(stdout)).toEqual([
      { event: 'progress', done: 129, total: 129, perSecond: any, secondsLeft: 0 },
      { event: 'done', database: a, seed: 42, created, existing: none, seconds: any },
    ])
    await seed(b, ...amounts, '--seed', '42')
    await seed(c, ...amounts, '--seed', '43')
    const first = await contentOf(a)
    expect(await contentOf(b)).toEqual(first)
    expect((await contentOf(c)).projects[0]?.id).not.toBe(first.projects[0]?.id)

    const again = await seed(a, ...amounts, '--seed', '42')
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toMatch(
      /^Seeded .*a\.db with seed 42 in .* s: created 0 teams, 0 users, 0 projects; 129 records existed already\.\n$/,
    )
    expect(await contentOf(a)).toEqual(first)
  })

  test('generates a valid state with unique names in each team, ids of version 7 and times of one year', () => {
    const batches = [...generateBatches({ teams: 3, users: 4, projects: 6000, seed: 7 })]
    const state = parseState({
      version: 1,
      teams: batches.flatMap(({ teams }) => teams),
      users: batches.flatMap(({ users }) => users),
      projects: batches.flatMap(({ projects }) => projects),
    })
    expect(batches.length).toBeGreaterThan(3)
    for (const { teams, users, projects } of batches) {
      expect(teams.length + users.length + projects.length).toBeLessThanOrEqual(5010)
    }
    const keys = new Set(state.projects.map(({ teamId, name }) => `${teamId} ${nameKey(name)}`))
    expect(keys.size).toBe(18_000)
    for (const { id, createdAt } of state.projects) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(createdAt.slice(0, 4)).toBe('2025')
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.parse(createdAt))
    }
  })

  test('larger amounts of a seed extend smaller ones', () => {
    const [few] = generateBatches({ teams: 2, users: 1, projects: 2, seed: 5 })
    const [many] = generateBatches({ teams: 3, users: 2, projects: 4, seed: 5 })
    for (const kind of ['teams', 'users', 'projects'] as const) {
      for (const record of few?.[kind] ?? ['none']) expect(many?.[kind] as unknown[]).toContainEqual(record)
    }
  })

  test('reports its progress when interrupted, and the next run completes it', async () => {
    const database = `${emptyFolder()}/large.db`
    const large = ['--teams', '40', '--projects', '1000', '--users', '1', '--seed', '3', '--json']
    const running = start(['seed', '--database', database, ...large])
    await running.until('stdout', /"event":"progress"/)
    running.child.kill('SIGINT')
    const ended = await running.ended
    expect(ended.code).toBe(130)
    expect(ended.stderr).toMatch(
      /^error: Interrupted after [\d,]+ of 40,080 records, which are saved\.\nhint: Run the same/,
    )
    const { event, done, total } = linesOf(ended.stdout).at(-1)
    expect({ event, total }).toEqual({ event: 'interrupted', total: 40_080 })
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(total)

    const { created, existing } = linesOf((await seed(database, ...large)).stdout).at(-1)
    expect(existing.teams + existing.users + existing.projects).toBe(done)
    expect(created.projects + existing.projects).toBe(40_000)
    const { projects } = await contentOf(database)
    const whole = [...generateBatches({ teams: 40, projects: 1000, users: 1, seed: 3 })]
    expect(new Set(projects.map(({ id }) => id))).toEqual(
      new Set(whole.flatMap((batch) => batch.projects.map(({ id }) => id))),
    )
  })

  test('asks before it adds to data that it did not generate, but not before it adds to generated data', async () => {
    const database = `${emptyFolder()}/mixed.db`
    await seed(database, '--teams', '1', '--seed', '1')
    expect((await seed(database, '--teams', '1', '--seed', '2')).code).toBe(0)
    await seed(database, '--demo')
    const before = await contentOf(database)
    const { code, stdout, stderr } = await seed(database, ...amounts)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /has 2 teams, 6 users not generated by a seed\. This adds 129 records\.\nhint: .*--yes/,
    )
    expect(await contentOf(database)).toEqual(before)
    expect((await seed(database, ...amounts, '--yes')).code).toBe(0)
  })

  test.each([
    [['--teams', '-1'], /whole number from 0/],
    [['--teams', '2', '--from', 'x.json'], /cannot be used with/],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await seed(`${emptyFolder()}/never.db`, ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})
