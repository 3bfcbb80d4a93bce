import { isIP } from 'node:net'

/** A group of addresses that are counted together, and how many of something it may have. */
export type Allowance = { group: string; max: number }

/** How many times as much as a /64 a /48 is allowed. */
const wideFactor = 8

/**
 * The groups that a client's address counts in, the narrowest first, with the allowance of each. One subscriber usually
 * has a whole IPv6 network: IPv6 addresses count by their /64 and, with eight times the allowance, by their /48.
 * @param address an IPv4 or IPv6 address; anything else is a group of its own
 * @param max the allowance of an IPv4 address, or of a /64
 */
export function addressAllowances(address: string, max: number): Allowance[] {
  const plain = plainAddress(address).replace(/%.*/, '')
  if (isIP(plain) !== 6) return [{ group: plain, max }]
  const [head = '', tail = ''] = plain.toLowerCase().split('::')
  const groups = head.split(':').filter(Boolean)
  const last = tail.split(':')
  const missing = plain.includes('::') ? 8 - groups.length - last.length : 0
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...last].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  )
  return [
    { group: `${all.slice(0, 4).join(':')}::/64`, max },
    { group: `${all.slice(0, 3).join(':')}::/48`, max: max * wideFactor },
  ]
}

/** An IPv4 address that is mapped into IPv6, as a dual-stack socket reports it, as IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')
