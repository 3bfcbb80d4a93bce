import { expect, test } from 'vitest'
import { type PostgresAddress, parseDatabaseAddress } from '../../../src/store/database-address.js'
import { connectionOptions } from '../../../src/store/postgres/connection-options.js'

const optionsOf = (text: string, env: Record<string, string>) =>
  connectionOptions(parseDatabaseAddress(text) as PostgresAddress, {}, env)

const empty = Object.fromEntries(
  'HOST PORT USER DATABASE SSLMODE SSLROOTCERT SSLCERT SSLKEY TARGETSESSIONATTRS'
    .split(' ')
    .map((name) => [`PG${name}`, '']),
)

test('an empty variable counts as unset, as in a compose file that passes one on', async () => {
  const { hosts, database, sessionAttributes, tls } = await optionsOf('postgres://ada@', empty)
  expect({ hosts, database, sessionAttributes }).toEqual({
    hosts: [{ host: 'localhost', port: 5432 }],
    database: 'ada',
    sessionAttributes: 'any',
  })
  expect(tls).toHaveLength(2)
})

test.each<[string, Record<string, string>, object[]]>([
  [
    'postgres://u@',
    { PGHOST: 'a,b', PGPORT: '1,2' },
    [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
    ],
  ],
  [
    'postgres://u@',
    { PGHOST: '::1,/run/pg' },
    [
      { host: '::1', port: 5432 },
      { host: '/run/pg', port: 5432 },
    ],
  ],
  [
    'postgres://u@c,d:7',
    { PGHOST: 'a', PGPORT: '6' },
    [
      { host: 'c', port: 5432 },
      { host: 'd', port: 7 },
    ],
  ],
  [
    'postgres:///d?host=c,fe80::1%25eth0',
    { PGUSER: 'u', PGHOST: 'a,b,c', PGPORT: '1,2' },
    [
      { host: 'c', port: 1 },
      { host: 'fe80::1%eth0', port: 2 },
    ],
  ],
  ['postgres://u@c/d?port=6', { PGPORT: '7' }, [{ host: 'c', port: 6 }]],
  ['postgres:///d?host=::1&port=6', { PGUSER: 'u', PGPORT: '7' }, [{ host: '::1', port: 6 }]],
])('%s with %o leads to all of its hosts', async (text, env, hosts) => {
  expect((await optionsOf(text, env)).hosts).toEqual(hosts)
})

test('a password file that cannot be read is named, as a password that is missing', async () => {
  const address = parseDatabaseAddress('postgres://u@db/d') as PostgresAddress
  const { password } = await connectionOptions(address, { passwordFile: '/none/password' }, {})
  await expect(password({ host: 'db', port: 5432 })).rejects.toMatchObject({
    code: '28P01',
    message: 'the server asks for a password, and the file /none/password cannot be read (ENOENT)',
  })
})

test.each<Record<string, string>>([
  { PGSSLMODE: 'verify_full' },
  { PGPORT: 'abc' },
  { PGTARGETSESSIONATTRS: 'writable' },
  { PGPORT: '1,2' },
])('%o is refused by its name', async (env) => {
  const [variable] = Object.entries(env).map((pair) => pair.join('='))
  await expect(optionsOf('postgres://u@db/d', env)).rejects.toThrow(`not valid: ${variable}`)
})

test('a variable that is not valid does not matter where the address has its parameter', async () => {
  const env = { PGSSLMODE: 'no-verify', PGHOST: 'a:b', PGTARGETSESSIONATTRS: 'writable' }
  const address = 'postgres://u@db:7/d?sslmode=disable&target_session_attrs=any'
  expect(await optionsOf(address, env)).toMatchObject({ hosts: [{ host: 'db', port: 7 }], tls: [false] })
})

test('the password of an address in a variable is not shown', async () => {
  const refused = optionsOf('postgres://u@', { PGHOST: 'postgres://u:secret@db/d' })
  await expect(refused).rejects.toThrow('PGHOST=postgres://u:…@db/d')
})
