import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseRefusedError } from '../../../src/store/database-refused.js'
import { openReader } from '../../../src/store/open/databases.js'
import { checkDatabase, migrateDatabase } from '../../../src/store/postgres/maintain.js'
import { knownVersion } from '../../../src/store/postgres/schema-version.js'
import { emptyState } from '../../../src/store/state-file.js'
import { openPostgresStore } from '../open-stores.js'
import { addressOf, createDatabase, noPostgres, openClient } from './postgres-database.js'
import {
  callEveryMethod,
  readRecording,
  recordStatements,
  type Statement,
  writeRecording,
} from './recorded-statements.js'

/** The version from which on migrations only add. */
const additiveSince = 2
const earlierVersions = Array.from({ length: knownVersion - 1 }, (_, i) => i + 1)

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

type Run = Awaited<ReturnType<typeof createDatabase>>['run']

/** The columns of a schema, and every statement that makes the rest. */
const schemaOf = async (run: Run) => ({
  columns: await run<{ column: string; table: string; isRequired: boolean }>(
    `SELECT table_name AS table, column_name AS column, data_type, collation_name, column_default,
       is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AS "isRequired"
     FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
  ),
  objects: await run<{ table: string; definition: string }>(
    `SELECT tablename AS table, indexdef AS definition FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid > 0
       AND connamespace = 'public'::regnamespace AND contype <> 'n'
     UNION ALL SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     ORDER BY 1, 2`,
  ),
  functions: await run(
    `SELECT proname, regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g') AS definition FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
  ),
  tables: await run(
    `SELECT relname, relpersistence, reloptions FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  ),
})

describe.skipIf(noPostgres)('migrations of PostgreSQL', () => {
  test.runIf(process.env.RECORD)('record what a program of this version sends', async () => {
    const { openStore } = await temporaryDatabase()
    writeRecording(knownVersion, await recordStatements(async () => callEveryMethod(await openStore())))
  })

  test.each(earlierVersions)('leave a running program of version %i its work', async (version) => {
    const { migrating, serving } = readProgram(version)
    const { url, client, run, empty, openStore } = await temporaryDatabase()
    await replay(client, [...migrating, ...serving])
    await empty()
    // What was recorded may have the positions.
    await run("SELECT setval(pg_get_serial_sequence('sessions', 'position'), 1, false)")

    // The connection, and what is prepared on it, are of the time before the migration.
    const store = await openStore()
    await replay(client, serving)
    const { ok, checks } = await checkDatabase(addressOf(url), {})
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
      const runs = await Promise.all(Array.from({ length: 10 }, () => migrateDatabase(addressOf(url), {})))
      const others = Array.from({ length: 9 }, () => knownVersion)
      expect(runs.map(({ from }) => from).sort()).toEqual([version, ...others])
      expect(await run('SELECT version, oldest FROM dashboard_schema')).toEqual([
        { version: knownVersion, oldest: 1 },
      ])
    },
  )

  test('are run only where that is asked for', async () => {
    const { url, client, run } = await temporaryDatabase()
    await replay(client, readProgram(1).migrating)
    const refused = openPostgresStore(addressOf(url))
    await expect(refused).rejects.toThrow(DatabaseRefusedError)
    await expect(refused).rejects.toThrow(
      `it has version 1, and this program needs version ${knownVersion}. Migrate it with "database migrate"`,
    )
    expect(await run('SELECT version FROM dashboard_schema')).toEqual([{ version: 1 }])
    const store = await openPostgresStore(addressOf(url), { migrate: true })
    onTestFinished(store.close)
    const migrated = { from: 1, to: knownVersion }
    expect(await store.describe()).toMatchObject({ created: false, migrated })
  })

  test('are needed to read, but no right but SELECT is', async () => {
    const { url, client, run } = await temporaryDatabase()
    await replay(client, readProgram(1).migrating)
    const role = `selecting_${randomUUID().replaceAll('-', '')}`
    await run(
      `CREATE ROLE ${role} LOGIN PASSWORD 'p'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
    )
    onTestFinished(async () => {
      await run(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    })
    const login = new URL(url)
    Object.assign(login, { username: role, password: 'p' })
    const open = async () => {
      const reader = await openReader(addressOf(login.href))
      onTestFinished(reader.close)
      return reader
    }
    await expect(open()).rejects.toThrow(`it has version 1, and this program needs version ${knownVersion}`)
    expect(await run('SELECT version FROM dashboard_schema')).toEqual([{ version: 1 }])
    await migrateDatabase(addressOf(url), {})
    await run(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`)
    const reader = await open()
    expect([await reader.listTeams(), await reader.countWaitlist()]).toEqual([[], 0])
    await expect(run(`SET ROLE ${role}; DELETE FROM teams`)).rejects.toThrow('permission denied')

    await run('UPDATE dashboard_schema SET version = 999')
    expect(await (await open()).listTeams()).toEqual([])
    await run('UPDATE dashboard_schema SET oldest = 999')
    await expect(open()).rejects.toThrow('it needs a program that knows version 999')
    await run('DROP TABLE dashboard_schema')
    await expect(open()).rejects.toThrow('it has no tables of this program')
  })

  test.each(earlierVersions.filter((version) => version >= additiveSince))(
    'from version %i on only add: a program of that version goes on working',
    async (version) => {
      const { client, run, url } = await temporaryDatabase()
      await replay(client, readProgram(version).migrating)
      const before = await schemaOf(run)
      await migrateDatabase(addressOf(url), {})
      const after = await schemaOf(run)
      // What there was is as it was.
      expect(after.columns).toEqual(expect.arrayContaining(before.columns))
      expect(after.objects).toEqual(expect.arrayContaining(before.objects))
      // What is new makes no write fail that does not know of it.
      const isOld = (table: string) => before.columns.some((column) => column.table === table)
      const required = after.columns.filter(
        (column) =>
          column.isRequired &&
          isOld(column.table) &&
          before.columns.every((each) => each.table !== column.table || each.column !== column.column),
      )
      expect(required).toEqual([])
      const strict = after.objects.filter(
        ({ table, definition }) =>
          isOld(table) &&
          !definition.startsWith('CREATE INDEX') &&
          before.objects.every((object) => object.table !== table || object.definition !== definition),
      )
      expect(strict).toEqual([])
    },
  )

  test('let requests go on while they wait for a long transaction', async () => {
    const { url, client } = await temporaryDatabase()
    await replay(client, readProgram(1).migrating)
    const other = await openClient(url)
    await other.query('BEGIN; SELECT count(*) FROM projects')
    const migrating = migrateDatabase(addressOf(url), {})
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'projects'::regclass"
    await expect.poll(async () => (await client.query(waiting)).rows).toHaveLength(1)
    // Answered although the transaction does not end, and the migration waits for it.
    await client.query('SELECT count(*) FROM projects')
    await other.end()
    expect(await migrating).toEqual({ from: 1, to: knownVersion })
  })

  test('lead to the same schema from each version', async () => {
    const schemas = []
    for (const version of [0, ...earlierVersions]) {
      const { client, run, openStore } = await temporaryDatabase()
      if (version > 0) await replay(client, readProgram(version).migrating)
      const store = await openStore()
      expect(await store.export()).toEqual(emptyState())
      schemas.push(await schemaOf(run))
    }
    expect(schemas[0]?.functions).not.toEqual([])
    for (const schema of schemas) expect(schema).toEqual(schemas[0])
  })

  test.each(earlierVersions)('leave the records of version %i as they are', async (version) => {
    const { client, run, openStore, url } = await temporaryDatabase()
    const { migrating, serving } = readProgram(version)
    await replay(client, [...migrating, ...serving])
    const names = await run<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND relname NOT IN ('dashboard_schema', 'request_counts')`,
    )
    const read = async () => {
      const tables = []
      for (const { name } of names) tables.push({ name, rows: await run(`SELECT * FROM ${name} ORDER BY 1`) })
      return tables
    }
    const before = await read()
    await migrateDatabase(addressOf(url), {})
    for (const [i, { name, rows }] of (await read()).entries()) {
      const earlier = before[i]?.rows ?? []
      // A table may have got columns, and the audit log has an entry about the migration.
      expect(rows.slice(0, earlier.length), name).toEqual(earlier.map((row) => expect.objectContaining(row)))
      expect(rows, name).toHaveLength(earlier.length + (name === 'audit_log' ? 1 : 0))
    }
    expect(before.filter(({ rows }) => rows.length > 0).length).toBeGreaterThan(5)
    expect(await checkDatabase(addressOf(url), {})).toMatchObject({ ok: true })
    const { projects, waitlist } = await (await openStore()).export()
    expect([projects, waitlist]).toEqual(
      serving
        .slice(-6)
        .map(({ rows }) => rows)
        .slice(3, 5),
    )
  })
})
