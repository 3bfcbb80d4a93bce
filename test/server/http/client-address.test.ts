import { describe, expect, it } from 'vitest'
import { addressGroups, createProxyCheck } from '../../../src/server/http/client-address.js'

describe('the groups of a client address', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7']],
    ['::ffff:192.0.2.7', ['192.0.2.7']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:0DB8:0001:0002::9', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
    ['no address', ['no address']],
  ])('of %s are %j', (address, groups) => {
    expect(addressGroups(address)).toEqual(groups)
  })
})

describe('the check for trusted proxies', () => {
  const isProxy = createProxyCheck(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', 'loopback'])

  it.each(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8:5::1', '127.0.0.9', '::1'])(
    'accepts %s',
    (address) => {
      expect(isProxy(address)).toBe(true)
    },
  )

  it.each(['11.0.0.1', '192.0.2.2', '2001:db9::1', 'text', undefined])('refuses %s', (address) => {
    expect(isProxy(address)).toBe(false)
  })
})
