import type pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkPostgres, migratePostgresDatabase } from '../../../src/store/postgres/pg-maintain.js'
import { knownPostgresVersion } from '../../../src/store/postgres/pg-migrations.js'
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.js'
import { emptyState } from '../../../src/store/state-file.js'
import { addressOf, createDatabase, noPostgres, openClient } from './postgres-database.js'
import {
  callEveryMethod,
  readRecording,
  recordStatements,
  type Statement,
  writeRecording,
} from './recorded-statements.js'

const earlierVersions = Array.from({ length: knownPostgresVersion - 1 }, (_, i) => i + 1)

/** The statements of a program of a version: those that migrate an empty database, and the others. */
function readProgram(version: number): { migrating: Statement[]; serving: Statement[] } {
  const statements = readRecording(version)
  const end = 1 + statements.findIndex(({ text }) => text === 'COMMIT')
  return { migrating: statements.slice(0, end), serving: statements.slice(end) }
}

/** Sends recorded statements again. Each must have the recorded result. */
async function replay(client: pg.Client, statements: Statement[]): Promise<void> {
  for (const { rows, rowCount, ...statement } of statements) {
    const result = await client.query(statement as pg.QueryConfig)
    if (rows)
      expect({ rowCount: result.rowCount, rows: result.rows }, statement.text).toEqual({ rowCount, rows })
  }
}

async function temporaryDatabase() {
  const database = await createDatabase()
  onTestFinished(database.drop)
  const client = await openClient(database.url)
  onTestFinished(() => client.end())
  const openStore = async () => {
    const store = await openPostgresStore(addressOf(database.url), { migrate: true })
    onTestFinished(store.close)
    return store
  }
  return { ...database, client, openStore }
}

describe.skipIf(noPostgres)('migrations of PostgreSQL', () => {
  test.runIf(process.env.RECORD)('record what a program of this version sends', async () => {
    const { openStore } = await temporaryDatabase()
    writeRecording(
      knownPostgresVersion,
      await recordStatements(async () => callEveryMethod(await openStore())),
    )
  })

  test.each(earlierVersions)('leave a running program of version %i its work', async (version) => {
    const { migrating, serving } = readProgram(version)
    const { url, client, empty, openStore } = await temporaryDatabase()
    await replay(client, [...migrating, ...serving])
    await empty()

    // The connection, and what is prepared on it, are of the time before the migration.
    const store = await openStore()
    await replay(client, serving)
    const { ok, checks } = await checkPostgres(addressOf(url), {})
    expect({ ok, checks }).toMatchObject({ ok: true })
    const { projects, waitlist } = await store.export()
    const exported = serving.slice(-6).map(({ rows }) => rows)
    expect([projects, waitlist]).toEqual(exported.slice(3, 5))

    // What the new program writes is what the old one reads.
    await empty()
    await callEveryMethod(store)
    const reads = serving.filter(({ text }) => /^SELECT \(position[\s\S]*FROM projects/.test(text))
    expect(reads).toHaveLength(4)
    await replay(client, [...reads, ...serving.slice(-7)])
  })

  test.each([0, ...earlierVersions])(
    'are run by one of ten nodes that start at once at version %i',
    async (version) => {
      const { url, client, run } = await temporaryDatabase()
      if (version > 0) await replay(client, readProgram(version).migrating)
      const runs = await Promise.all(
        Array.from({ length: 10 }, () => migratePostgresDatabase(addressOf(url), {})),
      )
      const others = Array.from({ length: 9 }, () => knownPostgresVersion)
      expect(runs.map(({ from }) => from).sort()).toEqual([version, ...others])
      expect(await run('SELECT version, oldest FROM dashboard_schema')).toEqual([
        { version: knownPostgresVersion, oldest: 1 },
      ])
    },
  )

  test('let requests go on while they wait for a long transaction', async () => {
    const { url, client } = await temporaryDatabase()
    await replay(client, readProgram(1).migrating)
    const other = await openClient(url)
    await other.query('BEGIN; SELECT count(*) FROM projects')
    const migrating = migratePostgresDatabase(addressOf(url), {})
    await vi.waitFor(async () => {
      const { rows } = await client.query(
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'projects'::regclass",
      )
      expect(rows).toHaveLength(1)
    })
    const started = performance.now()
    await client.query('SELECT count(*) FROM projects')
    expect(performance.now() - started).toBeLessThan(2_000)
    await other.end()
    expect(await migrating).toEqual({ from: 1, to: knownPostgresVersion })
  })

  test('lead to the same schema from each version', async () => {
    const schemas = []
    for (const version of [0, ...earlierVersions]) {
      const { client, run, openStore } = await temporaryDatabase()
      if (version > 0) await replay(client, readProgram(version).migrating)
      const store = await openStore()
      expect(await store.export()).toEqual(emptyState())
      schemas.push(
        await run(
          `SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default
           FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
        ),
        await run(`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`),
      )
    }
    for (const [i, schema] of schemas.entries()) expect(schema).toEqual(schemas[i % 2])
  })
})
