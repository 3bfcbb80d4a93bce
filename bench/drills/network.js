// The network between the service and its database: a TCP proxy that can reset its connections, and switch to another server.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Starts a proxy to a port on loopback. */
export async function startNetwork(targetPort) {
  let port = targetPort
  const sockets = new Set()
  const server = createServer((near) => {
    const far = connect({ port, host: '127.0.0.1' })
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay())
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: server.address().port,
    reset,
    /** Switches to another port, as a balancer does after a failover, and resets the connections to the old one. */
    switchTo(other) {
      port = other
      reset()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** The address of a database with another port. */
export const throughPort = (url, port) => Object.assign(new URL(url), { port }).href
