import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { explainError } from '../../src/cli/explain-error.js'
import { DatabaseRefusedError } from '../../src/store/database-refused.js'
import { emptyState } from '../../src/store/state-file.js'
import { StoreUnavailableError } from '../../src/store/store.js'
import { openPostgresStore } from '../store/open-stores.js'
import {
  addressOf,
  createDatabase,
  databaseForEachTest,
  noPostgres,
  openClient,
} from '../store/postgres/postgres-database.js'
import { noPgbouncer, startPgbouncer } from '../store/postgres/start-pgbouncer.js'
import { acmeProject } from '../store/sqlite/sqlite-folder.js'
import { addTeams } from '../store/store-suite/records.js'
import { testStore } from '../store/store-suite.js'

describe.skipIf(noPostgres || noPgbouncer).each([
  // Two nodes share three connections.
  { mode: 'transaction', poolSize: 3 },
  { mode: 'session', poolSize: 30 },
] as const)('behind PgBouncer in $mode mode', ({ mode, poolSize }) => {
  let pgbouncer: Awaited<ReturnType<typeof startPgbouncer>>
  beforeAll(async () => {
    pgbouncer = await startPgbouncer(mode, poolSize)
  })
  afterAll(() => pgbouncer.stop())
  const database = databaseForEachTest((url) => pgbouncer.behind(url))

  if (mode === 'transaction') testStore('postgres', () => database.openStore())

  test('nodes share connections, and see the writes of the others', async () => {
    const nodes = await Promise.all([database.openStore(), database.openStore()])
    if (nodes[0]) await addTeams(nodes[0])
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const [writer, reader] = i % 2 === 0 ? nodes : nodes.toReversed()
        await writer?.addProject(acmeProject(`p${i}`), { projects: 1000, bytes: 1_000_000 })
        expect(await reader?.project('acme', `p${i}`)).toMatchObject({ id: `p${i}` })
        await reader?.load(emptyState())
      }),
    )
    expect(await nodes[0]?.teamSize('acme')).toMatchObject({ projects: 200 })
    const versions = await Promise.all(nodes.map(async (node) => (await node.listProjects('acme')).version))
    expect(new Set(versions).size).toBe(1)
  })

  test('sessions of the server are left unchanged', async () => {
    const store = await database.openStore()
    await addTeams(store)
    await Promise.all(Array.from({ length: 20 }, (_, i) => store.team(`t${i}`)))
    await store.close()
    const client = await openClient(pgbouncer.behind(database.url()))
    const sessions = `SELECT current_setting('enable_hashjoin') AS hashjoin, current_setting('statement_timeout') AS timeout,
      (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`
    expect((await client.query(sessions)).rows).toEqual([{ hashjoin: 'on', timeout: '0', prepared: 0 }])
    await client.end()
  })

  test('the time limit of the role ends a statement at the server, but no migration', async () => {
    const { url, run, drop } = await createDatabase()
    onTestFinished(drop)
    await run(
      `ALTER ROLE CURRENT_USER IN DATABASE ${new URL(url).pathname.slice(1)} SET statement_timeout = '100ms'`,
    )
    const client = await openClient(url)
    await client.query(`SET statement_timeout = 0; BEGIN; SELECT pg_advisory_xact_lock(${0x44415049})`)
    const opening = openPostgresStore(addressOf(pgbouncer.behind(url)))
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND now() - query_start > '0.3 s'"
    await expect.poll(() => run(waiting)).toHaveLength(1)
    await client.query('COMMIT')
    const store = await opening
    onTestFinished(store.close)
    await addTeams(store)
    await client.query("BEGIN; SELECT FROM changes WHERE scope = 'acme' FOR UPDATE")
    await expect(store.addProject(acmeProject('p'))).rejects.toThrow(
      /canceling statement due to statement timeout/,
    )
    await client.end()
  })

  test('a statement beyond the time limit fails, and the next ones succeed', async () => {
    const store = await database.openStore({ timeoutMs: 3_000 })
    await addTeams(store)
    const commit = await database.begin("SELECT FROM changes WHERE scope = 'acme' FOR UPDATE")
    await expect(store.addProject(acmeProject('p'))).rejects.toThrow(StoreUnavailableError)
    expect(await store.team('acme')).toMatchObject({ id: 'acme' })
    await commit()
    await store.addProject(acmeProject('q'))
    expect(await store.project('acme', 'q')).toMatchObject({ id: 'q' })
  })
})

describe.skipIf(noPostgres || noPgbouncer).each(['md5', 'scram-sha-256'] as const)(
  'behind PgBouncer that asks for a password, by %s',
  (authType) => {
    const refusal = async (change: (login: URL) => void) => {
      const pgbouncer = await startPgbouncer('transaction', 3, authType)
      onTestFinished(pgbouncer.stop)
      const { url, drop } = await createDatabase()
      onTestFinished(drop)
      const login = new URL(pgbouncer.behind(url))
      const store = await openPostgresStore(addressOf(login.href))
      await store.probe()
      await store.close()
      change(login)
      const error = await openPostgresStore(addressOf(login.href)).catch((error) => error)
      return { error, explained: explainError(error) }
    }

    test('a wrong password fails with the message of PgBouncer and a hint', async () => {
      const { error, explained } = await refusal((login) => {
        login.password = 'wrong'
      })
      expect(error).toBeInstanceOf(StoreUnavailableError)
      expect(error.message).toMatch(/authentication failed/)
      expect(explained?.hint).toMatch(/Of PgBouncer, check pool_mode.*user and password/)
    })

    test('a missing password is refused', async () => {
      const { error } = await refusal((login) => {
        login.password = ''
      })
      expect(error).toBeInstanceOf(DatabaseRefusedError)
      expect(error.message).toContain('the server asks for a password, and none is set. Check the password')
    })

    test('an unknown database fails with the message of PgBouncer', async () => {
      const { error, explained } = await refusal((login) => {
        login.pathname = '/none'
      })
      expect(error.message).toMatch(/none/)
      expect(explained?.hint).toMatch(/knows this database/)
    })
  },
)

describe.skipIf(noPostgres || noPgbouncer)('behind PgBouncer in statement mode', () => {
  test('a database cannot be used, because there are no transactions', async () => {
    const pgbouncer = await startPgbouncer('statement', 3)
    onTestFinished(pgbouncer.stop)
    const { url, drop } = await createDatabase()
    onTestFinished(drop)
    const opening = openPostgresStore(addressOf(pgbouncer.behind(url)))
    const error = await opening.catch((error) => error)
    expect(error).toBeInstanceOf(StoreUnavailableError)
    expect(error.message).toMatch(/statement pooling mode/)
    expect(explainError(error)?.hint).toMatch(/pool_mode \(transaction or session\)/)
  })
})
