import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseRefusedError } from '../../../src/store/database-refused.js'
import { openReader } from '../../../src/store/open/databases.js'
import { checkDatabase, migrateDatabase } from '../../../src/store/postgres/maintain.js'
import { knownVersion } from '../../../src/store/postgres/schema-version.js'
import { readMigrations } from '../../../src/store/read-migrations.js'
import { emptyState } from '../../../src/store/state-file.js'
import { openPostgresStore } from '../open-stores.js'
import { fullState } from '../store-suite/records.js'
import { addressOf, createDatabase, noPostgres, openClient } from './postgres-database.js'

vi.mock('../../../src/store/migrations-folder.js', async () =>
  (await import('../second-version.js')).secondVersion(),
)

/** Gives an empty database the tables of the first version. */
async function createFirst(client: pg.Client): Promise<void> {
  const [first = ''] = await readMigrations('postgres')
  await client.query(`BEGIN; ${first} CREATE TABLE dashboard_schema (version integer NOT NULL, oldest integer NOT NULL);
    INSERT INTO dashboard_schema VALUES (1, 1); COMMIT`)
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
  test.each([0, 1])('are run by one of ten nodes that start at once at version %i', async (version) => {
    const { url, client, run } = await temporaryDatabase()
    if (version > 0) await createFirst(client)
    const runs = await Promise.all(Array.from({ length: 10 }, () => migrateDatabase(addressOf(url), {})))
    const others = Array.from({ length: 9 }, () => knownVersion)
    expect(runs.map(({ from }) => from).sort()).toEqual([version, ...others])
    expect(await run('SELECT version, oldest FROM dashboard_schema')).toEqual([
      { version: knownVersion, oldest: 1 },
    ])
  })

  test('are run only where that is asked for', async () => {
    const { url, client, run } = await temporaryDatabase()
    await createFirst(client)
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
    await createFirst(client)
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

  test('let requests go on while they wait for a long transaction', async () => {
    const { url, client } = await temporaryDatabase()
    await createFirst(client)
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
    for (const version of [0, 1]) {
      const { client, run, openStore } = await temporaryDatabase()
      if (version > 0) await createFirst(client)
      const store = await openStore()
      expect(await store.export()).toEqual(emptyState())
      schemas.push(await schemaOf(run))
    }
    expect(schemas[0]?.functions).not.toEqual([])
    for (const schema of schemas) expect(schema).toEqual(schemas[0])
  })

  test('leave the records as they are', async () => {
    const { client, openStore, url, run } = await temporaryDatabase()
    await createFirst(client)
    // By a program of the first version: the second one would refuse it.
    await run('UPDATE dashboard_schema SET version = 2')
    const first = await openStore()
    await first.load(fullState)
    const before = await first.export()
    await run('UPDATE dashboard_schema SET version = 1')
    await migrateDatabase(addressOf(url), {})
    expect(await checkDatabase(addressOf(url), {})).toMatchObject({ ok: true })
    expect(await (await openStore()).export()).toEqual(before)
  })
})
