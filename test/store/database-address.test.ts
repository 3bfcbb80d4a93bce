import { describe, expect, test } from 'vitest'
import { hasPassword, parseDatabaseAddress, withoutPassword } from '../../src/store/database-address.js'

describe('the address of a database', () => {
  test.each([
    'data/dashboard.db',
    '/var/lib/x.db',
    '/srv/a@b/x=1 (copy).db',
    'C:\\data\\x.db',
    './postgres',
    './host=a.db',
    'postgres.db',
    'a:b',
  ])('is the path of a file: %s', (text) => {
    expect(parseDatabaseAddress(text)).toEqual({ kind: 'sqlite', name: text, file: text })
  })

  test.each([
    'postgres://',
    'postgresql://db',
    'POSTGRES://db',
    'postgres://ada@db:6432/dash?sslmode=verify-full',
    'postgres://a%40b@[::1]:5433/d%2Fb',
    'postgres:///d?host=/var/run',
    // Refused when it is opened, with an error about lists.
    'postgres://ada@db1:6432,db2:6433/dash',
    'postgres://db1:6432,db2:6433/dash',
  ])('is that of PostgreSQL: %s', (url) => {
    expect(parseDatabaseAddress(url)).toEqual({ kind: 'postgres', name: url, url })
    expect(hasPassword(url)).toBe(false)
  })

  test.each([
    [
      'postgres://ada:s%3Acret@db:5432/dash?application_name=x',
      'postgres://ada@db:5432/dash?application_name=x',
    ],
    ['postgres://ada:a@b@db/dash', 'postgres://ada@db/dash'],
    ['postgres://u:12/S3cret@db/x', 'postgres://u:…@db/x'],
    ['postgres://u:12?S3cret@db/x', 'postgres://u:…@db/x'],
    ['postgres://u:12#S3cret@db/x', 'postgres://u:…@db/x'],
    ['postgres://db/x?user=u&password=S3cret', 'postgres://db/x?user=u&password=…'],
    ['postgres://db/x?sslpassword=S3cret', 'postgres://db/x?sslpassword=…'],
    ['postgres://db/x?pass%77ord=S3cret', 'postgres://db/x?pass%77ord=…'],
    ['postgres://user@server:S3cret@db/x', 'postgres://user@server@db/x'],
    ['postgres://user@server:S3/cret@db/x', 'postgres://user@server:…@db/x'],
  ])('has a name without the password: %s', (url, name) => {
    expect(parseDatabaseAddress(url)).toEqual({ kind: 'postgres', name, url })
    expect(hasPassword(url)).toBe(true)
  })

  const reserved = [...`!*'();:@&=+$,/?#[]% "<>\\^{}|`]
  const parts = ['user', 'password', 'database', 'parameter'] as const
  test.each(parts)('has no password in its name, whatever character is in its %s', (part) => {
    for (const character of reserved)
      for (const text of [character, encodeURIComponent(character)]) {
        const at = (name: (typeof parts)[number], value: string) =>
          name === part ? `${value}${text}s` : value
        const url = `postgres://${at('user', 'u')}:${at('password', 'S3')}cret@db:5432/${at('database', 'd')}?application_name=${at('parameter', 'a')}`
        const { name } = parseDatabaseAddress(url) as { name: string }
        expect(name).not.toMatch(/S3|cret/)
        if (text === character || part === 'password') continue
        // As the driver reads it.
        const [shown, given] = [new URL(name), new URL(url)]
        expect([shown.username, shown.pathname, shown.search, shown.password]).toEqual([
          ...[given.username, given.pathname, given.search, ''],
        ])
      }
  })

  test('has an @ in a parameter, which is no password', () => {
    expect(hasPassword('postgres://u@db:5432/x?application_name=a@b')).toBe(false)
  })

  test.each([
    '',
    ' ',
    'mysql://db/x',
    'file:///data/x.db',
    'POSTGRESS://db',
    'postgres:db',
    'host=db user=u password=S3cret dbname=x',
    'service=dashboard',
    'Server=db;User Id=u;Pwd=S3cret',
    ' postgres://u:S3cret@db/x',
    '"postgres://u:S3cret@db/x"',
    'jdbc:postgresql://db/x?user=u&password=S3cret',
    'postgres:u:S3cret@db/x',
    'u:S3cret@db/x',
    '//u:S3cret@db/x',
    'db:5432/x',
    'psql -h db -U u x',
    'export URL=postgres://u:S3cret@db/x',
    '{"host":"db"}',
    'sqlite:x.db',
    'x.db?password=S3cret',
    'file:x.db?cache=shared&key=S3cret',
  ])('is refused: %j', (text) => {
    expect(parseDatabaseAddress(text)).toBeUndefined()
    expect(withoutPassword(text)).not.toMatch(/S3|cret/)
  })

  test.each([
    ['postgres://u:p@db/x', 'postgres://u:…@db/x'],
    ['postgres://:p@db/x', 'postgres://:…@db/x'],
    ['postgress://u:pa/s@s@db/x', 'postgress://u:…@db/x'],
    ['postgres://db/x?user=u&password=p&a=b', 'postgres://db/x?user=u&password=…&a=b'],
    ['postgres://u:p q@db/x', 'postgres://u:…@db/x'],
    ['postgres://u:p/x', 'postgres://u:…'],
    ['postgres:u:p:q@db/x', 'postgres:…@db/x'],
    ['host=db password=p q dbname=x', 'host=db password=…'],
    ['postgres://u@db:5432/x', 'postgres://u@db:5432/x'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://x.example:8443/a', 'https://x.example:8443/a'],
    ['data/x.db', 'data/x.db'],
  ])('is shown without its password: %s', (text, shown) => {
    expect(withoutPassword(text)).toBe(shown)
  })
})
