import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openReader } from '../../../src/store/open/open-store.js'
import { checkDatabase, migrateDatabase } from '../../../src/store/postgres/maintain.js'
import { knownVersion } from '../../../src/store/postgres/schema-version.js'
import { readMigrations } from '../../../src/store/read-migrations.js'
import { testMigrations } from '../migrations-suite.js'
import { addressOf, createDatabase, noPostgres, openClient } from './postgres-database.js'

vi.mock('../../../src/store/migrations-folder.js', async () =>
  (await import('../second-version.js')).secondVersion(),
)

/** Creates the tables of the first version in an empty database. */
async function createFirst(client: pg.Client): Promise<void> {
  const [first = ''] = await readMigrations('postgres')
  await client.query(`BEGIN; ${first} CREATE TABLE dashboard_schema (version integer PRIMARY KEY, oldest integer NOT NULL);
    INSERT INTO dashboard_schema VALUES (1, 1); COMMIT`)
}

async function temporaryDatabase() {
  const database = await createDatabase()
  onTestFinished(database.drop)
  const client = await openClient(database.url)
  onTestFinished(() => client.end())
  return { ...database, client, address: addressOf(database.url) }
}

type Run = Awaited<ReturnType<typeof createDatabase>>['run']

/** The columns of a schema, and every statement of the rest. */
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

describe.skipIf(noPostgres)('over PostgreSQL', () => {
  testMigrations('PostgreSQL', [0, 1], async () => {
    const { address, client, run } = await temporaryDatabase()
    return {
      address,
      run,
      createFirst: () => createFirst(client),
      migrate: () => migrateDatabase(address, {}),
      check: () => checkDatabase(address, {}),
      schema: () => schemaOf(run),
      closeTo: (version) => `UPDATE dashboard_schema SET oldest = ${version}`,
    }
  })

  test('a reader needs only the SELECT privilege', async () => {
    const { url, address, run } = await temporaryDatabase()
    await migrateDatabase(address, {})
    const role = `selecting_${randomUUID().replaceAll('-', '')}`
    await run(
      `CREATE ROLE ${role} LOGIN PASSWORD 'p'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
    )
    onTestFinished(async () => {
      await run(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    })
    const login = Object.assign(new URL(url), { username: role, password: 'p' })
    const open = async () => {
      const reader = await openReader(addressOf(login.href))
      onTestFinished(reader.close)
      return reader
    }
    const reader = await open()
    expect([await reader.listTeams(), await reader.countWaitlist()]).toEqual([[], 0])
    await expect(run(`SET ROLE ${role}; DELETE FROM teams`)).rejects.toThrow('permission denied')
    await run('DROP TABLE dashboard_schema')
    await expect(open()).rejects.toThrow('it has no tables of this program')
  })

  test('migrations do not block requests while they wait for a long transaction', async () => {
    const { url, address, client } = await temporaryDatabase()
    await createFirst(client)
    const other = await openClient(url)
    await other.query('BEGIN; SELECT count(*) FROM projects')
    const migrating = migrateDatabase(address, {})
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'projects'::regclass"
    await expect.poll(async () => (await client.query(waiting)).rows).toHaveLength(1)
    // Answered while the transaction is open and the migration waits for it.
    await client.query('SELECT count(*) FROM projects')
    await other.end()
    expect(await migrating).toEqual({ from: 1, to: knownVersion })
  })
})
