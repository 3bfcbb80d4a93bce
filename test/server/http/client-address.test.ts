import { describe, expect, it } from 'vitest'
import { clientAddress, createProxyCheck } from '../../../src/server/http/client-address.js'

describe('the check for trusted proxies', () => {
  const createCheck = () => createProxyCheck(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', 'loopback'])

  it.each(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8:5::1', '127.0.0.9', '::1'])(
    'accepts %s',
    (address) => {
      expect(createCheck()(address)).toBe(true)
    },
  )

  it.each(['11.0.0.1', '192.0.2.2', '2001:db9::1', 'text', undefined])('refuses %s', (address) => {
    expect(createCheck()(address)).toBe(false)
  })
})

describe('the address of a client', () => {
  const addressOf = (ip: string, remoteAddress?: string) =>
    clientAddress({ ip, socket: { remoteAddress } as never })

  it.each(['192.0.2.1', '2001:db8::1'])('is the forwarded one: %s', (ip) => {
    expect(addressOf(ip, '10.0.0.1')).toBe(ip)
  })

  it.each([
    ['192.0.2.1:80', '192.0.2.1'],
    ['[2001:db8::1]:80', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
  ])('has no port: %s', (ip, address) => {
    expect(addressOf(ip, '10.0.0.1')).toBe(address)
  })

  it.each(['unknown', '', 'a:80', '[a]:80', '192.0.2.1:'])(
    'is that of the connection if %j was forwarded',
    (ip) => {
      expect(addressOf(ip, '10.0.0.1')).toBe('10.0.0.1')
    },
  )

  it('is empty if the connection has ended', () => {
    expect(addressOf('unknown')).toBe('')
  })
})
