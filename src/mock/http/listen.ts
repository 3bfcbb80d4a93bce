import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { bind, bindIPv6, loopbackHost, portTaken } from '../../http/loopback-server.js'

/** The certificate of a server, and its key, as PEM. */
export type Certificate = Required<Pick<TlsOptions, 'cert' | 'key'>>

export type Listening = {
  /** The URL for clients on this machine. */
  url: string
  /** Closes once all connections are closed. */
  server: NetServer
  /** Stops accepting connections. Open ones stay. */
  stop(): void
}

/**
 * Listens on the first free port, beginning with the given one. The host `localhost` is 127.0.0.1, and ::1 if the machine has
 * IPv6: browsers try either address, and another program may have the port of one of them.
 * @throws EADDRINUSE if none of the ports is free
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  tries: number,
  tls?: Certificate,
): Promise<Listening> {
  const pass = (socket: Socket) => void server.emit('connection', socket)
  const create = () => (tls ? createTlsServer(tls, pass) : createServer(pass))
  for (let candidate = port; candidate < port + tries && candidate <= 65_535; candidate++) {
    const listening = await tryListen(
      { first: tls ? create() : server, create },
      host,
      candidate,
      tls ? 'https' : 'http',
    )
    if (listening) return listening
  }
  throw portTaken(host, port)
}

type Servers = { first: NetServer; create(): NetServer }

async function tryListen(
  servers: Servers,
  host: string,
  port: number,
  scheme: string,
): Promise<Listening | undefined> {
  const { first, create } = servers
  if (host !== loopbackHost) {
    return (await bind(first, host, port))
      ? { url: urlOf(first, scheme), server: first, stop: () => first.close() }
      : undefined
  }
  if (!(await bind(first, '127.0.0.1', port))) return undefined
  const { port: bound } = first.address() as AddressInfo
  const second = create()
  const onIPv6 = await bindIPv6(second, bound)
  if (onIPv6 === false) {
    await new Promise((closed) => first.close(closed))
    // At the next try the system picks another port.
    return port === 0 ? tryListen(servers, host, port, scheme) : undefined
  }
  const stop = () => {
    second.close()
    first.close()
  }
  return { url: `${scheme}://${loopbackHost}:${bound}`, server: first, stop }
}

function urlOf(server: NetServer, scheme: string): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `${scheme}://${loopbackHost}:${port}`
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
