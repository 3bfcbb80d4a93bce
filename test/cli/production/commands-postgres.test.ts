import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { knownVersion } from '../../../src/store/postgres/schema-version.js'
import { demo } from '../../server/server-harness.js'
import { openPostgresStore } from '../../store/open-stores.js'
import { addressOf, createDatabase, noPostgres, openClient } from '../../store/postgres/postgres-database.js'
import { startProxy } from '../../store/postgres/start-proxy.js'
import { emptyFolder, listening, run, sessionSecret, start } from '../cli-process.js'

describe.skipIf(noPostgres)('the command line over PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  /** The address without its password, and the environment that commands need. */
  let address: string
  let env: Record<string, string>
  let password: string
  beforeAll(async () => {
    database = await createDatabase()
    const url = new URL(database.url)
    password = url.password
    url.password = ''
    address = url.href
    env = { DASHBOARD_API_SESSION_SECRET: sessionSecret, PGPASSWORD: password }
    const store = await openPostgresStore(addressOf(database.url))
    await store.load({ ...demo(), sessions: [], waitlist: [] })
    await store.close()
  })
  afterAll(() => database?.drop())

  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--database', address], { env })
    return { code, stdout: stdout.trim(), stderr }
  }
  const count = async (table: string) =>
    (await database.run<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]?.count

  test('explains that a start waits for the migration of another node', async () => {
    const other = await openClient(database.url)
    onTestFinished(() => other.end())
    await other.query('BEGIN; SELECT pg_advisory_xact_lock(1145131081)')
    const node = start(['serve', '--port', '0', '--database', address, '--json'], { env })
    await node.until('stderr', /The start takes long: the database is not open yet/)
    await other.query('COMMIT')
    await listening(node)
  })

  test('ends with 0 at a signal while the server is frozen', async () => {
    const { url, stall } = await startProxy(address)
    const node = start(['serve', '--port', '0', '--database', url, '--json'], { env })
    await listening(node)
    stall()
    node.child.kill('SIGTERM')
    expect(await node.ended).toMatchObject({ code: 0, signal: null })
  })

  test('checks and migrates the database', async () => {
    const checked = await command('database', 'check', '--json')
    expect(checked.code).toBe(0)
    expect(JSON.parse(checked.stdout)).toMatchObject({
      database: address,
      ok: true,
      checks: [{ check: 'server' }, { check: 'version' }, { check: 'sizes' }, { check: 'requests' }],
      records: { teams: await count('teams') },
    })
    const migrated = await command('database', 'migrate', '--json')
    expect(JSON.parse(migrated.stdout)).toEqual({
      database: address,
      from: knownVersion,
      to: knownVersion,
    })
  })

  test('config --check opens it, and creates no tables', async () => {
    const check = (url: string) =>
      run(['config', '--check'], { env: { ...env, DASHBOARD_API_DATABASE: url } })
    const found = await check(address)
    expect([found.code, found.stderr]).toEqual([
      0,
      expect.stringContaining(`has schema version ${knownVersion}.`),
    ])
    const empty = await createDatabase()
    onTestFinished(() => empty.drop())
    const missing = await check(empty.url)
    expect([missing.code, missing.stderr]).toEqual([
      0,
      expect.stringContaining('has no tables yet: "serve" makes them'),
    ])
    expect(await empty.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([])
    const content = await run(['database', 'check'], { env: { ...env, DASHBOARD_API_DATABASE: empty.url } })
    expect([content.code, content.stderr]).toEqual([
      2,
      expect.stringContaining('it has no tables of this program. Correct the address; or create the tables'),
    ])
  })

  test('finds a wrong size', async () => {
    await database.run("UPDATE changes SET projects = projects + 1 WHERE scope <> ''")
    const { code, stdout } = await command('database', 'check', '--json')
    await database.run("UPDATE changes SET projects = projects - 1 WHERE scope <> ''")
    expect(code).toBe(1)
    expect(JSON.parse(stdout).checks.at(-1)).toMatchObject({ check: 'sizes', ok: false })
  })

  test('reads the password from a file, and reports a wrong one', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'password')
    writeFileSync(file, `${password}\n`)
    const check = (variables: Record<string, string>) =>
      run(['database', 'check', '--database', address], { env: { HOME: folder, ...variables } })
    expect((await check({ DASHBOARD_API_DATABASE_PASSWORD_FILE: file })).code).toBe(0)
    const passFile = join(folder, 'pgpass')
    writeFileSync(passFile, `other:*:*:*:wrong\n*:*:*:${new URL(address).username}:${password}\n`, {
      mode: 0o600,
    })
    expect((await check({ PGPASSFILE: passFile })).code).toBe(0)
    const refused = await check({ PGPASSWORD: 'canary' })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('PGPASSWORD')
    expect(refused.stderr).not.toContain('canary')
  })
})

test.each(['mysql://ada:canary@db/x', 'postgress://ada:canary@db/x'])(
  'an address of another kind is refused, and creates nothing: %s',
  async (url) => {
    const { code, stderr } = await run(['seed', '--database', url], { cwd: emptyFolder() })
    expect(code).toBe(2)
    expect(stderr).toContain('postgres://user@host/database')
    expect(stderr).not.toContain('canary')
  },
)

test('a database that cannot be reached is a failure in one line', async () => {
  const { code, stderr } = await run(['database', 'check', '--database', 'postgres://u@127.0.0.1:1/x'])
  expect(code).toBe(1)
  expect(stderr).toContain('postgres://u@127.0.0.1:1/x')
  expect(stderr).toContain('ECONNREFUSED')
  expect(stderr).not.toContain('    at ')
})
