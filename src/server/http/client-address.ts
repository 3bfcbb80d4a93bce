import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../../node-server/address-allowance.js'

/**
 * The address of the client of a request: the one that a trusted proxy forwarded, unless that is no address. Then every
 * value would count as another client.
 */
export const clientAddress = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip

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
    const plain = plainAddress(address)
    return isIP(plain) !== 0 && list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }
}
