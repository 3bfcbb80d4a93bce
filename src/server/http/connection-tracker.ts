import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Connections = {
  /** An answer is due from now on, until it is sent or its connection closed. */
  begin(response: ServerResponse): void
  /** From now on each answer says that its connection is closed after it, and it is. */
  drain(): void
  /** Settles once no connection is open, or after a time in milliseconds. */
  emptied(withinMs: number): Promise<void>
  /** Closes each connection once its answers are sent; those that wait for no answer, at once. */
  finish(): void
  /** Cuts off what is left. */
  destroy(): void
}

/** What a connection has to answer, and when it was last left with nothing to: a higher number is later. */
type Open = { answers: Set<ServerResponse>; idleSince: number }

/**
 * Keeps track of what is in flight on each connection of a server. Node's own close() ends idle connections at
 * once, and a request that is on its way on one of them is reset; and it waits for connections on which nothing
 * ever comes, which browsers open in advance.
 * @param max how many there may be. For one more, the connection that has waited longest without an answer to give
 *   is closed; where all of them have one, the new connection is. Otherwise whoever opens as many connections as
 *   there may be, and asks for nothing more on them, would keep everybody out for as long as they are kept.
 */
export function trackConnections(server: Server, max = Number.POSITIVE_INFINITY): Connections {
  const open = new Map<Socket, Open>()
  let turn = 0
  let isDraining = false
  let isFinishing = false
  let onEmpty: (() => void) | undefined

  const closed = (socket: Socket) => {
    if (open.delete(socket) && open.size === 0) onEmpty?.()
  }
  const makeRoom = (): boolean => {
    const idle = [...open].filter(([, { answers }]) => answers.size === 0)
    if (idle.length === 0) return false
    const [longest] = idle.reduce((a, b) => (b[1].idleSince < a[1].idleSince ? b : a))
    closed(longest)
    longest.destroy()
    return true
  }

  server.on('connection', (socket: Socket): void => {
    if (isFinishing || (open.size >= max && !makeRoom())) return void socket.destroy()
    turn += 1
    open.set(socket, { answers: new Set(), idleSince: turn })
    socket.once('close', () => closed(socket))
  })
  // One function for all: this runs for each request.
  const answered = function (this: ServerResponse): void {
    const { socket } = this.req
    const connection = open.get(socket)
    if (!connection) return
    connection.answers.delete(this)
    turn += 1
    connection.idleSince = turn
    if (isFinishing && connection.answers.size === 0) socket.destroySoon()
  }
  const drain = () => {
    isDraining = true
    for (const { answers } of open.values()) {
      for (const response of answers) response.shouldKeepAlive = false
    }
  }

  return {
    begin(response) {
      open.get(response.req.socket)?.answers.add(response)
      response.shouldKeepAlive &&= !isDraining
      response.on('close', answered)
    },
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
      for (const [socket, { answers }] of open) {
        if (answers.size === 0) socket.destroySoon()
      }
    },
    destroy() {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
