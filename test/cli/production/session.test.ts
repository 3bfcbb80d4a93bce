import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { emptyFolder, run, sessionSecret } from '../cli-process.js'
import { seededDatabase } from './seeded-database.js'

const env = { DASHBOARD_API_SESSION_SECRET: sessionSecret }

/** A database, and a function that issues sessions, by default with one permission. */
async function withIssue() {
  const { cli, ...more } = await seededDatabase()
  const issue = (...args: string[]) => {
    const permissions = args.includes('--permissions') ? [] : ['--permissions', 'update:projects']
    return cli('session', 'issue', ...permissions, ...args)
  }
  return { ...more, cli, issue }
}

async function seededServer() {
  const { serve, ...more } = await withIssue()
  return { ...more, call: await serve() }
}

describe('dashboard-api session for operators', () => {
  test('issues a session: prints only the value of a valid cookie on stdout', async () => {
    const { issue, call } = await seededServer()
    const { code, stdout, stderr } = await issue('--user', 'Ada@acme.example', '--organization', 'org_acme')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\S+\n$/)
    expect(stderr).toContain('curl --cookie "session=$COOKIE"')
    const bundle = await (await call('/v1/auth/me', stdout.trim())).json()
    expect(bundle).toMatchObject({
      user: { id: 'user-ada', givenName: 'Ada' },
      organization: { orgCode: 'org_acme' },
      permissions: ['update:projects'],
      teamId: 'team-acme',
    })
  })

  test('creates a user for a new address only with the flag, and only once', async () => {
    const { database, issue, call } = await seededServer()
    const refused = await issue('--user', 'grace.m.hopper@example.com')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('has no user with the address or the id "grace.m.hopper@example.com".\n')
    expect(refused.stderr).toContain('lists them; --create-user creates this one.\n')
    const listed = await run(['user', 'list', '--database', database])
    expect(listed.stdout).toContain('ada@acme.example')
    expect(listed.stdout).not.toContain('grace')

    const user = async () => {
      const { stdout } = await issue('--user', 'grace.m.hopper@example.com', '--create-user')
      return (await (await call('/v1/auth/me', stdout.trim())).json()).user
    }
    const first = await user()
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email: 'grace.m.hopper@example.com',
      givenName: 'Grace',
      familyName: 'M Hopper',
      picture: '',
    })
    expect(await user()).toEqual(first)
    expect((await issue('--user', 'Grace.M.Hopper@example.com')).code).toBe(0)
  })

  test('prints the cookie name and the port of the service', async () => {
    const { database } = await seededDatabase()
    const grant = ['--user', 'ada@acme.example', '--permissions', '']
    const { stderr } = await run(['session', 'issue', '--database', database, ...grant], {
      env: { ...env, DASHBOARD_API_SESSION_COOKIE: '__Host-session', DASHBOARD_API_PORT: '8123' },
    })
    expect(stderr).toContain('curl --cookie "__Host-session=$COOKIE" http://127.0.0.1:8123/v1/auth/me')
  })

  test('issues no session for longer than a day', async () => {
    const { database, issue } = await withIssue()
    const tooLong = await issue('--user', 'ada@acme.example', '--ttl', '25h')
    expect(tooLong).toMatchObject({ code: 2, stdout: '' })
    expect(tooLong.stderr).toContain('A session may last 1d at most, not 25h.')

    const until = async (settings: Record<string, string>, ...args: string[]) => {
      const user = ['--user', 'ada@acme.example', '--permissions', '', '--json']
      const { stdout } = await run(['session', 'issue', '--database', database, ...user, ...args], {
        env: { ...env, ...settings },
      })
      return Math.round((Date.parse(JSON.parse(stdout).expiresAt) - Date.now()) / 3_600_000)
    }
    expect(await until({ DASHBOARD_API_SESSION_TTL: '6h' }, '--ttl', '24h')).toBe(24)
    expect(await until({}, '--ttl', '120m')).toBe(2)
    // A longer default is shortened, not refused.
    expect(await until({ DASHBOARD_API_SESSION_TTL: '7d' })).toBe(24)
  })

  test('issues sessions without permissions, without organisation, without team', async () => {
    const { issue, call } = await seededServer()
    const status = async (...args: string[]) => {
      const { stdout } = await issue('--user', 'ada@acme.example', ...args)
      const response = await call('/v1/projects', stdout.trim(), { name: 'New' })
      return `${response.status} ${(await response.json()).code}`
    }
    expect(await status('--organization', 'org_acme', '--permissions', '')).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect(await status()).toBe('400 ONBOARDING_REQUIRED')
    expect(await status('--organization', 'org_nowhere')).toBe('403 TEAM_MEMBERSHIP_REQUIRED')
    expect(await status('--organization', 'org_acme', '--permissions', 'create:projects')).toBe(
      '201 undefined',
    )
    const near = await issue('--user', 'ada@acme.example', '--permissions', ' create:projects')
    expect([near.code, near.stderr]).toEqual([2, expect.stringContaining('without blanks around them')])
    const { stderr } = await issue('--user', 'ada@acme.example', '--permissions', 'create:project')
    expect(stderr).toContain('No operation requires create:project.')
  })

  test('lists sessions, and revokes one', async () => {
    const { database, issue, call } = await seededServer()
    const issued = JSON.parse((await issue('--user', 'ada@acme.example', '--json')).stdout)
    expect(Object.keys(issued)).toEqual(['cookie', 'session', 'expiresAt'])
    const { cookie, session } = issued
    expect((await call('/v1/auth/me', cookie)).status).toBe(200)

    const revoke = () => run(['session', 'revoke', session, '--database', database, '--json'])
    expect(JSON.parse((await revoke()).stdout)).toEqual({ session, revoked: true })
    expect((await call('/v1/auth/me', cookie)).status).toBe(401)
    expect(JSON.parse((await revoke()).stdout)).toEqual({ session, revoked: false })

    const { stdout } = await run(['session', 'list', '--database', database])
    expect(stdout).toMatch(
      new RegExp(
        `^Session\tState\tEmail\tOrganisation\tPermissions\tExpires\tLast seen\n${session}\trevoked\tada@`,
      ),
    )
    // A mock in the environment is ignored.
    const settings = { DASHBOARD_API_DATABASE: database, DASHBOARD_API_URL: 'http://127.0.0.1:1' }
    const listed = JSON.parse((await run(['session', 'list', '--json'], { env: settings })).stdout)
    expect(listed.sessions).toEqual([expect.objectContaining({ id: session, state: 'revoked' })])

    const unknown = await run(['session', 'revoke', 'ses_nowhere', '--database', database])
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toContain('no session "ses_nowhere"')
  })

  test.each([
    [['--user', 'ada@acme.example'], env, 'There is no database at'],
    [['--user', 'ada', '--create-user'], env, '"ada" is not an email address'],
    [['--user', 'ada@acme.example', '--organization', ''], env, 'organisation code is empty'],
    [['--user', 'ada@acme.example', '--organization', 'x'.repeat(256)], env, 'at most 255 characters'],
    [['--user', 'ada@acme.example'], { DASHBOARD_API_SESSION_SECRET: 'short' }, 'at least 32 bytes'],
  ])('refuses to issue for %j, and creates no database', async (args, environment, message) => {
    const database = `${emptyFolder()}/never.db`
    const more = ['--permissions', '', ...args]
    const { code, stdout, stderr } = await run(['session', 'issue', '--database', database, ...more], {
      env: environment as Record<string, string>,
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(existsSync(database)).toBe(false)
  })

  test('asks for the secret of the server, not for a new one', async () => {
    const database = `${emptyFolder()}/never.db`
    const args = ['--database', database, '--user', 'ada@acme.example', '--permissions', '']
    expect(await run(['session', 'issue', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `error: These settings were refused:
  DASHBOARD_API_SESSION_SECRET: expected a secret of at least 32 bytes, or several separated by commas; it is not set. Use the secret of the server: it refuses cookies that another one signed.
hint: "npx dashboard-api session issue --help" shows the usage.
`,
    })
    expect(existsSync(database)).toBe(false)
  })

  test.each([
    ['session', 'list'],
    ['waitlist', 'add', 'ada@example.com'],
    ['waitlist', 'export'],
  ])('needs an existing database: %s %s', async (...args) => {
    const database = `${emptyFolder()}/none.db`
    const { code, stdout, stderr } = await run([...args, '--database', database])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/There is no database at .*none\.db\.\nhint: .*dashboard-api seed --database /)
    expect(existsSync(database)).toBe(false)
  })
})
