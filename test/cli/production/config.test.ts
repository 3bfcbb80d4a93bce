import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { hasIPv6 } from '../../has-ipv6.js'
import { startRealProvider } from '../../oidc/real-provider.js'
import { createDatabase, damage, damageText, execSql } from '../../store/sqlite/database-files.js'
import { asOtherUser, noOtherUser, otherUser } from '../../store/sqlite/other-user.js'
import { emptyFolder, type Options, run, sessionSecret } from '../cli-process.js'
import { listenOnFreePort } from '../take-port.js'

type Shown = { setting: string; variable: string; value?: string; from: string }

async function settings(args: string[], options: Options): Promise<Map<string, Shown>> {
  const { code, stdout } = await run(['config', '--json', ...args], options)
  expect(code).toBe(0)
  return new Map(JSON.parse(stdout).settings.map((row: Shown) => [row.setting, row]))
}

test('config shows the value and the source of each setting', async () => {
  const env = { DASHBOARD_API_HOST: '0.0.0.0', DASHBOARD_API_PORT: '9000', DASHBOARD_API_LOG_LEVEL: '' }
  const shown = await settings(['--port', '9001'], { env })
  expect(shown.get('port')).toMatchObject({ value: '9001', from: 'flag' })
  expect(shown.get('host')).toMatchObject({ value: '0.0.0.0', from: 'environment' })
  expect(shown.get('logLevel')).toMatchObject({ value: 'info', from: 'default' })
  expect(shown.get('publicUrl')).toEqual({
    setting: 'publicUrl',
    variable: 'DASHBOARD_API_PUBLIC_URL',
    from: 'unset',
  })
})

test('config shows no secret, not even in an invalid setting', async () => {
  const secrets = [sessionSecret, 'the-oidc-client-secret', 'a-token-for-the-metrics', 'hunter2']
  const env = {
    DASHBOARD_API_SESSION_SECRET: sessionSecret,
    DASHBOARD_API_OIDC_CLIENT_SECRET: 'the-oidc-client-secret',
    DASHBOARD_API_METRICS_TOKEN: 'a-token-for-the-metrics',
    DASHBOARD_API_PUBLIC_URL: 'https://ada:hunter2@example.com',
  }
  const databases = [
    'postgres://u:hunter2 hunter2@db/x',
    'host=db password=hunter2 dbname=x',
    ' u:hunter2@db/x',
  ]
  const cases = databases.flatMap((database) =>
    [[], ['--json'], ['--check']].map((args) => ({ database, args })),
  )
  for (const { database, args } of cases) {
    const { stdout, stderr } = await run(['config', ...args], {
      env: { ...env, DASHBOARD_API_DATABASE: database },
    })
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)
  }
  const shown = await settings([], { env })
  expect(shown.get('sessionSecret')).toMatchObject({ value: '(a secret)', from: 'environment' })
})

test.each([
  'host=db password=S3cret dbname=dashboard',
  '"postgres://ada:S3cret@db/dashboard"',
  'postgres:ada:S3cret@db/dashboard',
  'jdbc:postgresql://db/dashboard?user=ada&password=S3cret',
])('an address in an unknown form creates no file, and is not printed completely: %s', async (database) => {
  const cwd = emptyFolder()
  const env = { DASHBOARD_API_SESSION_SECRET: sessionSecret, DASHBOARD_API_DATABASE: database }
  for (const command of [['serve', '--port', '0'], ['seed'], ['database', 'check']]) {
    const { code, stdout, stderr } = await run(command, { env, cwd })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      'DASHBOARD_API_DATABASE: expected the path of a SQLite file, or a PostgreSQL address',
    )
    expect(stderr).not.toContain('S3cret')
  }
  expect(readdirSync(cwd)).toEqual([])
})

test('config --check accepts the settings that serve accepts', async () => {
  const { code, stdout, stderr } = await run(['config', '--check'], {
    env: { DASHBOARD_API_SESSION_SECRET: sessionSecret },
  })
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toContain('Every setting is valid')
})

test.skipIf(noOtherUser)(
  asOtherUser('config --check refuses a working directory in which serve cannot create its database'),
  async () => {
    const cwd = emptyFolder()
    chmodSync(cwd, 0o555)
    const env = { DASHBOARD_API_SESSION_SECRET: sessionSecret }
    for (const command of [['config', '--check'], ['serve']]) {
      const { code, stderr } = await run([...command, '--port', '0'], { env, cwd, user: otherUser })
      expect([code, stderr]).toEqual([2, expect.stringContaining('its folder cannot be created (EACCES)')])
    }
  },
)

test('config --check recommends, over https, to name the proxy and to use a cookie that no sibling domain can set', async () => {
  const check = (publicUrl: string, cookie = '', trustProxy = 'loopback') =>
    run(['config', '--check'], {
      env: {
        DASHBOARD_API_SESSION_SECRET: sessionSecret,
        DASHBOARD_API_PUBLIC_URL: publicUrl,
        DASHBOARD_API_SESSION_COOKIE: cookie,
        DASHBOARD_API_TRUST_PROXY: trustProxy,
      },
    })
  const { code, stderr } = await check('https://api.example.com')
  expect(code).toBe(0)
  expect(stderr).toContain('recommendation: Set DASHBOARD_API_SESSION_COOKIE=__Host-session')
  expect(stderr).not.toContain('TRUST_PROXY')
  // The service has no TLS: with https, all requests come from a proxy.
  const { stderr: ofOneClient } = await check('https://api.example.com', '__Host-session', '')
  expect(ofOneClient).toContain('recommendation: Set DASHBOARD_API_TRUST_PROXY')
  expect((await check('https://api.example.com', '__Host-session')).stderr).not.toContain('recommendation')
  expect((await check('http://127.0.0.1:8080')).stderr).not.toContain('recommendation')
})

test('config --check exits with 2 and every fault', async () => {
  const env = {
    DASHBOARD_API_PORT: '99999',
    DASHBOARD_API_METRICS_TOKEN: 'short',
    DASHBOARD_API_SESSION_TTL: 'soon',
  }
  const { code, stdout, stderr } = await run(['config', '--check', '--host', ' '], { env })
  expect([code, stdout]).toEqual([2, ''])
  for (const name of ['--host', 'PORT', 'METRICS_TOKEN', 'SESSION_TTL', 'SESSION_SECRET']) {
    expect(stderr).toContain(`${name}: expected`)
  }
  expect(stderr).not.toContain('short')
})

test('config --check recommends a public URL for a server on every address', async () => {
  const check = async (env: Record<string, string>) =>
    (await run(['config', '--check'], { env: { DASHBOARD_API_SESSION_SECRET: sessionSecret, ...env } }))
      .stderr
  for (const host of ['0.0.0.0', '::']) {
    expect(await check({ DASHBOARD_API_HOST: host })).toContain(
      'recommendation: Set DASHBOARD_API_PUBLIC_URL',
    )
    const known = { DASHBOARD_API_HOST: host, DASHBOARD_API_PUBLIC_URL: 'http://10.0.0.1:8080' }
    expect(await check(known)).not.toContain('recommendation')
  }
})

const check = async (env: Record<string, string> = {}, ...args: string[]) => {
  const cwd = emptyFolder()
  const ended = await run(['config', '--check', ...args], {
    cwd,
    env: { DASHBOARD_API_SESSION_SECRET: sessionSecret, ...env },
  })
  return { ...ended, files: readdirSync(cwd) }
}

test('config --check opens the database that serve would open, and changes nothing', async () => {
  const created = await check()
  expect(created).toMatchObject({ code: 0, files: [] })
  expect(created.stderr).toContain('data/dashboard.db does not exist yet: "serve" creates it')

  const folder = emptyFolder()
  const file = await createDatabase(`${folder}/found.db`, ['ada'])
  const before = readFileSync(file)
  expect((await check({ DASHBOARD_API_DATABASE: file })).stderr).toMatch(
    /found\.db has schema version \d+\.\n/,
  )
  expect(readFileSync(file)).toEqual(before)
  expect(readdirSync(folder)).toEqual(['found.db'])

  writeFileSync(`${folder}/letter.db`, 'a letter to a friend'.repeat(20))
  const newer = await createDatabase(`${folder}/newer.db`, [])
  await execSql(newer, 'PRAGMA user_version = 999')
  mkdirSync(`${folder}/damaged`)
  const damaged = await createDatabase(`${folder}/damaged/x.db`, ['ada'])
  damage(damaged)
  const letter = await createDatabase(`${folder}/damaged/letter.db`, ['ada'])
  damageText(letter, 'ada@example.com')
  const refused = [
    [`${folder}/letter.db`, 'it is not a SQLite database'],
    [newer, 'it needs a program that knows version 999'],
    [damaged, 'it is damaged'],
    [letter, 'missing from index'],
    [`${folder}/none/x.db`, `there is no folder ${folder}/none`],
  ] as const
  for (const [database, reason] of refused) {
    const { code, stderr } = await check({ DASHBOARD_API_DATABASE: database })
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
  }
  const missing = await check({
    DASHBOARD_API_DATABASE: `${folder}/new.db`,
    DASHBOARD_API_DATABASE_SETUP: 'migrate',
  })
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('it does not exist')])
  expect(readdirSync(folder).sort()).toEqual(['damaged', 'found.db', 'letter.db', 'newer.db'])
})

test('config --check and serve warn of probable mistakes', async () => {
  const env = {
    DASHBOARD_API_URL: 'http://localhost:4010',
    DASHBOARD_API_TRUST_PORXY: 'loopback',
    DASHBOARD_API_SESSION_SECRET_FIEL: 'x',
    DASHBOARD_API_COLOUR: 'blue',
    DASHBOARD_API_DEFAULT_PERMISSIONS: 'create:project,update:projects',
    DASHBOARD_API_TRUST_PROXY: 'loopback,0.0.0.0/0',
    DASHBOARD_API_SESSION_IDLE: '2h',
    DASHBOARD_API_SESSION_TTL: '1h',
    DASHBOARD_API_PUBLIC_URL: 'http://api.example.com',
  }
  const warnings = [
    'DASHBOARD_API_TRUST_PORXY is no setting.',
    'DASHBOARD_API_SESSION_SECRET_FIEL is no setting.',
    'DASHBOARD_API_COLOUR is no setting.',
    'DASHBOARD_API_DEFAULT_PERMISSIONS has permissions that no operation requires: create:project.',
    'DASHBOARD_API_TRUST_PROXY=0.0.0.0/0 trusts every client to tell its own address',
    'DASHBOARD_API_SESSION_IDLE is longer than DASHBOARD_API_SESSION_TTL',
    'DASHBOARD_API_PUBLIC_URL=http://api.example.com is not https',
  ]
  const warningsIn = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('warning: '))
  const expected = warnings.map((warning) => expect.stringContaining(`warning: ${warning}`))
  const { code, stderr } = await check(env)
  expect([code, warningsIn(stderr)]).toEqual([0, expected])
  // An address of another machine: serve ends after its warnings.
  const served = await run(['serve'], {
    cwd: emptyFolder(),
    env: { ...env, DASHBOARD_API_SESSION_SECRET: sessionSecret, DASHBOARD_API_HOST: '203.0.113.1' },
  })
  expect([served.code, warningsIn(served.stderr)]).toEqual([1, expected])
  const elsewhere = await check({ DASHBOARD_API_HOST: '203.0.113.1' })
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    1,
    expect.stringContaining('This machine has no address'),
  ])
})

test('a missing setting is reported together with a misspelt one', async () => {
  const { code, stderr } = await check({
    DASHBOARD_API_SESSION_SECRET: '',
    DASHBOARD_API_SESION_SECRET: sessionSecret,
  })
  expect(code).toBe(2)
  expect(stderr).toContain('  DASHBOARD_API_SESION_SECRET is no setting.')
  expect(stderr).not.toContain(sessionSecret)
})

test('config --check warns of a port that is taken, by the service or by another program', async () => {
  const port = await listenOnFreePort(createServer())
  const { code, stderr } = await check({ DASHBOARD_API_PORT: String(port) })
  const warning = `warning: Port ${port} of 127.0.0.1 is taken: "serve" cannot listen there.`
  expect([code, stderr.split('\n')]).toEqual([0, expect.arrayContaining([warning])])
})

test('config --check refuses addresses on which serve cannot listen', async () => {
  const ports = { DASHBOARD_API_PORT: '9090', DASHBOARD_API_METRICS_ADDRESS: '9090' }
  const { code, stderr } = await check({ ...ports, DASHBOARD_API_HOST: 'localhost' })
  expect([code, stderr]).toEqual([2, expect.stringContaining('DASHBOARD_API_METRICS_ADDRESS: expected')])
})

test('config --check --provider signs in as far as a program can', async () => {
  const provider = await startRealProvider()
  onTestFinished(provider.close)
  const url = 'http://127.0.0.1:8088'
  await provider.register(url)
  const results = async (env: Record<string, string> = {}) => {
    const oidc = {
      DASHBOARD_API_PUBLIC_URL: url,
      DASHBOARD_API_OIDC_ISSUER: provider.issuer,
      DASHBOARD_API_OIDC_CLIENT_ID: provider.clientId,
      DASHBOARD_API_OIDC_CLIENT_SECRET: provider.clientSecret,
    }
    const { code, stdout } = await check({ ...oidc, ...env }, '--provider', '--json')
    expect(stdout).not.toContain(provider.clientSecret)
    const { checks } = JSON.parse(stdout) as { checks: { check: string; ok: boolean; found: string }[] }
    const [metadata] = checks
    if (metadata?.ok) expect(metadata.found).toBe(`${provider.issuer}, with back-channel logout`)
    return [code, checks.map(({ check, ok }) => `${check} ${ok ? 'ok' : 'failed'}`), checks.at(-1)?.found]
  }
  const all = ['metadata ok', 'keys ok', 'sign-in ok', 'client ok']
  expect(await results()).toEqual([0, all, expect.stringContaining('knows the client')])
  const implied = await run(['config', '--provider'], {
    env: { DASHBOARD_API_SESSION_SECRET: sessionSecret },
  })
  expect([implied.code, implied.stderr]).toEqual([
    2,
    expect.stringMatching(/Every setting is valid[\s\S]*No identity/),
  ])
  expect(await results({ DASHBOARD_API_OIDC_CLIENT_SECRET: 'wrong' })).toEqual([
    1,
    [...all.slice(0, 3), 'client failed'],
    expect.stringContaining('the client is refused with basic (invalid_client)'),
  ])
  const other = { DASHBOARD_API_PUBLIC_URL: 'http://127.0.0.1:1' }
  expect(await results(other)).toEqual([1, [...all.slice(0, 2), 'sign-in failed'], expect.any(String)])
  if (hasIPv6) {
    const addressed = { DASHBOARD_API_PUBLIC_URL: '', DASHBOARD_API_HOST: '::1' }
    expect((await results(addressed))[2]).toContain('http://[::1]:8080/auth/callback')
  }
  const down = createServer()
  const port = await listenOnFreePort(down)
  await new Promise((resolve) => down.close(resolve))
  const nowhere = { DASHBOARD_API_OIDC_ISSUER: `http://127.0.0.1:${port}` }
  expect(await results(nowhere)).toEqual([
    1,
    ['metadata failed'],
    `ECONNREFUSED at http://127.0.0.1:${port}/.well-known/openid-configuration`,
  ])
})
