import { connect, createServer } from 'node:net'

const canListen = (port) =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * A port of loopback on which nothing listens. It is below those that systems give to connections (from 32,768 on), so that no
 * connection of another process takes it before it is used, or while its server is started again.
 */
export async function freePort() {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    if (given.has(port)) continue
    given.add(port)
    if (await canListen(port)) return port
  }
}

/** Those that this process was given: nothing may listen there yet. */
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
