import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The host that means both loopback addresses. Clients try either, and a session cookie belongs to a site. */
export const loopbackHost = 'localhost'

/** @returns false if the port is taken */
export const bind = (server: NetServer, host: string, port: number, backlog?: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error)
    server.once('error', onError)
    server.listen({ port, host, backlog }, () => {
      server.off('error', onError)
      resolve(true)
    })
  })

/** Binds a server to the IPv6 address of `localhost`. @returns false if the port is taken, undefined without IPv6 */
export const bindIPv6 = (server: NetServer, port: number, backlog?: number): Promise<boolean | undefined> =>
  bind(server, '::1', port, backlog).catch((error: NodeJS.ErrnoException) => {
    if (/^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL)$/.test(error.code ?? '')) return undefined
    throw error
  })

type Address = { host: string; port: number; backlog?: number }

/**
 * Makes an application listen, with the host `localhost` on 127.0.0.1, and on ::1 if the machine has IPv6.
 * @returns its origin for clients, and the second listener, which passes its connections on to the server
 * @throws EADDRINUSE if the port is taken at one of the addresses
 */
export async function listenAt(
  app: FastifyInstance,
  { host, port, backlog }: Address,
): Promise<{ origin: string; second: NetServer | undefined }> {
  if (host !== loopbackHost) {
    await app.listen({ host, port, backlog })
    return { origin: app.listeningOrigin, second: undefined }
  }
  await app.listen({ host: '127.0.0.1', port, backlog })
  const { port: bound } = app.server.address() as AddressInfo
  const second = createServer((socket) => void app.server.emit('connection', socket))
  const onIPv6 = await bindIPv6(second, bound, backlog)
  if (onIPv6 === false) throw portTaken(host, bound)
  return { origin: `http://${host}:${bound}`, second: onIPv6 ? second : undefined }
}

export const portTaken = (host: string, port: number): Error =>
  Object.assign(new Error(`Port ${port} of ${host} is taken.`), {
    code: 'EADDRINUSE',
    syscall: 'listen',
    address: host,
    port,
  })
