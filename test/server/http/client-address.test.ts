import { describe, expect, it } from 'vitest'
import { createProxyCheck } from '../../../src/server/http/client-address.js'

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
