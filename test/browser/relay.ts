import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * An address that stays while what is behind it is replaced: hands each connection on to where `target` is then.
 */
export async function startRelay(target: () => string): Promise<{ url: string; close(): Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const { hostname, port } = new URL(target())
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
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
