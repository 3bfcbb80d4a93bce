import { BlockList, isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { plainAddress } from '../../http/address-allowance.js'

/** Removes the port from a forwarded address: `192.0.2.1:80`, `[2001:db8::1]:80`. */
const withoutPort = (address: string): string =>
  /^\[(.+)\](:\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address

/**
 * The address of a request's client, as a trusted proxy forwards it. If the proxy forwards no address, it is the proxy's own:
 * otherwise every value would count as another client.
 */
export function clientAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const address = withoutPort(ip)
  return isIP(address) === 0 ? (socket.remoteAddress ?? '') : address
}

/** Logs once that a trusted proxy forwards no address, so that all its clients count as one. */
export function warnOfUnknownClients(app: FastifyInstance): void {
  let isWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && request.ip && isIP(withoutPort(request.ip)) === 0) {
      isWarned = true
      const advice = 'a trusted proxy forwards an invalid address: limits count its clients as one'
      request.log.warn({ forwardedFor: request.ip.slice(0, 100) }, advice)
    }
    done()
  })
}

/**
 * Makes a function that recognises trusted proxies.
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
    const plain = plainAddress(withoutPort(address))
    return isIP(plain) !== 0 && list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }
}
