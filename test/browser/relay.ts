import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Forwards each connection to the current target, so that the address stays the same when the target changes.
 */
export async function startRelay(target: () => string): Promise<{ url: string; close(): Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const { hostname, port } = new URL(target())
    const upstream = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
