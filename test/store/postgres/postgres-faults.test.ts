import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { DatabaseRefusedError } from '../../../src/store/database-refused.js'
import { databaseError, openingError } from '../../../src/store/postgres/database-errors.js'
import { withConnection } from '../../../src/store/postgres/open-postgres.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { openPostgresStore } from '../open-stores.js'
import { acmeProject } from '../sqlite/sqlite-folder.js'
import { addTeams, fullState } from '../store-suite/records.js'
import {
  addressOf,
  createDatabase,
  databaseForEachTest,
  noPostgres,
  openClient,
} from './postgres-database.js'
import { startProxy } from './start-proxy.js'

const fault = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error,
  )

test.each(['25P03', '25P04', '57P01', '08006'])(
  'a connection that the server ends with %s is lost',
  (code) => {
    const ended = Object.assign(new Error('terminating connection'), { code, severity: 'FATAL' })
    expect(databaseError('db', ended)).toMatchObject({ name: 'StoreUnavailableError', cause: ended })
  },
)

test('a refused role is told to be created or allowed', () => {
  const refused = Object.assign(new Error('role "ada" does not exist'), { code: '28000', severity: 'FATAL' })
  const { message } = openingError('db', refused)
  expect(message).toMatch(/role "ada" does not exist\. .*CREATE ROLE USER LOGIN.*pg_hba\.conf/)
})

describe.skipIf(noPostgres)('faults of PostgreSQL', () => {
  /** Long enough for a new connection and a statement on a busy machine. */
  const timeoutMs = 3_000
  const database = databaseForEachTest()
  const endAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`

  test('the store continues after all connections were ended', async () => {
    const store = await database.openStore()
    await addTeams(store)
    for (let i = 0; i < 5; i += 1) {
      const pending = Array.from({ length: 20 }, (_, n) =>
        fault(store.addProject({ ...acmeProject(`p${i}-${n}`) })),
      )
      await database.run(endAll)
      const acknowledged = (await Promise.all(pending)).map((error, n) => {
        if (error !== undefined) expect(error).toBeInstanceOf(StoreUnavailableError)
        return error === undefined ? `p${i}-${n}` : undefined
      })
      const ids = (await store.listProjects('acme')).projects.map(({ id }) => id)
      expect(ids).toEqual(expect.arrayContaining(acknowledged.filter((id) => id !== undefined)))
    }
  })

  test('a call on a stalled connection fails in time, and the next one succeeds on another', async () => {
    const proxy = await startProxy(database.url())
    await database.openStore()
    const store = await openPostgresStore(addressOf(proxy.url), { timeoutMs })
    await addTeams(store)
    // The next read uses the connection of this one.
    await store.listProjects('acme')
    proxy.stall()
    expect(await fault(store.listProjects('acme'))).toBeInstanceOf(StoreUnavailableError)
    expect(await store.addProject(acmeProject('p'))).toBeUndefined()
    expect((await store.listProjects('acme')).projects).toHaveLength(1)
    await store.close()
  })

  test('a write that waits for a lock fails in time, and reads continue meanwhile', async () => {
    const store = await database.openStore({ timeoutMs })
    await addTeams(store)
    const commit = await database.begin("SELECT FROM changes WHERE scope = 'acme' FOR UPDATE")
    const write = fault(store.addProject(acmeProject('p')))
    expect((await store.listProjects('acme')).projects).toEqual([])
    expect(await write).toMatchObject({
      name: 'StoreUnavailableError',
      message: expect.stringContaining('timeout'),
    })
    await commit()
    expect(await store.addProject(acmeProject('p'))).toBeUndefined()
  })

  /** Errors that are called temporary, as statements of one team may cause them. */
  const ofOneTeam = {
    'a statement that takes too long': 'PERFORM pg_sleep(60)',
    'a canceled statement': "RAISE EXCEPTION 'x' USING ERRCODE = '57014'",
    'a missing right': "RAISE EXCEPTION 'x' USING ERRCODE = '42501'",
    'no memory': "RAISE EXCEPTION 'x' USING ERRCODE = '53200'",
    'a full disk': "RAISE EXCEPTION 'x' USING ERRCODE = '53100'",
    'a block that cannot be read': "RAISE EXCEPTION 'x' USING ERRCODE = '58030'",
    'a damaged index': "RAISE EXCEPTION 'x' USING ERRCODE = 'XX002'",
    'a deadlock': "RAISE EXCEPTION 'x' USING ERRCODE = '40P01'",
    'a lock': "RAISE EXCEPTION 'x' USING ERRCODE = '55P03'",
    'a missing identity': "RAISE EXCEPTION 'x' USING ERRCODE = '55000'",
    'a removed reference': "RAISE EXCEPTION 'x' USING ERRCODE = '23503'",
    'a trigger': "RAISE EXCEPTION 'x'",
  }
  test.each(Object.entries(ofOneTeam))(
    '%s in a batch fails only the writes of its team',
    async (_, fails) => {
      const store = await database.openStore({ timeoutMs: 2_000 })
      await addTeams(store)
      await database.run(
        `CREATE OR REPLACE FUNCTION fail_acme() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF new.team_id = 'acme' THEN ${fails}; END IF; RETURN new; END $$`,
      )
      await database.run(
        'CREATE TRIGGER fails BEFORE INSERT ON projects FOR EACH ROW EXECUTE FUNCTION fail_acme()',
      )
      const others = Array.from({ length: 20 }, (_, i) => ({ ...acmeProject(`g${i}`), teamId: 'globex' }))
      const writes = [acmeProject('p'), ...others].map((project) => outcome(store.addProject(project)))
      const outcomes = await Promise.all(writes)
      await database.run('DROP TRIGGER fails ON projects')
      expect(outcomes).toEqual(['failed', ...others.map(() => 'written')])
    },
  )
  const outcome = (write: Promise<unknown>) =>
    write.then(
      (refusal) => refusal ?? 'written',
      () => 'failed',
    )

  test('a call that finds all connections in use fails in time', async () => {
    const store = await database.openStore({ timeoutMs, poolSize: 2 })
    await addTeams(store)
    const commit = await database.begin('LOCK TABLE teams IN ACCESS EXCLUSIVE MODE')
    const calls = Array.from({ length: 6 }, () => fault(store.listTeams()))
    for (const error of await Promise.all(calls)) expect(error).toBeInstanceOf(StoreUnavailableError)
    await commit()
    expect(await store.listTeams()).toHaveLength(2)
  })

  test('calls that wait for a connection continue immediately after another connection was ended', async () => {
    // Longer than the time limit of this test, so that a call must not wait for it.
    const store = await database.openStore({ timeoutMs: 600_000, poolSize: 2 })
    await addTeams(store)
    const commit = await database.begin('LOCK TABLE teams IN ACCESS EXCLUSIVE MODE')
    const calls = Array.from({ length: 6 }, () => fault(store.listTeams()))
    const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(() => database.run(`SELECT pid ${waiting}`)).toHaveLength(2)
    await database.run(`SELECT pg_terminate_backend(min(pid)) ${waiting}`)
    await expect.poll(() => database.run(`SELECT pid ${waiting}`)).not.toHaveLength(1)
    await commit()
    expect(await Promise.all(calls)).toEqual(calls.map(() => undefined))
  })

  test('a server that is down is named, without the password', async () => {
    const url = new URL(database.url())
    url.port = String(await freePort())
    const refused = await fault(openPostgresStore(addressOf(url.href)))
    expect(refused).toBeInstanceOf(StoreUnavailableError)
    expect((refused as Error).message).toMatch(/ECONNREFUSED/)
    expect((refused as Error).message).not.toContain(url.password)
  })

  test('a frozen server leads to errors within the time limits, and is used again once it continues', async () => {
    const proxy = await startProxy(database.url())
    await database.openStore()
    const store = await openPostgresStore(addressOf(proxy.url), { timeoutMs: 1_000, poolSize: 2 })
    onTestFinished(store.close)
    await addTeams(store)
    proxy.freeze()
    const calls = Array.from({ length: 6 }, (_, i) =>
      i % 2 ? store.team(`t${i}`) : store.addProject(acmeProject(`p${i}`)),
    )
    // A call without a limit would hang here.
    for (const error of await Promise.all(calls.map(fault)))
      expect(error).toBeInstanceOf(StoreUnavailableError)
    proxy.goOn()
    await expect.poll(() => fault(store.listTeams())).toBeUndefined()
  })

  test('a write to a standby is refused as unavailable, and reads continue', async () => {
    const store = await database.openStore()
    await addTeams(store)
    await database.run(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    )
    await database.run(endAll)
    expect(await fault(store.addProject(acmeProject('p')))).toBeInstanceOf(StoreUnavailableError)
    expect(await fault(store.probe())).toBeInstanceOf(StoreUnavailableError)
    expect((await store.listProjects('acme')).projects).toEqual([])
    await database.run(
      `SET default_transaction_read_only = off;
       DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$`,
    )
    await database.run(endAll)
    expect(await fault(store.probe())).toBeUndefined()
  })

  test('a prepared statement that a migration made invalid is prepared again', async () => {
    const { url, run, drop } = await createDatabase()
    onTestFinished(drop)
    const store = await openPostgresStore(addressOf(url))
    onTestFinished(store.close)
    await store.addToWaitlist({ email: 'a@example.com', createdAt: '2026-03-01T12:00:00.000Z' })
    expect(await store.waitlistAfter(undefined, 10_000)).toHaveLength(1)
    await run('ALTER TABLE waitlist ALTER COLUMN created_at TYPE varchar(30) COLLATE "C"')
    expect(await store.waitlistAfter(undefined, 10_000)).toHaveLength(1)
  })

  test('a database that temporarily takes no connections is unavailable, whatever its error', async () => {
    const store = await database.openStore()
    const name = new URL(database.url()).pathname.slice(1)
    const server = await openClient()
    const allow = (isAllowed: boolean) =>
      server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`)
    onTestFinished(async () => {
      await allow(true)
      await server.end()
    })
    await allow(false)
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'
      AND application_name = 'dashboard-api'`)
    expect(await fault(store.listTeams())).toMatchObject({
      name: 'StoreUnavailableError',
      message: expect.stringContaining('not currently accepting connections'),
    })
    await allow(true)
    await expect.poll(() => fault(store.listTeams())).toBeUndefined()
  })

  test('a database without its tables is unavailable, until a dump is restored', async () => {
    const store = await database.openStore()
    await store.load(fullState)
    await database.run('ALTER SCHEMA public RENAME TO away; CREATE SCHEMA public')
    const calls = [() => store.listProjects('acme'), () => store.addProject(acmeProject('new')), store.probe]
    for (const call of calls) expect(await fault(call())).toMatchObject({ name: 'StoreUnavailableError' })
    await database.run('DROP SCHEMA public; ALTER SCHEMA away RENAME TO public')
    for (const call of calls) expect(await fault(call())).toBeUndefined()
  })
})

describe.skipIf(noPostgres)('a database is refused and not changed', () => {
  const refusal = async (sql: string, options = '', url = (given: string) => given) => {
    const { run, drop, url: given } = await createDatabase(options)
    onTestFinished(drop)
    if (sql) await run(sql)
    const error = await fault(openPostgresStore(addressOf(url(given))))
    expect(error).toBeInstanceOf(DatabaseRefusedError)
    const tables = await run<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    )
    return { message: (error as Error).message, tables: tables.map(({ name }) => name) }
  }

  test.each([
    [
      'it has the tables of another program',
      'CREATE TABLE projects (id int)',
      '',
      'a table "projects" of another',
    ],
    [
      'it is newer than this program works with',
      'CREATE TABLE dashboard_schema (version int, oldest int); INSERT INTO dashboard_schema VALUES (9, 8)',
      '',
      'it needs a program that knows version 8',
    ],
    [
      'its encoding is not UTF8',
      '',
      "TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'",
      'SQL_ASCII',
    ],
    [
      'the search path names no schema',
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = nowhere', current_database()); END $$",
      '',
      'RESET search_path',
    ],
  ])('where %s', async (_, sql, options, expected) => {
    const { message, tables } = await refusal(sql, options)
    expect(message).toContain(expected)
    expect(tables).toEqual([...(/CREATE TABLE (\w+)/.exec(sql) ?? [])].slice(1))
  })

  test('where it does not exist, or the role may not create tables', async () => {
    const missing = await refusal('', '', (url) => url.replace(/test_\w+$/, 'test_none'))
    expect(missing.message).toContain('createdb')
    const role = `reader_${process.pid}`
    const password = 'canary'
    const { url, run, drop } = await createDatabase()
    await run(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`)
    onTestFinished(async () => {
      await run(`DROP ROLE ${role}`)
      await drop()
    })
    const login = new URL(url)
    Object.assign(login, { username: role, password })
    const error = await fault(openPostgresStore(addressOf(login.href)))
    expect(error).toBeInstanceOf(DatabaseRefusedError)
    expect((error as Error).message).toContain('GRANT')
    expect((error as Error).message).not.toContain(password)
  })

  test('where the role may not call a function', async () => {
    const { url, run, drop } = await createDatabase()
    const role = `caller_${process.pid}`
    await run(`CREATE ROLE ${role} LOGIN PASSWORD 'canary'`)
    await run('REVOKE EXECUTE ON FUNCTION pg_is_in_recovery() FROM PUBLIC')
    onTestFinished(async () => {
      await run('GRANT EXECUTE ON FUNCTION pg_is_in_recovery() TO PUBLIC')
      await run(`DROP ROLE ${role}`)
      await drop()
    })
    const login = new URL(url)
    Object.assign(login, { username: role, password: 'canary' })
    const error = await fault(openPostgresStore(addressOf(login.href)))
    expect(error).toBeInstanceOf(DatabaseRefusedError)
    expect((error as Error).message).toContain('GRANT EXECUTE ON FUNCTION pg_is_in_recovery() TO USER')
  })

  test.each(['@', ':@'])('where the server asks for a password, and none is set: %s', async (end) => {
    const { message } = await refusal('', '', (url) => url.replace(/:[^:@]+@/, end))
    expect(message).toContain(
      'the server asks for a password, and none is set. Check the password: PGPASSWORD',
    )
    expect(message).not.toContain('SCRAM')
  })
})

test.skipIf(noPostgres).each([
  // Statements would fail because of concurrent transactions.
  ['transaction_isolation', 'serializable', 'read committed'],
  // A crash would lose acknowledged writes.
  ['synchronous_commit', 'off', 'on'],
  ['synchronous_commit', 'remote_apply', 'remote_apply'],
])('where the database sets %s to %s, it is %s', async (setting, ofDatabase, ofSession) => {
  const { url, run, drop } = await createDatabase()
  onTestFinished(drop)
  const name = setting.replace('transaction', 'default_transaction')
  await run(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${name} = ${ofDatabase}', current_database()); END $$`,
  )
  const level = `SELECT current_setting('${setting}') AS level`
  const found = await withConnection(addressOf(url), {}, (connection) => connection.all(level))
  expect(found).toEqual([{ level: ofSession }])
})
