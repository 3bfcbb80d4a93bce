import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps a server at so many connections. For one more, the connection that has waited longest without an answer to
 * give is closed; where all of them have one, the new connection is. Otherwise whoever opens as many connections as
 * there may be, and asks for nothing more on them, would keep everybody out for as long as they are kept.
 */
export function makeRoom(server: Server, maxConnections: number): void {
  /** How many answers each connection has to give. */
  const dueOn = new Map<Socket, number>()
  /** Those with none, in the order in which they came to have none. A set keeps it. */
  const waiting = new Set<Socket>()

  const forget = (socket: Socket): void => {
    dueOn.delete(socket)
    waiting.delete(socket)
  }
  const count = (socket: Socket, change: 1 | -1): void => {
    const due = dueOn.get(socket)
    if (due === undefined) return
    dueOn.set(socket, due + change)
    if (due + change === 0) waiting.add(socket)
    else waiting.delete(socket)
  }

  server.on('connection', (socket: Socket) => {
    if (dueOn.size >= maxConnections) {
      const [longest] = waiting
      if (!longest) return void socket.destroy()
      forget(longest)
      longest.destroy()
    }
    dueOn.set(socket, 0)
    waiting.add(socket)
    socket.once('close', () => forget(socket))
  })
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
}
