import { isIP } from 'node:net'

/** A group of addresses that are counted together, and its allowance. */
export type Allowance = { group: string; max: number }

/** The allowance of a /48, as a multiple of that of a /64. */
const wideFactor = 8

/**
 * The groups of a client's address with their allowances, the narrowest first. One subscriber usually has a whole IPv6
 * network: an IPv6 address counts for its /64 and, with eight times the allowance, for its /48.
 * @param address an IPv4 or IPv6 address; any other text is a group of its own
 * @param max the allowance of an IPv4 address or a /64
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

/** Converts an IPv4-mapped IPv6 address, as dual-stack sockets report it, to IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')
