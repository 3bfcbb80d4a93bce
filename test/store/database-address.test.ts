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

  test.each<[string, object]>([
    ['postgres://', { hosts: [{ host: 'localhost' }], parameters: {} }],
    ['postgresql://db', { hosts: [{ host: 'db' }], parameters: {} }],
    [
      'postgres://ada@db1,db2:6432/dash?sslmode=verify-full&target_session_attrs=primary',
      {
        user: 'ada',
        hosts: [{ host: 'db1' }, { host: 'db2', port: 6432 }],
        database: 'dash',
        parameters: { sslmode: 'verify-full', target_session_attrs: 'primary' },
      },
    ],
    [
      'postgres://a%40b@[::1]:5433,10.0.0.1/d%2Fb',
      {
        user: 'a@b',
        hosts: [{ host: '::1', port: 5433 }, { host: '10.0.0.1' }],
        database: 'd/b',
        parameters: {},
      },
    ],
    // No form of a page: a plus sign stands for itself.
    [
      'postgres://db/d?sslrootcert=/etc/c++/a%20b.pem',
      { hosts: [{ host: 'db' }], database: 'd', parameters: { sslrootcert: '/etc/c++/a b.pem' } },
    ],
    // As of a template whose variable is not set.
    ['postgres:///d?host=', { hosts: [{ host: 'localhost' }], database: 'd', parameters: { host: '' } }],
    ['postgres://%2Fvar%2Frun/d', { hosts: [{ host: '/var/run' }], database: 'd', parameters: {} }],
    // As in libpq, a parameter counts before what stands before the path.
    [
      'postgres://db:6432/d?host=db2',
      { hosts: [{ host: 'db2', port: 6432 }], database: 'd', parameters: { host: 'db2' } },
    ],
    [
      'postgres://db:6432/d?port=7000',
      { hosts: [{ host: 'db', port: 7000 }], database: 'd', parameters: { port: '7000' } },
    ],
    ['postgres://db:6432/d?port=', { hosts: [{ host: 'db' }], database: 'd', parameters: { port: '' } }],
    [
      'postgres://db/d?host=db2&host=db3',
      { hosts: [{ host: 'db3' }], database: 'd', parameters: { host: 'db3' } },
    ],
    [
      'postgres:///d?host=/var/run,db2&port=5433',
      {
        hosts: [
          { host: '/var/run', port: 5433 },
          { host: 'db2', port: 5433 },
        ],
        database: 'd',
        parameters: { host: '/var/run,db2', port: '5433' },
      },
    ],
  ])('is that of PostgreSQL: %s', (text, expected) => {
    expect(parseDatabaseAddress(text)).toEqual({ kind: 'postgres', name: text, ...expected })
  })

  test('has a name without the password', () => {
    const text = 'postgres://ada:s%3Acret@db:5432/dash?application_name=x'
    expect(parseDatabaseAddress(text)).toMatchObject({
      name: 'postgres://ada@db:5432/dash?application_name=x',
      password: 's:cret',
    })
    expect([hasPassword(text), hasPassword('postgres://ada@db:5432/dash')]).toEqual([true, false])
  })

  test.each([
    '',
    ' ',
    'mysql://db/x',
    'postgress://db/x',
    'http://localhost:8080',
    'file:///data/x.db',
    'sqlite://x.db',
    'POSTGRESS://db',
    'postgres:db',
    'postgres:/db',
    'postgres://db:port/x',
    'postgres://db:0/x',
    'postgres://db:70000/x',
    'postgres://db,,db2/x',
    'postgres://u@db/x?sslmode=verify',
    'postgres://u@db/x?ssl=true',
    'postgres://u@db/x?password=secret',
    'postgres://u:pa/ss@db/x',
    'postgres://%zz@db/x',
    'postgres://db/x?target_session_attrs=master',
    'host=db user=u password=S3cret dbname=x',
    "dbname = x password='S3 cret'",
    'service=dashboard',
    'Server=db;User Id=u;Pwd=S3cret',
    'Data Source=x; Password = S3cret',
    ' postgres://u:S3cret@db/x',
    'postgres://u:S3cret@db/x\n',
    '"postgres://u:S3cret@db/x"',
    "'u:S3cret@db/x'",
    'jdbc:postgresql://db/x?user=u&password=S3cret',
    'postgres:u:S3cret@db/x',
    'postgres//u:S3cret@db/x',
    'u:S3cret@db/x',
    'u:S3/cret@db:5432/x',
    '//u:S3cret@db/x',
    'u@db',
    'db:5432/x',
    'psql -h db -U u x',
    'export URL=postgres://u:S3cret@db/x',
    '{"host":"db"}',
    'sqlite:x.db',
    'x.db?password=S3cret',
    'file:x.db?cache=shared&key=S3cret',
    'postgres://db/x?sslpassword=S3cret',
    'host=db sslpassword=S3cret',
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
