import { describe, expect, test } from 'vitest'
import { fnv1a } from '../../src/contract/fnv1a.js'
import { isUnspecifiedAddress, openableOrigin, requestedOrigin } from '../../src/contract/host.js'
import { isLoopbackHost, isLoopbackHttpUrl, isLoopbackOrigin } from '../../src/contract/loopback.js'
import { hasHost, isCrossSiteChange, type Sender } from '../../src/contract/page-origin.js'

test.each([
  ['0.0.0.0', true],
  ['::', true],
  ['[::]', true],
  ['10.0.0.0', false],
  ['0.0.0.0.example', false],
  ['0x0y0z0', false],
  ['::1', false],
  ['localhost', false],
])('%s stands for every address: %s', (address, isUnspecified) => {
  expect(isUnspecifiedAddress(address)).toBe(isUnspecified)
})

test.each([
  ['http://0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['https://[::]:8443', 'https://127.0.0.1:8443'],
  ['http://127.0.0.2:8080', 'http://127.0.0.2:8080'],
  ['http://api.example.com', 'http://api.example.com'],
])('a client on the same machine opens %s at %s', (origin, openable) => {
  expect(openableOrigin(origin)).toBe(openable)
})

test.each([
  ['http', 'api.example.com', 'http://api.example.com'],
  ['https', 'API.example.com:8443', 'https://api.example.com:8443'],
  ['https', 'a_b-c.example:443', 'https://a_b-c.example'],
  ['http', '[2001:DB8::1]:80', 'http://[2001:db8::1]'],
  ['http', '[::ffff:192.0.2.1]', 'http://[::ffff:c000:201]'],
  ['http', '192.0.2.1:8080', 'http://192.0.2.1:8080'],
  ['ftp', 'api.example.com', undefined],
  ['xhttp', 'api.example.com', undefined],
  ['httpsx', 'api.example.com', undefined],
  ['http', undefined, undefined],
  ['http', '', undefined],
  ['http', '0.0.0.0:8080', undefined],
  ['http', '[::]', undefined],
  ['http', 'user@api.example.com', undefined],
  ['http', 'api.example.com/path', undefined],
  ['http', '/api.example.com', undefined],
  ['http', 'api.example.com:', undefined],
  ['http', 'api.example.com:port', undefined],
  ['http', 'api.example.com:123456', undefined],
  ['http', 'api.example.com:99999', undefined],
  ['http', '[::1', undefined],
  ['http', '[]', undefined],
  ['http', '1.2.3.4.5', undefined],
])('a request over %s to the host %s has the origin %s', (scheme, host, origin) => {
  expect(requestedOrigin(scheme, host)).toBe(origin)
})

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.10.200.255', true],
  ['[::1]', true],
  ['xlocalhost', false],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
  ['x127.0.0.1', false],
  ['127.0.0', false],
  ['127.0.0.1234', false],
  ['127.x.y.z', false],
  ['128.0.0.1', false],
  ['::1', false],
  ['[::2]', false],
])('%s is a loopback host: %s', (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback)
})

test.each([
  ['http://localhost:5173', true],
  ['https://127.0.0.1', true],
  ['http://api.example.com', false],
  ['ftp://localhost', false],
  ['chrome-https://localhost', false],
  ['null', false],
  ['', false],
])('%s is an origin on loopback: %s', (origin, isLoopback) => {
  expect(isLoopbackOrigin(origin)).toBe(isLoopback)
})

test.each([
  ['http://localhost:8080/path', true],
  ['http://127.0.0.1', true],
  ['https://localhost', false],
  ['http://app.localhost', false],
  ['http://api.example.com', false],
])('%s is plain http to loopback: %s', (url, isLoopback) => {
  expect(isLoopbackHttpUrl(url)).toBe(isLoopback)
})

describe('a change', () => {
  const origins = {
    isAllowed: (origin: string) => origin === 'https://app.example.com',
    isOwn: (origin: string, host: string | undefined) => origin === `https://${host}`,
  }
  const host = 'api.example.com'
  test.each<[Sender, boolean]>([
    [{ host }, false],
    [{ host, origin: 'https://api.example.com' }, false],
    [{ host, origin: 'https://app.example.com' }, false],
    [{ host, origin: 'https://app.example.com', secFetchSite: 'cross-site' }, false],
    [{ host, origin: 'https://evil.example' }, true],
    [{ host, origin: 'null' }, true],
    [{ host, secFetchSite: 'cross-site' }, true],
    [{ host, secFetchSite: 'same-site' }, true],
    [{ host, secFetchSite: 'none' }, false],
    [{ host, secFetchSite: 'same-origin' }, false],
    [{ host, origin: 'https://evil.example', secFetchSite: 'same-origin' }, false],
  ])('by %o comes from another site: %s', (sender, isCrossSite) => {
    expect(isCrossSiteChange('POST', sender, origins)).toBe(isCrossSite)
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(isCrossSiteChange(method, sender, origins)).toBe(false)
  })
})

test.each([
  ['https://api.example.com', 'api.example.com', true],
  ['http://api.example.com:80', 'api.example.com:80', true],
  ['https://api.example.com', 'other.example.com', false],
  ['x-https://api.example.com', 'x-api.example.com', false],
  ['api.example.com', undefined, false],
])('the origin %s has the host %s: %s', (origin, host, isSame) => {
  expect(hasHost(origin, host)).toBe(isSame)
})

test('a hash is FNV-1a', () => {
  expect([fnv1a(''), fnv1a('a'), fnv1a('foobar')]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968])
})
