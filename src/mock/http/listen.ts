import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'

/** The host that means both loopback addresses. Front ends use this name, and a session cookie belongs to a site. */
export const loopbackHost = 'localhost'

export type Listening = {
  /** The URL for clients on this machine. */
  url: string
  /** Stops accepting connections. Open ones stay. */
  stop(): void
}

/**
 * Listens on the first free port, beginning with the given one. The host `localhost` is 127.0.0.1, and ::1 if the machine has
 * IPv6: browsers try either address, and another program may have the port of one of them.
 * @throws EADDRINUSE if none of the ports is free
 */
export async function listen(server: Server, host: string, port: number, tries: number): Promise<Listening> {
  for (let candidate = port; candidate < port + tries && candidate <= 65_535; candidate++) {
    const listening = await tryListen(server, host, candidate)
    if (listening) return listening
  }
  const error = new Error(`Port ${port} of ${host} is taken.`)
  throw Object.assign(error, { code: 'EADDRINUSE', syscall: 'listen', address: host, port })
}

async function tryListen(server: Server, host: string, port: number): Promise<Listening | undefined> {
  if (host !== loopbackHost) {
    return (await bind(server, host, port)) ? { url: urlOf(server), stop: () => server.close() } : undefined
  }
  if (!(await bind(server, '127.0.0.1', port))) return undefined
  const { port: bound } = server.address() as AddressInfo
  const second = createServer((socket) => server.emit('connection', socket))
  const onIPv6 = await bind(second, '::1', bound).catch((error: NodeJS.ErrnoException) => {
    if (/^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL)$/.test(error.code ?? '')) return undefined
    throw error
  })
  if (onIPv6 === false) {
    await new Promise((closed) => server.close(closed))
    // At the next try the system picks another port.
    return port === 0 ? tryListen(server, host, port) : undefined
  }
  const stop = () => {
    second.close()
    server.close()
  }
  return { url: `http://${loopbackHost}:${bound}`, stop }
}

/** @returns false if the port is taken */
const bind = (server: NetServer, host: string, port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error)
    server.once('error', onError)
    server.listen(port, host, () => {
      server.off('error', onError)
      resolve(true)
    })
  })

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  if (address === '0.0.0.0' || address === '::') return `http://${loopbackHost}:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
