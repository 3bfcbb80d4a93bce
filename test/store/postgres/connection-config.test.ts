import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connectionConfig } from '../../../src/store/postgres/connection-config.js'
import { folderForEachTest } from '../sqlite/sqlite-folder.js'
import { addressOf } from './postgres-database.js'

type Environment = Record<string, string>

const configOf = (url: string, env: Environment = {}, passwordFile?: string) => {
  const { config, warnings } = connectionConfig(addressOf(url), { passwordFile }, env)
  return { ...config, warnings }
}
const passwordOf = async (url: string, env: Environment = {}, passwordFile?: string) => {
  const { password } = configOf(url, env, passwordFile)
  return typeof password === 'function' ? password() : password
}

const encrypted = { ssl: { rejectUnauthorized: false } }
const verified = { ssl: expect.not.objectContaining({ rejectUnauthorized: false }) }
const noTls = [expect.stringContaining('have no TLS: add sslmode=verify-full')]

describe('an address in the form of a provider', () => {
  // Names and passwords are made up. Addresses of poolers have a different port or host.
  test.each<[provider: string, url: string, config: object, warnings: unknown[]]>([
    [
      'Neon, direct',
      'postgresql://ada:npg_x@ep-cool-1.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require',
      { host: 'ep-cool-1.eu-central-1.aws.neon.tech', port: 5432, enableChannelBinding: true, ...encrypted },
      [expect.stringContaining('channel_binding=require is taken for prefer')],
    ],
    [
      'Neon, pooled',
      'postgresql://ada:npg_x@ep-cool-1-pooler.eu-central-1.aws.neon.tech/neondb?sslmode=verify-full&sslrootcert=system',
      { host: 'ep-cool-1-pooler.eu-central-1.aws.neon.tech', ...verified },
      [],
    ],
    [
      'Neon, for clients without SNI',
      'postgres://ada:npg_x@eu-central-1.aws.neon.tech/neondb?sslmode=require&options=endpoint%3Dep-cool-1',
      { options: 'endpoint=ep-cool-1', ...encrypted },
      [],
    ],
    [
      'Supabase, direct',
      'postgresql://postgres:S%40cret@db.abcd.supabase.co:5432/postgres',
      { host: 'db.abcd.supabase.co', user: 'postgres', ssl: false },
      noTls,
    ],
    [
      'Supabase, transaction pooler for Prisma',
      'postgresql://postgres.abcd:x@aws-0-eu-central-1.pooler.supabase.com:6543/postgres?pgbouncer=true&connection_limit=1&sslmode=require',
      { port: 6543, ...encrypted },
      [
        'the parameter "pgbouncer" of its address is ignored: a pooler is noticed by itself',
        'the parameter "connection_limit" of its address is ignored: DASHBOARD_API_DATABASE_POOL_SIZE has the size of the pool',
      ],
    ],
    [
      'Azure, for Node.js',
      'postgres://ada:x@shop.postgres.database.azure.com:5432/dash?ssl=true',
      verified,
      [],
    ],
    [
      'Fly, Postgres',
      'postgres://ada:x@shop-db.flycast:5432/dash?sslmode=disable',
      { host: 'shop-db.flycast', ssl: false },
      [],
    ],
    [
      'Heroku',
      'postgres://ada:x@ec2-1-2-3-4.eu-west-1.compute.amazonaws.com:25060/d1a?sslmode=no-verify&uselibpqcompat=true&application_name=dash',
      { port: 25_060, application_name: 'dash', ...encrypted },
      [],
    ],
    [
      'Prisma',
      'postgresql://ada:x@localhost:5432/dash?schema=public&connect_timeout=10&pool_timeout=20',
      { host: 'localhost' },
      [expect.stringContaining('"connect_timeout"'), expect.stringContaining('"pool_timeout"')],
    ],
    [
      'libpq',
      'postgresql://ada@/dash?host=/var/run/postgresql&target_session_attrs=read-write&gssencmode=disable&sslmode=prefer&statement_timeout=5000',
      { host: '/var/run/postgresql', ssl: false },
      [
        expect.stringContaining('"statement_timeout"'),
        expect.stringContaining('sslmode=prefer is taken for'),
      ],
    ],
    [
      'libpq 17',
      'postgresql://ada@db.example/dash?sslmode=require&sslnegotiation=direct&channel_binding=disable',
      { sslnegotiation: 'direct', enableChannelBinding: false, ...encrypted },
      [],
    ],
  ])('is read: %s', (_, url, config, warnings) => {
    const found = configOf(url)
    expect(found).toMatchObject(config)
    expect(found.warnings).toEqual(warnings)
  })

  test('from SQLAlchemy, JDBC and others is refused with the names of unsupported parameters', () => {
    const refusals = {
      'schema=app': /"schema".*ALTER ROLE USER SET search_path/,
      'currentSchema=app': /"currentSchema".*search_path/,
      'target_session_attrs=standby': /"target_session_attrs".*accepts writes/,
      'target_session_attrs=prefer-standby': /"target_session_attrs"/,
      'sslmode=allow': /"sslmode".*sslmode=verify-full/,
      'sslmode=verify-ca': /sslmode=verify-ca needs.*sslrootcert=FILE/,
      'ssl=maybe': /"ssl".*sslmode=verify-full/,
      'gssencmode=require': /"gssencmode".*sslmode=verify-full/,
      'dbname=other': /"dbname".*postgres:\/\/USER@HOST\/DATABASE/,
      'hostaddr=10.0.0.1': /"hostaddr"/,
      'service=x': /"service"/,
      'sslaccept=strict': /"sslaccept".*sslmode=verify-full/,
      'sslmod=require': /"sslmod".*correct its name/,
      'max=50': /"max"/,
      'port=abc': /its port is no number of a port/,
      'sslnegotiation=quick': /sslnegotiation/,
      'sslmode=disable&sslnegotiation=direct': /sslnegotiation/,
      'sslmode=verify-full&sslrootcert=/none': /the file \/none cannot be read \(ENOENT\). Check sslrootcert/,
    }
    for (const [query, expected] of Object.entries(refusals)) {
      expect(() => configOf(`postgres://u@db/d?${query}`)).toThrow(expected)
    }
  })

  test('with several hosts is refused with an explanation', () => {
    const lists: [url: string, env?: Environment][] = [
      ['postgres://u@a,b/d'],
      ['postgres://u:S3cret@a:1,b:2/d'],
      ['postgres://u@/d?host=a,b'],
      ['postgres://u@/d', { PGHOST: 'a,b' }],
    ]
    for (const [url, env] of lists) {
      expect(() => configOf(url, env)).toThrow(
        /its address is a list of hosts. Name one server, or what balances/,
      )
    }
    expect(configOf('postgres://u:a%2Cb@db/d,e')).toMatchObject({ host: 'db', database: 'd,e' })
  })

  test.each([
    'postgres://db:port/x',
    'postgres://db:70000/x',
    'postgres://u:S3/cret@db/x',
    'postgres://u:S3#cret@db/x',
    'postgres://u:12#S3cret@db/x',
    'postgres://u:12?S3cret@db/x',
    'postgres://u:S3?cret@db/x',
  ])('that is not a URL is refused, without showing the password: %s', (url) => {
    let message = ''
    try {
      configOf(url)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toMatch(/^Cannot use the database postgres:\/\//)
    expect(message).not.toMatch(/S3|cret/)
  })
})

describe('a setting that an address omits', () => {
  test('comes from the environment, where an empty variable counts as unset', () => {
    const env = { PGHOST: '10.0.0.1', PGPORT: '6432', PGUSER: 'ada', PGDATABASE: 'dash', PGAPPNAME: 'x' }
    expect(configOf('postgres://', env)).toMatchObject({
      ...{ host: '10.0.0.1', port: 6432, user: 'ada', database: 'dash', application_name: 'x' },
    })
    const empty = Object.fromEntries(Object.keys(env).map((name) => [name, '']))
    expect(
      configOf('postgres://ada@localhost', { ...empty, PGSSLMODE: '', PGSSLROOTCERT: '' }),
    ).toMatchObject({
      ...{ host: 'localhost', port: 5432, database: 'ada', ssl: false, application_name: 'dashboard-api' },
      warnings: [],
    })
    expect(configOf('postgres://ada@db:7/d', env)).toMatchObject({ host: 'db', port: 7, database: 'd' })
    expect(() => configOf('postgres://ada@db/d', { PGPORT: 'abc' })).toThrow('Correct it, or PGPORT')
  })

  test('has the default of libpq for TLS', () => {
    expect(configOf('postgres://u@db/d', { PGSSLMODE: 'require' })).toMatchObject(encrypted)
    expect(configOf('postgres://u@db/d', { PGSSLMODE: 'verify-full' })).toMatchObject(verified)
    expect(configOf('postgres://u@db/d?sslmode=disable', { PGSSLMODE: 'require' }).ssl).toBe(false)
    expect(() => configOf('postgres://u@db/d', { PGSSLMODE: 'verify_full' })).toThrow('"sslmode"')
    expect(() => configOf('postgres://u@db/d', { PGSSLROOTCERT: '/none' })).toThrow('the file /none')
  })
})

describe('the password', () => {
  const folder = folderForEachTest()
  const file = (text: string) => {
    const path = join(folder.path(), 'password')
    writeFileSync(path, text)
    chmodSync(path, 0o600)
    return path
  }

  test('comes from the address, else from its file, else from PGPASSWORD', async () => {
    const env = { PGPASSWORD: 'variable' }
    const passwordFile = file('\uFEFFfile\r\n')
    expect(await passwordOf('postgres://u:s%3Acret@db/d', env, passwordFile)).toBe('s:cret')
    expect(await passwordOf('postgres://u@db/d', env, passwordFile)).toBe('file')
    expect(await passwordOf('postgres://u@db/d', env)).toBe('variable')
  })

  test('comes from the matching line of PGPASSFILE', async () => {
    vi.stubEnv('PGPASSFILE', file('other:5432:d:u:wrong\ndb:*:d:u:a\\:b\nelse:5433:*:*:any\n'))
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await passwordOf('postgres://u@db/d')).toBe('a:b')
    expect(await passwordOf('postgres://u@else:5433/e')).toBe('any')
  })

  test('is reported if it is missing, or its file cannot be read', async () => {
    vi.stubEnv('PGPASSFILE', '/none')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(passwordOf('postgres://u@db/d')).rejects.toThrow('asks for a password, and none is set')
    await expect(passwordOf('postgres://u@db/d', {}, '/none/password')).rejects.toMatchObject({
      code: '28P01',
      message: 'the server asks for a password, and the file /none/password cannot be read (ENOENT)',
    })
    await expect(passwordOf('postgres://u@db/d', {}, file('\n'))).rejects.toThrow('password is empty')
  })
})
