import { expect, test } from 'vitest'
import { settingSchemas } from '../../../src/server/settings/setting-schemas.js'
import { type SettingName, settingNames } from '../../../src/server/settings/settings-table.js'

const parse = (name: SettingName, text: string): unknown => settingSchemas[name].safeParse(text).data

test.each<[string, SettingName, string, unknown]>([
  ['a word', 'oidcAccessClaims', 'id-token', 'id-token'],
  ['a text', 'oidcAudience', ' a ', ' a '],
  ['a host name', 'host', '::1', '::1'],
  ['an address in brackets', 'host', '[::1]', '::1'],
  ['a port on loopback', 'metricsAddress', '0', { host: '127.0.0.1', port: 0 }],
  ['a port of a host', 'metricsAddress', 'a.example:9090', { host: 'a.example', port: 9090 }],
  ['a port of an address', 'metricsAddress', '[::]:65535', { host: '::', port: 65_535 }],
  ['a list', 'defaultPermissions', ' a:b, c,,', ['a:b', 'c']],
  ['an empty list', 'allowedOrigins', '', []],
  ['the least number', 'port', '0', 0],
  ['the greatest number', 'port', '65535', 65_535],
  ['a number with zeros before it', 'port', '000000080', 80],
  [
    'a secret of 32 bytes',
    'sessionSecret',
    `${'ä'.repeat(16)} , ${'b'.repeat(32)}`,
    ['ä'.repeat(16), 'b'.repeat(32)],
  ],
  ['an origin', 'publicUrl', 'HTTP://A.example:80/', 'http://a.example'],
  ['a URL', 'docsUrl', 'https://a.example/docs//', 'https://a.example/docs'],
  ['an issuer', 'oidcIssuer', 'https://ID.example/a/', 'https://ID.example/a/'],
  ['an issuer on loopback', 'oidcIssuer', 'http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['loopback', 'trustProxy', 'loopback', ['loopback']],
  ['an IPv4 address', 'trustProxy', '192.0.2.255', ['192.0.2.255']],
  ['every IPv4 address', 'trustProxy', '0.0.0.0/0', ['0.0.0.0/0']],
  ['a network of one IPv4 address', 'trustProxy', '10.0.0.1/32', ['10.0.0.1/32']],
  ['an IPv6 address', 'trustProxy', '2001:DB8::1', ['2001:DB8::1']],
  ['a network of one IPv6 address', 'trustProxy', '::1/128', ['::1/128']],
  ['an IPv4 address as IPv6', 'trustProxy', '::ffff:10.0.0.1', ['::ffff:10.0.0.1']],
  ['a time limit', 'databaseTimeout', '1d', 86_400_000],
  ['a rate', 'waitlistRate', '100/90s', { max: 100, ms: 90_000 }],
  ['no rate', 'waitlistRate', 'off', 'off'],
])('parses %s', (_, name, text, value) => {
  expect(parse(name, text)).toEqual(value)
})

test.each<[string, SettingName, string[]]>([
  ['a word', 'oidcAccessClaims', ['', 'both', 'id-token,access-token']],
  ['a text', 'oidcAudience', ['', ' \t']],
  ['a host name', 'host', ['', ' a', 'a ', 'a b']],
  [
    'a port of an address',
    'metricsAddress',
    ['', '::', '[::1]', 'a', ':9090', 'a b:1', 'a:', 'a:65536', 'a:-1', '1.5'],
  ],
  [
    'a list',
    'allowedOrigins',
    ['https://*.a.example', 'https://a.example,x', 'x', 'https://a.example https://b.example'],
  ],
  ['a number', 'port', ['', '-1', '65536', '0000000080', '80x', 'x80', '1e3', '8 0']],
  ['a secret', 'sessionSecret', ['', 'a'.repeat(31), `${'a'.repeat(32)},b`, ` ${'a'.repeat(31)} `]],
  ['an origin', 'publicUrl', ['a.example', 'ws://a.example', 'https://a.example/b', 'https://a.example/?b']],
  ['an origin alone', 'publicUrl', ['https://ada@a.example', 'https://:b@a.example']],
  [
    'a URL',
    'docsUrl',
    ['https://a.example/?b', 'https://a.example/#b', 'https://ada@a.example/', 'xhttp://a'],
  ],
  [
    'an issuer',
    'oidcIssuer',
    ['http://id.example', 'https://id.example?a', 'https://id.example#a', 'id.example'],
  ],
  ['an issuer on loopback', 'oidcIssuer', ['http://127.0.0.1?a', 'http://127.0.0.1#a', 'ftp://127.0.0.1']],
  [
    'an IPv4 address',
    'trustProxy',
    ['10.0.0', '10.0.0.256', '10.0.0.01', '1.10.0.0.1', '10.0.0.1x', 'x10.0.0.1', 'a.1.example'],
  ],
  [
    'an IPv4 network',
    'trustProxy',
    ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '10.0.0.0/1x', '10.0.0.0/8/8'],
  ],
  [
    'an IPv6 address',
    'trustProxy',
    ['::g', ':', '1:2', '::1::', '[::1]', 'x::1', '::1x', '2001:db8', '::1]?:', '::1]@[::2'],
  ],
  ['an IPv6 network', 'trustProxy', ['::/129', '::/', '::/0128', '::/8/8']],
  [
    'a rate',
    'waitlistRate',
    ['', '100', '0/1m', '100/0s', '100/', '/1m', 'x100/1m', '100/1m/1m', '1000000000/1m', 'offx'],
  ],
  // A timer of Node beyond 24 days fires immediately: every request would fail, and a drain would end at once.
  ['a time limit', 'databaseTimeout', ['86401s', '25d', '3650d', '0s']],
  ['a delay', 'drainDelay', ['86401s', '25d', '3650d']],
])('refuses values other than %s', (_, name, texts) => {
  expect(texts.filter((text) => parse(name, text) !== undefined)).toEqual([])
})

test('has the expectation of each setting', () => {
  for (const name of settingNames) expect(settingSchemas[name].description, name).toMatch(/\w/)
})

test('accepts 0 only for the drain delay, whose default it is', () => {
  expect(parse('drainDelay', '0')).toBe(0)
  expect(parse('drainDelay', '3s')).toBe(3_000)
  expect(parse('sessionTtl', '0')).toBeUndefined()
})
