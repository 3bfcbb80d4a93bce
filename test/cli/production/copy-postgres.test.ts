import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection } from '../../../src/store/sqlite/connection.js'
import type { State } from '../../../src/store/state-file.js'
import { openPostgresStore, openSqliteStore } from '../../store/open-stores.js'
import { addressOf, createDatabase, noPostgres } from '../../store/postgres/postgres-database.js'
import { fullState } from '../../store/store-suite/records.js'
import { emptyFolder, run, start } from '../cli-process.js'

type Database = Awaited<ReturnType<typeof createDatabase>>

/** The moments of a copy of 30,000 projects at which it is killed. */
const moments = [/"step":"copy"/, /"step":"compare"/]

describe.skipIf(noPostgres)('database copy with PostgreSQL', () => {
  const databases: Database[] = []
  let env: Record<string, string>
  const create = async () => {
    const database = await createDatabase()
    databases.push(database)
    const url = new URL(database.url)
    env = { PGPASSWORD: url.password }
    url.password = ''
    return { ...database, address: url.href }
  }
  let postgres: Awaited<ReturnType<typeof create>>
  beforeAll(async () => {
    if (noPostgres === undefined) postgres = await create()
  })
  afterAll(async () => {
    for (const database of databases) await database.drop()
  })

  const copy = (from: string, to: string, ...more: string[]) =>
    run(['database', 'copy', '--from', from, '--to', to, ...more], { env })
  const contentOfFile = async (file: string): Promise<State> => {
    const store = await openSqliteStore(file)
    return store.export().finally(store.close)
  }
  const contentOf = async ({ url }: Database): Promise<State> => {
    const store = await openPostgresStore(addressOf(url))
    return store.export().finally(store.close)
  }
  /** Copies and kills the process, once for each moment; then copies completely. */
  const copyWithKills = async (from: string, to: string, count: () => Promise<number>) => {
    for (const moment of moments) {
      const running = start(['database', 'copy', '--from', from, '--to', to, '--json'], { env })
      await running.until('stdout', moment)
      running.child.kill('SIGKILL')
      await running.ended
      expect(await count()).toBe(0)
    }
    return copy(from, to, '--json')
  }

  test('leaves nothing after kill -9, and begins again, to PostgreSQL and back', async () => {
    const folder = emptyFolder()
    const from = join(folder, 'from.db')
    const store = await openSqliteStore(from)
    await store.load({ ...fullState, projects: [] })
    await store.close()
    await run(['seed', '--database', from, '--teams', '30', '--projects', '1000', '--users', '2', '--yes'])
    const content = await contentOfFile(from)

    const there = await copyWithKills(from, postgres.address, () => projectsIn(postgres))
    expect(there).toMatchObject({ code: 0, stderr: expect.stringContaining('every record is the same') })
    expect(await contentOf(postgres)).toStrictEqual(content)
    expect(`${there.stdout}${there.stderr}`).not.toContain(env.PGPASSWORD)

    const to = join(folder, 'to.db')
    const back = await copyWithKills(postgres.address, to, () => projectsInFile(to))
    expect(back.code).toBe(0)
    expect(await contentOfFile(to)).toStrictEqual(content)
  })

  test('needs an empty target other than the source, and databases that answer', async () => {
    const folder = emptyFolder()
    const [a, b] = [await create(), await create()]
    await run(['seed', '--database', a.address], { env })
    await run(['seed', '--database', b.address, '--teams', '1'], { env })
    const aliased = `${a.address}?application_name=another`
    const same = await copy(a.address, aliased)
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('has records already')])
    const taken = await copy(a.address, b.address)
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringMatching(/has records already: 1 teams/)])
    const down = await copy(a.address, 'postgres://u@127.0.0.1:1/x')
    expect([down.code, down.stderr]).toEqual([
      1,
      expect.stringMatching(/ECONNREFUSED[\s\S]*hint: Check that the server runs/),
    ])
    const missing = await copy(a.address.replace(/test_\w+/, 'missing'), join(folder, 'to.db'))
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('createdb')])
  })
})

const projectsIn = async ({ run }: Database): Promise<number> => {
  const found = await run<{ found: boolean }>("SELECT to_regclass('projects') IS NOT NULL AS found")
  if (!found[0]?.found) return 0
  return (await run<{ count: number }>('SELECT count(*)::int AS count FROM projects'))[0]?.count ?? 0
}

async function projectsInFile(file: string): Promise<number> {
  try {
    const connection = await openConnection(file, 'read', 1000)
    try {
      return (
        (await connection.all<{ count: number }>('SELECT count(*) AS count FROM projects'))[0]?.count ?? 0
      )
    } finally {
      await connection.close()
    }
  } catch {
    // The database has no tables yet.
    return 0
  }
}
