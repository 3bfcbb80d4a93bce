import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a proxy to a server, whose connections can be stalled and ended. It ends with the test. */
export async function startProxy(url: string) {
  const target = new URL(url)
  const { hostname, port } = target
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((near) => {
    // As with a frozen server: the system accepts the connection.
    if (isFrozen) return void sockets.add(near.pause().on('error', () => {}))
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object' && address) target.port = String(address.port)
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    end()
    server.close()
  })
  const stall = () => {
    for (const socket of sockets) socket.unpipe().pause()
  }
  return {
    url: target.href,
    end,
    stall,
    /** Stalls all connections, and new ones. */
    freeze() {
      isFrozen = true
      stall()
    },
    /** Ends the stalled connections, and forwards new ones. */
    goOn() {
      isFrozen = false
      end()
    },
  }
}
