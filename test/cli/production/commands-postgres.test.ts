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
  /** The address without its password, and what commands need beside it. */
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
  const serve = async () => {
    const node = start(['serve', '--port', '0', '--database', address, '--json'], { env })
    return { node, url: await listening(node) }
  }

  test('seeds, and finds existing records when it runs again', async () => {
    const { code, stdout } = await command('seed', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      database: address,
      created: { projects: 0 },
      existing: { projects: 6 },
    })
  })

  test('says why a start takes long that waits for the migration of another node', async () => {
    const other = await openClient(database.url)
    onTestFinished(() => other.end())
    await other.query('BEGIN; SELECT pg_advisory_xact_lock(1145131081)')
    const node = start(['serve', '--port', '0', '--database', address, '--json'], { env })
    await node.until('stderr', /The start takes long: the database is checked or migrated/)
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

  test('serves from several nodes: what one acknowledged the next request to another one sees', async () => {
    const [a, b] = await Promise.all([serve(), serve()])
    const issued = await command(
      'session',
      'issue',
      '--user',
      'ada@acme.example',
      '--organization',
      'org_acme',
      '--permissions',
      'create:projects',
    )
    expect(issued.code).toBe(0)
    const headers = { cookie: `session=${issued.stdout}`, 'content-type': 'application/json' }
    const list = async ({ url }: typeof a) => {
      const response = await fetch(`${url}/v1/projects`, { headers })
      return { status: response.status, body: (await response.json()) as { projects: { name: string }[] } }
    }
    for (let i = 0; i < 20; i += 1) {
      const [writer, reader] = i % 2 === 0 ? [a, b] : [b, a]
      const name = `Apollo ${i}`
      expect((await list(reader)).body.projects[0]?.name).not.toBe(name)
      const body = JSON.stringify({ name })
      const created = await fetch(`${writer.url}/v1/projects`, { method: 'POST', headers, body })
      expect(created.status).toBe(201)
      expect((await list(reader)).body.projects[0]?.name).toBe(name)
    }
    const listed = JSON.parse((await command('session', 'list', '--json')).stdout)
    const signedOut = await fetch(`${a.url}/auth/sign-out`, {
      method: 'POST',
      headers: { cookie: headers.cookie },
    })
    expect(signedOut.status).toBeLessThan(400)
    expect((await list(b)).status).toBe(401)
    expect(listed.sessions ?? listed).not.toHaveLength(0)

    for (const { node } of [a, b]) {
      node.child.kill('SIGTERM')
      const { code, stdout, stderr } = await node.ended
      expect(code).toBe(0)
      expect(`${stdout}${stderr}`).not.toContain(password)
    }
  })

  test('passes verify --write', async () => {
    const { url } = await serve()
    const team = (await command('team', 'create', 'Verification', '--organization', 'org_verify')).stdout
    const other = (await command('team', 'create', 'Other', '--organization', 'org_other')).stdout
    const issue = async (user: string, ...more: string[]) =>
      (await command('session', 'issue', '--create-user', '--user', `${user}@verify.example`, ...more)).stdout
    const all = ['--permissions', 'create:projects,update:projects']
    const cookies = {
      owner: await issue('owner', '--organization', 'org_verify', ...all),
      member: await issue('member', '--organization', 'org_verify', ...all),
      viewer: await issue('viewer', '--organization', 'org_verify', '--permissions', ''),
      'other-owner': await issue('other', '--organization', 'org_other', ...all),
      'no-organization': await issue('nobody', ...all),
    }
    const given = Object.entries(cookies).flatMap(([who, value]) => ['--cookie', `${who}=${value}`])
    const teams = ['--team', team, '--team', other]
    // All cases run over PostgreSQL in test/conformance/production-postgres.test.ts.
    const options = ['--write', '--interface-only', '--json']
    const { code, stdout, stderr } = await run(['verify', url, ...options, ...teams, ...given])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(JSON.parse(stdout)).toMatchObject({ failed: 0 })
  })

  test('checks and migrates the database', async () => {
    const checked = await command('database', 'check', '--json')
    expect(checked.code).toBe(0)
    expect(JSON.parse(checked.stdout)).toMatchObject({
      database: address,
      ok: true,
      checks: [{ check: 'server' }, { check: 'version' }, { check: 'sizes' }],
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

  test.each([
    [['backup', 'a.dump'], "pg_dump --format=custom --file='a.dump' '"],
    [['restore', 'a.dump'], "--dbname='"],
    [['vacuum'], 'vacuumdb --full'],
  ])('names the tool of PostgreSQL for %j', async (args, tool) => {
    const { code, stderr } = await command('database', ...args)
    expect(code).toBe(2)
    expect(stderr).toContain(tool)
    expect(stderr).toContain(address)
  })

  test('reads the password from a file, and says so if it is wrong', async () => {
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
