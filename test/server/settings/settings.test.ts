import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSettings, SettingsError } from '../../../src/server/settings/settings.js'
import { settingNames, settingsTable } from '../../../src/server/settings/settings-table.js'

const secret = 'x'.repeat(32)
const env = { DASHBOARD_API_SESSION_SECRET: secret }

/** The message of refused settings, and its faults. */
function refusal(...args: Parameters<typeof readSettings>) {
  try {
    readSettings(...args)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const { message } = error
    const faults = message.split('\n').map((line) => {
      const [, setting = line, got] =
        /^(\S+): expected .+?; (?:it is not set|got (".*?(?<!\\)"))\./.exec(line) ?? []
      return { setting, got: got && (JSON.parse(got) as string) }
    })
    return { message, faults }
  }
  throw new Error('nothing was refused')
}

const file = (path: string) => ({ kind: 'sqlite', name: path, file: path })

describe('the settings of production', () => {
  it('explain the port that Kubernetes sets for a Service with the name of this program', () => {
    const { message } = refusal({ ...env, DASHBOARD_API_PORT: 'tcp://10.96.0.7:80' })
    expect(message).toContain('got "tcp://10.96.0.7:80". Kubernetes sets it')
  })

  it('need only a session secret', () => {
    expect(readSettings(env)).toEqual({
      host: '127.0.0.1',
      port: 8080,
      database: file('data/dashboard.db'),
      databaseSetup: 'create',
      databasePasswordFile: undefined,
      databasePoolSize: 10,
      databaseTimeout: 5_000,
      sessionSecret: [secret],
      publicUrl: undefined,
      docsUrl: undefined,
      sessionTtl: 43_200_000,
      sessionIdle: 1_800_000,
      auditProjects: true,
      sessionCookie: 'session',
      oidcIssuer: undefined,
      oidcClientId: undefined,
      oidcClientSecret: undefined,
      oidcClientKey: undefined,
      oidcClientAuth: undefined,
      oidcScopes: 'openid profile email',
      oidcAudience: undefined,
      oidcAccessClaims: 'id-token',
      oidcClaims: {
        organization: 'org_code',
        permissions: 'permissions',
        email: 'email',
        givenName: 'given_name',
        familyName: 'family_name',
        picture: 'picture',
      },
      defaultPermissions: [],
      provisionTeams: false,
      allowedOrigins: [],
      trustProxy: [],
      waitlistRate: { max: 100, ms: 60_000 },
      maxConnections: 1000,
      maxProjectsPerTeam: 10_000,
      auditRetention: 400 * 86_400_000,
      logLevel: 'info',
      metricsAddress: undefined,
      metricsToken: undefined,
      drainDelay: undefined,
    })
  })

  it('need issuer and client id of an identity provider, or neither', () => {
    const oidc = { DASHBOARD_API_OIDC_ISSUER: 'https://id.example', DASHBOARD_API_OIDC_CLIENT_ID: 'us' }
    expect(readSettings({ ...env, ...oidc })).toMatchObject({ oidcIssuer: 'https://id.example' })
    for (const [name, value] of Object.entries(oidc)) {
      const missing = Object.keys(oidc).find((other) => other !== name)
      expect(refusal({ ...env, [name]: value }).faults).toMatchObject([{ setting: missing }])
    }
    // The fault is reported together with all others.
    expect(refusal({ DASHBOARD_API_OIDC_CLIENT_ID: 'us', DASHBOARD_API_PORT: 'x' }).faults).toHaveLength(3)
  })

  it('need the public URL with an identity provider, if a browser cannot return to the host', () => {
    const oidc = { DASHBOARD_API_OIDC_ISSUER: 'https://id.example', DASHBOARD_API_OIDC_CLIENT_ID: 'us' }
    for (const host of ['0.0.0.0', '::', '[::]']) {
      const everywhere = { ...env, ...oidc, DASHBOARD_API_HOST: host }
      expect(refusal(everywhere).faults).toMatchObject([{ setting: 'DASHBOARD_API_PUBLIC_URL' }])
      const publicUrl = 'https://api.example.com'
      expect(readSettings({ ...everywhere, DASHBOARD_API_PUBLIC_URL: publicUrl })).toMatchObject({
        publicUrl,
      })
    }
    expect(readSettings({ ...env, DASHBOARD_API_HOST: '0.0.0.0' }).publicUrl).toBeUndefined()
  })

  it('have one setting for claims that differ from the defaults', () => {
    const text = 'email=mail, organization=https://x.example/org.code,picture=a=b'
    expect(readSettings({ ...env, DASHBOARD_API_OIDC_CLAIMS: text }).oidcClaims).toEqual({
      organization: 'https://x.example/org.code',
      permissions: 'permissions',
      email: 'mail',
      givenName: 'given_name',
      familyName: 'family_name',
      picture: 'a=b',
    })
  })

  it('accept __Host-session only where browsers accept the cookie', () => {
    const named = (publicUrl: string) => ({
      ...env,
      DASHBOARD_API_SESSION_COOKIE: '__Host-session',
      DASHBOARD_API_PUBLIC_URL: publicUrl,
    })
    expect(readSettings(named('https://api.example.com')).sessionCookie).toBe('__Host-session')
    expect(refusal(named('http://api.example.com')).faults).toMatchObject([
      { setting: 'DASHBOARD_API_SESSION_COOKIE' },
    ])
  })

  it('accept a drain delay of 0, which is the default', () => {
    const delayed = (text: string) => readSettings({ ...env, DASHBOARD_API_DRAIN_DELAY: text }).drainDelay
    expect(['0', '0s', '5s', ''].map(delayed)).toEqual([0, 0, 5_000, undefined])
  })

  it('accept lists', () => {
    expect(
      readSettings({
        ...env,
        DASHBOARD_API_ALLOWED_ORIGINS: 'https://a.example, http://localhost:5173/',
        DASHBOARD_API_DEFAULT_PERMISSIONS: 'create:projects,update:projects',
        DASHBOARD_API_TRUST_PROXY: 'loopback,10.0.0.0/8, fd00::/8,192.0.2.1',
        DASHBOARD_API_WAITLIST_RATE: 'off',
      }),
    ).toMatchObject({
      trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8', '192.0.2.1'],
      waitlistRate: 'off',
      allowedOrigins: ['https://a.example', 'http://localhost:5173'],
      defaultPermissions: ['create:projects', 'update:projects'],
    })
  })

  it('prefer a flag to the environment, and the environment to the default', () => {
    const settings = readSettings(
      { ...env, DASHBOARD_API_PORT: '9000', DASHBOARD_API_HOST: 'localhost' },
      { port: '9001' },
    )
    expect(settings).toMatchObject({ port: 9001, host: 'localhost', database: file('data/dashboard.db') })
  })

  it('treat an empty variable as unset', () => {
    expect(readSettings({ ...env, DASHBOARD_API_PORT: '', DASHBOARD_API_PUBLIC_URL: '' })).toMatchObject({
      port: 8080,
      publicUrl: undefined,
    })
  })

  it('explain how to create a missing secret', () => {
    const { message, faults } = refusal({})
    expect(faults).toHaveLength(1)
    expect(message).toContain('DASHBOARD_API_SESSION_SECRET: expected a secret of at least 32 bytes')
    expect(message).toContain('it is not set')
    expect(message).toContain(
      `node -e "console.log(require('node:crypto').randomBytes(32).toString('base64url'))"`,
    )
  })

  it.each(['short', 'x'.repeat(31), `${secret},short`, `${secret},`, ` ${'x'.repeat(31)} `])(
    'refuse the secret %j without showing it',
    (value) => {
      const { message, faults } = refusal({ DASHBOARD_API_SESSION_SECRET: value })
      expect(faults.map(({ setting }) => setting)).toEqual(['DASHBOARD_API_SESSION_SECRET'])
      expect(message).not.toContain(value)
      expect(message).not.toContain('short')
      expect(message).not.toContain('xxx')
    },
  )

  const secretNames = settingNames.filter((name) => 'secret' in settingsTable[name])
  const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  })

  it.each(secretNames)('read the secret %s from the file in its …_FILE setting', async (name) => {
    const { env: variable } = settingsTable[name]
    const folder = await mkdtemp(join(tmpdir(), 'settings-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'secret')
    const text = name === 'oidcClientKey' ? String(pem) : secret
    await writeFile(path, `${text}\n`)
    const twin = { [`${variable}_FILE`]: path }
    const others = {
      DASHBOARD_API_OIDC_ISSUER: 'https://id.example',
      DASHBOARD_API_OIDC_CLIENT_ID: 'us',
      ...(name !== 'sessionSecret' && env),
    }
    const { [name]: value } = readSettings({ ...others, ...twin })
    const parsed = { sessionSecret: [secret], oidcClientKey: expect.objectContaining({ alg: 'ES256' }) }
    expect(value).toEqual(name in parsed ? parsed[name as keyof typeof parsed] : secret)

    const faultOf = (values: Record<string, string>) => refusal({ ...others, ...values }).message
    expect(faultOf({ ...twin, [variable]: secret })).toContain(`${path}, and ${variable} is set too`)
    expect(faultOf({ [`${variable}_FILE`]: join(folder, 'none') })).toMatch(
      new RegExp(
        `^${variable}_FILE: expected the path of a file with .*none, which cannot be read \\(ENOENT\\)`,
      ),
    )
    await writeFile(path, '')
    expect(faultOf(twin)).toContain(`${variable}_FILE`)
  })

  it('trim white space and a byte order mark around a value, but nothing inside', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'settings-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'secret')
    await writeFile(path, '\uFEFFfirst\nsecond\r\n\n')
    const read = readSettings({
      ...env,
      DASHBOARD_API_OIDC_ISSUER: 'https://id.example',
      DASHBOARD_API_OIDC_CLIENT_ID: 'us of id\r',
      DASHBOARD_API_OIDC_CLIENT_SECRET_FILE: `${path}\r`,
      DASHBOARD_API_OIDC_ACCESS_CLAIMS: 'access-token\r',
      DASHBOARD_API_LOG_LEVEL: ' ',
    })
    expect(read).toMatchObject({
      ...{ oidcClientSecret: 'first\nsecond', oidcClientId: 'us of id' },
      ...{ oidcAccessClaims: 'access-token', logLevel: 'info' },
    })
  })

  it('refuse a client secret without an identity provider', () => {
    expect(refusal({ ...env, DASHBOARD_API_OIDC_CLIENT_SECRET: 'canary' }).message).toMatch(
      /^DASHBOARD_API_OIDC_CLIENT_SECRET: expected .*issuer and client id are set too; got "a value that is not/,
    )
  })

  it('refuse the same port for the service and the metrics if their addresses overlap', () => {
    const ports = { ...env, DASHBOARD_API_PORT: '9000', DASHBOARD_API_METRICS_ADDRESS: '9000' }
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      expect(refusal({ ...ports, DASHBOARD_API_HOST: host }).faults).toMatchObject([
        { setting: 'DASHBOARD_API_METRICS_ADDRESS', got: '9000' },
      ])
    }
    expect(readSettings({ ...ports, DASHBOARD_API_HOST: '10.0.0.1' })).toMatchObject({
      metricsAddress: { port: 9000 },
    })
    expect(readSettings({ ...env, DASHBOARD_API_PORT: '0', DASHBOARD_API_METRICS_ADDRESS: '0' }).port).toBe(0)
    expect(refusal({ ...env, DASHBOARD_API_PORT: 'x' }).faults).toHaveLength(1)
  })

  it('measure a secret in bytes, and accept several', () => {
    const other = 'ä'.repeat(16)
    expect(readSettings({ DASHBOARD_API_SESSION_SECRET: `${secret}, ${other}` }).sessionSecret).toEqual([
      secret,
      other,
    ])
  })

  it('report all faults at once, each with the name of its flag or variable', () => {
    const { message, faults } = refusal(
      { DASHBOARD_API_SESSION_IDLE: 'soon', DASHBOARD_API_LOG_LEVEL: 'loud', DASHBOARD_API_PORT: '1' },
      { port: '70000', database: '' },
    )
    expect(faults.map(({ setting, got }) => [setting, got])).toEqual([
      ['--port', '70000'],
      ['--database', ''],
      ['DASHBOARD_API_SESSION_SECRET', undefined],
      ['DASHBOARD_API_SESSION_IDLE', 'soon'],
      ['DASHBOARD_API_LOG_LEVEL', 'loud'],
    ])
    expect(message).toContain('--port: expected a whole number from 0 to 65535; got "70000".')
  })

  it('hide the password of a refused URL', () => {
    const { message } = refusal({ DASHBOARD_API_PUBLIC_URL: 'https://user:canary@api.example.com' })
    expect(message).toContain('https://…@api.example.com')
    expect(message).not.toContain('canary')
  })

  it('accept the address of a PostgreSQL database, with a password only from the environment', () => {
    const url = 'postgres://ada:canary@db/dash'
    const { database } = readSettings({ DASHBOARD_API_DATABASE: url }, {}, ['database'])
    expect(database).toEqual({ kind: 'postgres', name: 'postgres://ada@db/dash', url })
    const { message } = refusal({}, { database: url })
    expect(message).toContain('--database: expected the path of a SQLite file, or a PostgreSQL address')
    expect(message).toContain('PGPASSWORD')
    expect(message).not.toContain('canary')
  })

  it.each(['mysql://ada:canary@db/dash', 'postgress://ada:canary@db/dash', 'http://ada:canary@db/dash'])(
    'refuse a database of another kind: %s',
    (url) => {
      const { message } = refusal({ DASHBOARD_API_DATABASE: url })
      expect(message).toContain('DASHBOARD_API_DATABASE: expected the path of a SQLite file, or a PostgreSQL')
      expect(message).not.toContain('canary')
    },
  )

  it('are checked only if they are requested', () => {
    expect(readSettings({ DASHBOARD_API_PORT: 'nonsense' }, {}, ['database'])).toEqual({
      database: file('data/dashboard.db'),
    })
  })

  it.each([
    ['port', '80.5'],
    ['port', '-1'],
    ['port', '0x50'],
    ['port', '8 0'],
    ['host', 'two words'],
    ['publicUrl', 'api.example.com'],
    ['publicUrl', 'ftp://api.example.com'],
    ['publicUrl', 'https://api.example.com/path'],
    ['publicUrl', 'https://api.example.com?x'],
    ['docsUrl', 'https://docs.example.com/#top'],
    ['docsUrl', 'javascript:alert(1)'],
    ['sessionTtl', '12'],
    ['sessionTtl', '0h'],
    ['auditRetention', '23h'],
    ['auditRetention', 'off'],
    ['logLevel', 'INFO'],
    ['databaseSetup', 'true'],
    ['sessionCookie', 'sid'],
    ['oidcIssuer', 'http://id.example'],
    ['oidcIssuer', 'id.example'],
    ['oidcScopes', 'profile email'],
    ['oidcAccessClaims', 'both'],
    ['oidcClaims', 'mail'],
    ['oidcClaims', 'email='],
    ['oidcClaims', 'phone=tel'],
    ['oidcClaims', 'toString=x'],
    ['provisionTeams', 'yes'],
    ['trustProxy', 'true'],
    ['trustProxy', '10.0.0.0/33'],
    ['trustProxy', 'proxy.example'],
    ['waitlistRate', '100'],
    ['waitlistRate', '0/1m'],
    ['waitlistRate', '10/0s'],
    ['maxConnections', '0'],
    ['maxConnections', 'many'],
    ['maxProjectsPerTeam', '0'],
    ['maxProjectsPerTeam', '10k'],
    ['maxProjectsPerTeam', '100001'],
    ['metricsAddress', '0.0.0.0'],
    ['metricsAddress', '127.0.0.1:65536'],
    ['allowedOrigins', '*'],
    ['allowedOrigins', 'null'],
    ['allowedOrigins', 'https://a.example,https://b.example/path'],
  ] as const)('refuse %s=%j', (name, value) => {
    expect(refusal({ ...env, [settingsTable[name].env]: value }).faults).toMatchObject([
      { setting: settingsTable[name].env, got: value },
    ])
  })

  it('remove the slash at the end of URLs', () => {
    expect(
      readSettings({
        ...env,
        DASHBOARD_API_PUBLIC_URL: 'https://API.example.com/',
        DASHBOARD_API_DOCS_URL: 'https://docs.example.com/api/',
      }),
    ).toMatchObject({ publicUrl: 'https://api.example.com', docsUrl: 'https://docs.example.com/api' })
  })

  const provider = { DASHBOARD_API_OIDC_ISSUER: 'https://id.example', DASHBOARD_API_OIDC_CLIENT_ID: 'us' }
  it.each([
    [{ DASHBOARD_API_OIDC_CLIENT_AUTH: 'post' }],
    [{ DASHBOARD_API_OIDC_CLIENT_AUTH: 'private_key_jwt', DASHBOARD_API_OIDC_CLIENT_SECRET: 's' }],
    [{ DASHBOARD_API_OIDC_CLIENT_AUTH: 'none' }],
  ])('refuse an authentication at the provider without its secret or key: %j', (values) => {
    expect(refusal({ ...env, ...provider, ...values }).message).toMatch(
      /^DASHBOARD_API_OIDC_CLIENT_AUTH: expected basic or post with a client secret, private_key_jwt with a client key/,
    )
  })

  it('each have a variable, a description and an expectation', () => {
    for (const name of settingNames) {
      expect(settingsTable[name].env).toMatch(/^DASHBOARD_API_[A-Z_]+$/)
      expect(settingsTable[name].description).toMatch(/\.$/)
    }
    expect(settingNames.filter((name) => 'secret' in settingsTable[name])).toEqual([
      'sessionSecret',
      'oidcClientSecret',
      'oidcClientKey',
      'metricsToken',
    ])
    expect('flags' in settingsTable.sessionSecret).toBe(false)
  })
})
