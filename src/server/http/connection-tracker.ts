import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Connections = {
  /** From now on each response has `Connection: close`, and its connection is closed after it. */
  drain(): void
  /** Resolves when no connection is open, or after a time in milliseconds. */
  emptied(withinMs: number): Promise<void>
  /** Closes each connection after its pending responses; a connection without one, at once. */
  finish(): void
  /** Destroys every connection that is left. */
  destroy(): void
}

/** The pending responses of a connection, and when it last had none: a higher number is later. */
type Connection = { responses: Set<ServerResponse>; idleSince: number }

/**
 * Tracks the pending responses of each connection of a server. Node's own close() ends idle connections at once, which
 * resets a request that is on its way; and it waits for connections that never send one, which browsers open in
 * advance.
 * @param max how many connections may be open. For one more, the one that has been idle longest is closed; the new one
 *   where none is idle. Otherwise clients that open connections and send nothing would keep everybody else out.
 */
export function trackConnections(server: Server, max = Number.POSITIVE_INFINITY): Connections {
  const open = new Map<Socket, Connection>()
  let clock = 0
  let isDraining = false
  let isFinishing = false
  let onEmpty: (() => void) | undefined

  const remove = (socket: Socket) => {
    if (open.delete(socket) && open.size === 0) onEmpty?.()
  }
  const closeLongestIdle = (): boolean => {
    const idle = [...open].filter(([, { responses }]) => responses.size === 0)
    if (idle.length === 0) return false
    const [longest] = idle.reduce((a, b) => (b[1].idleSince < a[1].idleSince ? b : a))
    remove(longest)
    longest.destroy()
    return true
  }

  server.on('connection', (socket: Socket): void => {
    if (isFinishing || (open.size >= max && !closeLongestIdle())) return void socket.destroy()
    clock += 1
    open.set(socket, { responses: new Set(), idleSince: clock })
    socket.once('close', () => remove(socket))
  })

  // One function for all responses: it is registered for each request.
  const onResponseClose = function (this: ServerResponse): void {
    const { socket } = this.req
    const connection = open.get(socket)
    if (!connection) return
    connection.responses.delete(this)
    clock += 1
    connection.idleSince = clock
    // A response whose head was sent before the drain leaves its connection open.
    if (isFinishing && connection.responses.size === 0) socket.destroySoon()
  }
  // Before Fastify's own listener, which may reply at once.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    open.get(socket)?.responses.add(response)
    response.shouldKeepAlive &&= !isDraining
    response.on('close', onResponseClose)
  })

  const drain = () => {
    isDraining = true
    for (const { responses } of open.values()) {
      for (const response of responses) response.shouldKeepAlive = false
    }
  }

  return {
    drain,
    emptied: (withinMs) =>
      new Promise((resolve) => {
        if (open.size === 0) return resolve()
        const timer = setTimeout(resolve, withinMs)
        onEmpty = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    finish() {
      isFinishing = true
      drain()
      for (const [socket, { responses }] of open) {
        if (responses.size === 0) socket.destroySoon()
      }
    },
    destroy() {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
