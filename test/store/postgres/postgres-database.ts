import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { type PostgresAddress, parseDatabaseAddress } from '../../../src/store/database-address.js'
import type { PostgresOptions } from '../../../src/store/postgres/connection-config.js'
import type { ProductionStore } from '../../../src/store/production-store.js'
import type { SqlStoreOptions } from '../../../src/store/sql/sql-store.js'
import type { PostgresOffer } from '../../postgres-on-demand.js'
import { openPostgresStore } from '../open-stores.js'

const offer = (await (await fetch(inject('postgresOnDemand'))).json()) as PostgresOffer

/** The reason why there is no PostgreSQL to test with; undefined if there is one. */
export const noPostgres = 'reason' in offer ? offer.reason : undefined
if (noPostgres) console.warn(`Skipped: ${noPostgres}`)

/** The address of the server of the test run. */
export const serverUrl = 'url' in offer ? offer.url : 'postgres://none'

/** Opens a connection, as another program would. */
export async function openClient(url = serverUrl): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // A test that ends all connections ends this one, too.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Creates an empty database. */
export async function createDatabase(options = '') {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const server = await openClient()
  await server.query(`CREATE DATABASE ${name} ${options}`)
  const url = new URL(serverUrl)
  url.pathname = name
  const client = await openClient(url.href)
  return {
    url: url.href,
    run: async <Row extends object>(sql: string): Promise<Row[]> => (await client.query<Row>(sql)).rows,
    /** Removes all records, and their counts. */
    empty: () =>
      client.query(
        `DELETE FROM projects; DELETE FROM sessions; DELETE FROM users; DELETE FROM teams; DELETE FROM waitlist;
         DELETE FROM changes WHERE scope <> ''; DO $$ BEGIN
           DELETE FROM request_counts;
           UPDATE audit_retention SET removed_before = '~';
           DELETE FROM audit_log;
           UPDATE audit_retention SET removed_before = '';
         EXCEPTION WHEN undefined_table THEN NULL; -- an earlier version of the database
         END $$; DO $$ BEGIN
           DELETE FROM provider_logouts;
         EXCEPTION WHEN undefined_table THEN NULL;
         END $$`,
      ),
    async drop() {
      await client.end()
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await server.end()
    },
  }
}

export const addressOf = (url: string): PostgresAddress => {
  const address = parseDatabaseAddress(url)
  if (address?.kind !== 'postgres') throw new Error(`${url} is no address`)
  return address
}

/**
 * One database for the tests of a file, empty for each test. Stores are closed at the end of the test that opened them.
 * @param through returns the address that stores use, such as that of a pooler
 */
export function databaseForEachTest(through = (url: string) => url) {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let closables: { close(): Promise<void> }[] = []
  let isUsed = false
  beforeAll(async () => {
    if (noPostgres === undefined) database = await createDatabase()
  })
  beforeEach(async () => {
    if (isUsed) await database.empty()
    isUsed = false
  })
  afterEach(async () => {
    for (const closable of closables.reverse()) await closable.close()
    closables = []
  })
  afterAll(async () => {
    await database?.drop()
  })
  return {
    url: () => database.url,
    run: <Row extends object>(sql: string) => database.run<Row>(sql),
    /** Begins a transaction of another program. @returns a function that commits it */
    async begin(sql: string): Promise<() => Promise<void>> {
      const client = await openClient(database.url)
      await client.query('BEGIN')
      await client.query(sql)
      return async () => {
        await client.query('COMMIT')
        await client.end()
      }
    },
    async openStore(options: PostgresOptions & SqlStoreOptions = {}): Promise<ProductionStore> {
      isUsed = true
      const store = await openPostgresStore(addressOf(through(database.url)), options)
      closables.push(store)
      return store
    },
  }
}
