import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkDatabase, inspectDatabase } from '../../../src/store/postgres/maintain.js'
import { knownVersion } from '../../../src/store/postgres/schema-version.js'
import { openPostgresStore } from '../open-stores.js'
import { acmeProject } from '../sqlite/sqlite-folder.js'
import { addTeams } from '../store-suite/records.js'
import { addressOf, createDatabase, noPostgres, openClient } from './postgres-database.js'

const noIdentity = `DO $$ DECLARE each regclass; BEGIN
  FOR each IN SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY NOTHING', each);
  END LOOP; END $$`
const onAllTables = (command: string) => `DO $$ DECLARE each regclass; BEGIN
  FOR each IN SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
    EXECUTE format('${command}', each);
  END LOOP; END $$`
const trigger = (
  body: string,
) => `CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
  ${onAllTables('CREATE TRIGGER watched BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION watch()')}`

/** Changes of a whole database, and the advice where requests fail afterwards. $USER and $NAME stand for the role and the database. */
const changes: [change: string, sql: string, advice?: RegExp][] = [
  ['a publication of all tables', 'CREATE PUBLICATION all_tables FOR ALL TABLES'],
  [
    'a publication of tables without replica identity',
    `CREATE PUBLICATION all_tables FOR ALL TABLES; ${noIdentity}`,
    /REPLICA IDENTITY DEFAULT/,
  ],
  [
    'a full replica identity',
    `CREATE PUBLICATION all_tables FOR ALL TABLES; ${onAllTables('ALTER TABLE %s REPLICA IDENTITY FULL')}`,
  ],
  [
    'a read-only default of the database',
    'ALTER DATABASE $NAME SET default_transaction_read_only = on',
    /RESET default_transaction_read_only/,
  ],
  [
    'a read-only default of the role',
    'ALTER ROLE $USER SET default_transaction_read_only = on',
    /RESET default_transaction_read_only/,
  ],
  ['row-level security for others than the owner', onAllTables('ALTER TABLE %s ENABLE ROW LEVEL SECURITY')],
  [
    'row-level security for the owner too',
    onAllTables('ALTER TABLE %s FORCE ROW LEVEL SECURITY; ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY'),
    /policies/,
  ],
  [
    'policies that allow everything',
    onAllTables(
      'ALTER TABLE %s FORCE ROW LEVEL SECURITY; ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY; CREATE POLICY every ON %1$s USING (true)',
    ),
  ],
  ['triggers that observe', trigger('RETURN new;')],
  ['triggers that fail', trigger('PERFORM missing();'), /function that is missing/],
  [
    'an event trigger',
    `CREATE FUNCTION seen() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$;
     CREATE EVENT TRIGGER seen_$NAME ON ddl_command_end EXECUTE FUNCTION seen()`,
  ],
  ['an extension', 'CREATE EXTENSION IF NOT EXISTS plpgsql; CREATE SCHEMA extensions'],
  ['VACUUM FULL', 'VACUUM FULL'],
  ['REINDEX', 'REINDEX DATABASE $NAME'],
  [
    'time limits of the role',
    `ALTER ROLE $USER SET statement_timeout = '1s'; ALTER ROLE $USER SET lock_timeout = '1s';
     ALTER ROLE $USER SET idle_in_transaction_session_timeout = '1s'; ALTER ROLE $USER SET idle_session_timeout = '1s'`,
  ],
  [
    'strict defaults of transactions',
    `ALTER DATABASE $NAME SET default_transaction_isolation = serializable;
     ALTER DATABASE $NAME SET default_transaction_deferrable = on; ALTER DATABASE $NAME SET synchronous_commit = off`,
  ],
  [
    'another owner, with rights for the role',
    `REASSIGN OWNED BY $USER TO CURRENT_USER;
     GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO $USER`,
  ],
  ['another owner', 'REASSIGN OWNED BY $USER TO CURRENT_USER', /GRANT SELECT, INSERT, UPDATE, DELETE/],
  ['a renamed schema', 'ALTER SCHEMA public RENAME TO dashboard; CREATE SCHEMA public', /no tables/],
  [
    'a renamed schema in the search path',
    `ALTER SCHEMA public RENAME TO dashboard; CREATE SCHEMA public;
     ALTER ROLE $USER SET search_path = dashboard`,
  ],
  [
    'a tablespace default and other statistics',
    `ALTER DATABASE $NAME SET default_statistics_target = 500; ANALYZE`,
  ],
]

/** A database whose owner is no superuser, in use. */
async function createUsed() {
  const { url, run, drop } = await createDatabase()
  const login = new URL(url)
  const name = login.pathname.slice(1)
  const role = `role_${name.slice(5, 20)}`
  await run(`CREATE ROLE ${role} LOGIN PASSWORD 'canary'; ALTER DATABASE ${name} OWNER TO ${role};
    ALTER SCHEMA public OWNER TO ${role}`)
  const address = addressOf(Object.assign(login, { username: role, password: 'canary' }).href)
  const store = await openPostgresStore(address, { poolSize: 2, timeoutMs: 5_000 })
  onTestFinished(async () => {
    await store.close()
    await drop()
    const server = await openClient()
    await server.query(`DROP ROLE ${role}`)
    await server.end()
  })
  await addTeams(store)
  return { address, store, role, name, run }
}

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'succeeds',
    () => 'fails',
  )

describe.skipIf(noPostgres)('a database that an administrator changes', () => {
  test.each(changes)(
    '%s: the probe fails only where requests do, and the checks advise',
    async (_, sql, advice) => {
      const { address, store, role, name, run } = await createUsed()
      await store.probe()
      for (const each of sql
        .replaceAll('$USER', role)

        .replaceAll('$NAME', name)
        .split(/;\n? *(?=VACUUM|ANALYZE)/))
        await run(each)
      // Settings apply to new connections.
      await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`)
      await outcome(store.listTeams())
      const expected = advice ? 'fails' : 'succeeds'
      const id = randomUUID()
      const create = await outcome(store.addProject(acmeProject(id)))
      const update = await outcome(store.updateProject('acme', id, { status: 'later' }))
      expect([create, update].includes('fails') ? 'fails' : 'succeeds').toBe(expected)
      expect(await outcome(store.probe())).toBe(expected)
      const inspected = await inspectDatabase(address, { mustExist: true }).catch((error) => error)
      const checked = await checkDatabase(address, {}).catch((error) => error)
      if (advice === undefined) {
        expect(inspected).toMatchObject({ version: knownVersion })
        expect(checked).toMatchObject({ ok: true })
      } else {
        expect(`${inspected.message} ${inspected.hint}`).toMatch(advice)
        const { hint } = checked.checks?.at(-1) ?? checked
        expect(`${checked.message} ${hint}`).toMatch(advice)
      }
    },
  )

  test('keeps a running service ready where only a start would fail', async () => {
    const { store, role, run } = await createUsed()
    await run(`REVOKE ALL ON dashboard_schema FROM ${role}`)
    await store.probe()
    await store.addProject(acmeProject('p1'))
  })
})
