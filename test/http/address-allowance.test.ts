import { describe, expect, it } from 'vitest'
import { addressAllowances } from '../../src/http/address-allowance.js'

describe('the groups of a client address', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7']],
    ['::ffff:192.0.2.7', ['192.0.2.7']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:0DB8:0001:0002::9', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    ['::a:b:c:d:e:f', ['0:0:a:b::/64', '0:0:a::/48']],
    ['1::a:b:c:d:e:f', ['1:0:a:b::/64', '1:0:a::/48']],
    ['1:2::', ['1:2:0:0::/64', '1:2:0::/48']],
    ['1::f%a:b:c:d:e:f', ['1:0:0:0::/64', '1:0:0::/48']],
    ['1:2:3:4:5:6:7::', ['1:2:3:4::/64', '1:2:3::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
    ['no address', ['no address']],
    ['a::ffff:192.0.2.7', ['a:0:0:0::/64', 'a:0:0::/48']],
  ])('of %s are %j', (address, groups) => {
    expect(addressAllowances(address, 1).map(({ group }) => group)).toEqual(groups)
  })

  it('are allowed the maximum, and a /48 eight times the maximum', () => {
    expect(addressAllowances('192.0.2.7', 5).map(({ max }) => max)).toEqual([5])
    expect(addressAllowances('2001:db8::1', 5).map(({ max }) => max)).toEqual([5, 40])
  })
})
