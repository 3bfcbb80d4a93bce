import { describe, expect, onTestFinished, test } from 'vitest'
import { knownVersion } from '../../../src/store/postgres/schema-version.js'
import { openPostgresStore } from '../open-stores.js'
import { acmeProject } from '../sqlite/sqlite-folder.js'
import { fullState, isTaken } from '../store-suite/records.js'
import { addressOf, createDatabase, databaseForEachTest, noPostgres } from './postgres-database.js'
import { callProjectMethods, recordStatements } from './recorded-statements.js'

describe.skipIf(noPostgres)('the schema of PostgreSQL', () => {
  const database = databaseForEachTest()

  test('has the team first in each key of projects, and in each reference to a project', async () => {
    await database.openStore()
    const indexes = await database.run(
      `SELECT relname AS name, pg_get_indexdef(indexrelid, 1, true) AS first FROM pg_index
       JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'projects'::regclass ORDER BY relname`,
    )
    expect(indexes).toEqual([
      { name: 'projects_by_name', first: 'team_id' },
      { name: 'projects_in_order', first: 'team_id' },
      { name: 'projects_pkey', first: 'team_id' },
    ])
    const constraints = await database.run(
      `SELECT pg_get_constraintdef(oid) AS constraint FROM pg_constraint
       WHERE (conrelid = 'projects'::regclass OR confrelid = 'projects'::regclass) AND contype <> 'n' ORDER BY contype`,
    )
    expect(constraints).toEqual([
      { constraint: 'FOREIGN KEY (team_id) REFERENCES teams(id)' },
      { constraint: 'PRIMARY KEY (team_id, id)' },
    ])
  })

  test('is only queried with the team in the condition of each statement about projects', async () => {
    const store = await database.openStore()
    const statements = await recordStatements(() => callProjectMethods(store))
    const texts = statements.map(({ text }) => text)
    const aboutProjects = texts.filter((text) => /\b(FROM|JOIN|INTO|UPDATE) projects\b/.test(text))
    expect(aboutProjects.length).toBeGreaterThan(12)
    const withoutTeam = aboutProjects.filter(
      (text) =>
        !/\bWHERE (team_id = |\(id, team_id\) IN |\(team_id, id\) IN |team_id IN )/.test(text) &&
        !/\bINSERT INTO projects \([^)]*\bteam_id\b/.test(text),
    )
    // The export reads all teams. The description, with which a service starts, adds up the sizes of the teams.
    expect(withoutTeam).toEqual([expect.stringMatching(/^SELECT [^()]+ FROM projects ORDER BY position$/)])
  })

  test('is created at the first opening, unless it must exist', async () => {
    const empty = await createDatabase()
    onTestFinished(() => empty.drop())
    const open = async (mustExist: boolean) => {
      const store = await openPostgresStore(addressOf(empty.url), { mustExist })
      return store.describe().finally(store.close)
    }
    await expect(open(true)).rejects.toThrow('it has no tables of this program')
    expect(await empty.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([])
    const records = { teams: 0, users: 0, sessions: 0, projects: 0, waitlist: 0 }
    const version = knownVersion
    const description = { created: true, version, known: version, records, bytes: expect.any(Number) }
    expect(await open(false)).toEqual(description)
    expect(await open(true)).toMatchObject({ created: false, version })
  })

  test('describes its records', async () => {
    const store = await database.openStore()
    await store.load(fullState)
    const { records, bytes } = await store.describe()
    expect(records).toEqual({ teams: 2, users: 2, sessions: 2, projects: 3, waitlist: 2 })
    expect(bytes).toBeGreaterThan(8192)
  })

  test('compares all text by its bytes', async () => {
    await database.openStore()
    const others = await database.run(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`,
    )
    expect(others).toEqual([])
  })

  test('is read by indexes', async () => {
    await database.openStore()
    await database.run(
      `INSERT INTO teams (id, name, org_code) SELECT 't' || i, 'T', 'o' || i FROM generate_series(1, 3000) AS i;
       INSERT INTO users (id, email, email_key, given_name, family_name, picture)
         SELECT 'u' || i, 'e' || i, 'e' || i, '', '', '' FROM generate_series(1, 3000) AS i;
       INSERT INTO sessions (id, user_id, permissions) SELECT 's' || i, 'u' || i, '[]' FROM generate_series(1, 3000) AS i;
       INSERT INTO projects (team_id, id, name, name_key, status, created_at)
         SELECT 't' || (1 + i % 300), 'p' || i, 'P', 'p' || i, 'active', 'c' || i FROM generate_series(300, 9000) AS i;
       ANALYZE`,
    )
    const store = await database.openStore()
    const reads = await recordStatements(async () => {
      await store.caller('s1')
      await store.teamOfOrganization('o1')
      await store.user('u1')
      await store.listProjects('t1')
      await store.listProjectNames('t1')
      await store.project('t1', 'p1')
      await isTaken(store, 't1', 'p1')
      await store.usersWithEmail('e1')
      await store.recordsBefore('sessions', '2000', 100)
      await store.recordsBefore('teams', '2000', 100)
    })
    const texts = reads.filter(({ text }) => /\$1/.test(text) && !text.includes('pg_backend_pid'))
    // The last statement locks the team, and looks up the name.
    expect(texts).toHaveLength(11)
    // The settings of the service's connections.
    await database.run(
      'SET enable_hashjoin = off; SET enable_mergejoin = off; SET plan_cache_mode = force_generic_plan',
    )
    for (const { text, values = [] } of texts) {
      const bound = values.map((value) => `'${value}'`).join(', ')
      await database.run(`PREPARE explained AS ${text}`)
      const plan = await database.run<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE explained(${bound})`)
      await database.run('DEALLOCATE explained')
      const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
      expect(lines, text).not.toContain('Seq Scan')
      expect(lines, text).toMatch(/Index (Only )?Scan/)
    }
    await database.run('RESET enable_hashjoin; RESET enable_mergejoin; RESET plan_cache_mode')
  })

  test('has an index that finds each new name, also while a table is small', async () => {
    const store = await database.openStore()
    await store.load(fullState)
    const statements = await recordStatements(() => store.addProject(acmeProject('p'), undefined, 'p'))
    const [lookUp = ''] = statements.flatMap(({ text }) => (text.includes('EXISTS') ? [text] : []))
    const sql = lookUp.replaceAll('$1', "'[]'")
    // The settings of the service's connections.
    await database.run('ANALYZE; SET enable_hashjoin = off; SET enable_mergejoin = off')
    const plan = await database.run<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`)
    await database.run('RESET enable_hashjoin; RESET enable_mergejoin')
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/Index Scan (using|on) projects_by_name/)
    expect(text).not.toContain('hashed SubPlan')
  })

  test('knows that a team is empty after TRUNCATE', async () => {
    const store = await database.openStore()
    await store.load(fullState)
    await database.run('TRUNCATE projects')
    expect(await store.teamSize('acme')).toEqual({ projects: 0, bytes: 0 })
  })
})
