import { createServer } from 'node:net'
import { bind, bindIPv6, loopbackHost } from '../http/loopback-server.js'

/**
 * Whether a server could listen on an address, with `localhost` on both loopback addresses. Listens for a moment.
 * @throws the system's error, except for a port that is taken
 */
export async function isAddressFree(host: string, port: number): Promise<boolean> {
  const [server, second] = [createServer(), createServer()]
  try {
    if (host !== loopbackHost) return await bind(server, host, port)
    return (await bind(server, '127.0.0.1', port)) && (await bindIPv6(second, port)) !== false
  } finally {
    await Promise.all([server, second].map((each) => new Promise((done) => each.close(done))))
  }
}
