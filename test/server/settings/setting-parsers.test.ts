import { expect, test } from 'vitest'
import {
  hostName,
  httpBase,
  httpOrigin,
  integer,
  issuer,
  listOf,
  network,
  nonBlank,
  oneOf,
  rate,
  secrets,
} from '../../../src/server/settings/setting-parsers.js'

const port = integer(1, 65_535)

test.each<[string, (text: string) => unknown, string, unknown]>([
  ['a word', oneOf('a', 'b'), 'b', 'b'],
  ['a text', nonBlank, ' a ', ' a '],
  ['a host name', hostName, '::1', '::1'],
  ['a list', listOf(port), ' 1, 2,,', [1, 2]],
  ['an empty list', listOf(port), '', []],
  ['the least number', port, '1', 1],
  ['the greatest number', port, '65535', 65_535],
  ['a number with zeros before it', port, '000000080', 80],
  [
    'a secret of 32 bytes',
    secrets,
    `${'ä'.repeat(16)} , ${'b'.repeat(32)}`,
    ['ä'.repeat(16), 'b'.repeat(32)],
  ],
  ['an origin', httpOrigin, 'HTTP://A.example:80/', 'http://a.example'],
  ['a URL', httpBase, 'https://a.example/docs//', 'https://a.example/docs'],
  ['an issuer', issuer, 'https://ID.example/a/', 'https://ID.example/a/'],
  ['an issuer on loopback', issuer, 'http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['loopback', network, 'loopback', 'loopback'],
  ['an IPv4 address', network, '192.0.2.255', '192.0.2.255'],
  ['every IPv4 address', network, '0.0.0.0/0', '0.0.0.0/0'],
  ['a network of one IPv4 address', network, '10.0.0.1/32', '10.0.0.1/32'],
  ['an IPv6 address', network, '2001:DB8::1', '2001:DB8::1'],
  ['a network of one IPv6 address', network, '::1/128', '::1/128'],
  ['an IPv4 address as IPv6', network, '::ffff:10.0.0.1', '::ffff:10.0.0.1'],
  ['a rate', rate, '100/90s', { max: 100, ms: 90_000 }],
  ['no rate', rate, 'off', 'off'],
])('parses %s', (_, parse, text, value) => {
  expect(parse(text)).toEqual(value)
})

test.each<[string, (text: string) => unknown, string[]]>([
  ['a word', oneOf('a', 'b'), ['', 'c', 'ab']],
  ['a text', nonBlank, ['', ' \t']],
  ['a host name', hostName, ['', ' a', 'a ', 'a b']],
  ['a list', listOf(port), ['1,x', 'x', '1 2']],
  ['a number', port, ['', '0', '65536', '0000000080', '80x', 'x80', '1e3', '8 0']],
  ['a secret', secrets, ['', 'a'.repeat(31), `${'a'.repeat(32)},b`, ` ${'a'.repeat(31)} `]],
  ['an origin', httpOrigin, ['a.example', 'ws://a.example', 'https://a.example/b', 'https://a.example/?b']],
  ['an origin alone', httpOrigin, ['https://ada@a.example', 'https://:b@a.example']],
  [
    'a URL',
    httpBase,
    ['https://a.example/?b', 'https://a.example/#b', 'https://ada@a.example/', 'xhttp://a'],
  ],
  ['an issuer', issuer, ['http://id.example', 'https://id.example?a', 'https://id.example#a', 'id.example']],
  ['an issuer on loopback', issuer, ['http://127.0.0.1?a', 'http://127.0.0.1#a', 'ftp://127.0.0.1']],
  [
    'an IPv4 address',
    network,
    ['', '10.0.0', '10.0.0.256', '10.0.0.01', '1.10.0.0.1', '10.0.0.1x', 'x10.0.0.1', 'a.1.example'],
  ],
  ['an IPv4 network', network, ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/x', '10.0.0.0/1x', '10.0.0.0/8/8']],
  [
    'an IPv6 address',
    network,
    ['::g', ':', '1:2', '::1::', '[::1]', 'x::1', '::1x', '2001:db8', '::1]?:', '::1]@[::2'],
  ],
  ['an IPv6 network', network, ['::/129', '::/', '::/0128', '::/8/8']],
  [
    'a rate',
    rate,
    ['', '100', '0/1m', '100/0s', '100/', '/1m', 'x100/1m', '100/1m/1m', '1000000000/1m', 'offx'],
  ],
])('refuses what is not %s', (_, parse, texts) => {
  expect(texts.filter((text) => parse(text) !== undefined)).toEqual([])
})
