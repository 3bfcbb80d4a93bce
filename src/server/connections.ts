import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Connections = {
  /** Closes each connection once its answers are sent; those that wait for no answer, at once. */
  drain(): void
  /** Cuts off what is left. */
  destroy(): void
}

/**
 * Keeps track of what is in flight on each connection of a server. Node's own close() waits for connections on
 * which a request could still come: kept alive, or opened by a browser in advance.
 */
export function trackConnections(server: Server): Connections {
  const answersOf = new Map<Socket, Set<ServerResponse>>()
  let draining = false

  server.on('connection', (socket: Socket): void => {
    if (draining) return void socket.destroy()
    answersOf.set(socket, new Set())
    socket.once('close', () => answersOf.delete(socket))
  })
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    const answers = answersOf.get(socket)
    answers?.add(response)
    response.shouldKeepAlive &&= !draining
    response.once('close', () => {
      answers?.delete(response)
      if (draining && answers?.size === 0) socket.destroySoon()
    })
  })

  return {
    drain() {
      draining = true
      for (const [socket, answers] of answersOf) {
        if (answers.size === 0) socket.destroySoon()
        for (const response of answers) response.shouldKeepAlive = false
      }
    },
    destroy() {
      for (const socket of answersOf.keys()) socket.destroy()
    },
  }
}
