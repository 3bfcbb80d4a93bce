import { connect, createServer } from 'node:net'

const canListen = (port) =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * Finds a port of loopback on which nothing listens. It is below the ephemeral ports (from 32,768 on), so that no outgoing
 * connection takes it before it is used, or while its server is started again.
 */
export async function freePort() {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    if (given.has(port)) continue
    given.add(port)
    if (await canListen(port)) return port
  }
}

/** The ports that were returned before: nothing may listen on them yet. */
const given = new Set()

/** Whether something listens on a port of loopback. */
export const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy()
        resolve(true)
      })
  })
