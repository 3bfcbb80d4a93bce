import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The groups that a client's address counts in, the narrowest first. One subscriber usually has a whole IPv6 network:
 * IPv6 addresses count by their /64 and, with a larger allowance, by their /48.
 * @param address an IPv4 or IPv6 address; anything else is a group of its own
 */
export function addressGroups(address: string): string[] {
  const plain = withoutMapping(address).replace(/%.*$/, '')
  if (isIP(plain) !== 6) return [plain]
  const [head = '', tail = ''] = plain.toLowerCase().split('::')
  const groups = head.split(':').filter(Boolean)
  const last = tail.split(':').filter(Boolean)
  const missing = plain.includes('::') ? 8 - groups.length - last.length : 0
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...last].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  )
  return [`${all.slice(0, 4).join(':')}::/64`, `${all.slice(0, 3).join(':')}::/48`]
}

/**
 * The address of the client of a request: the one that a trusted proxy forwarded, unless that is no address. Then every
 * value would count as another client.
 */
export const clientAddress = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip

/** How many times as much as a /64 a /48 is allowed. */
export const wideFactor = 8

/**
 * Tells the addresses of trusted proxies.
 * @param proxies addresses, networks such as `10.0.0.0/8`, or `loopback`
 */
export function createProxyCheck(proxies: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const proxy of proxies.flatMap((one) => (one === 'loopback' ? ['127.0.0.0/8', '::1'] : [one]))) {
    const [network = '', bits] = proxy.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(bits), family)
  }
  return (address = '') => {
    const plain = withoutMapping(address)
    return isIP(plain) !== 0 && list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }
}

/** An IPv4 address that is mapped into IPv6, as a dual-stack socket reports it, as IPv4. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')
