import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Connections = {
  /** From now on each answer says that its connection is closed after it, and it is. */
  drain(): void
  /** Settles once no connection is open, or after a time in milliseconds. */
  emptied(withinMs: number): Promise<void>
  /** Closes each connection once its answers are sent; those that wait for no answer, at once. */
  finish(): void
  /** Cuts off what is left. */
  destroy(): void
}

/**
 * Keeps track of what is in flight on each connection of a server. Node's own close() ends idle connections at
 * once, and a request that is on its way on one of them is reset; and it waits for connections on which nothing
 * ever comes, which browsers open in advance.
 */
export function trackConnections(server: Server): Connections {
  const answersOf = new Map<Socket, Set<ServerResponse>>()
  let isDraining = false
  let isFinishing = false
  let onEmpty: (() => void) | undefined

  server.on('connection', (socket: Socket): void => {
    if (isFinishing) return void socket.destroy()
    answersOf.set(socket, new Set())
    socket.once('close', () => {
      answersOf.delete(socket)
      if (answersOf.size === 0) onEmpty?.()
    })
  })
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    const answers = answersOf.get(socket)
    answers?.add(response)
    response.shouldKeepAlive &&= !isDraining
    response.once('close', () => {
      answers?.delete(response)
      if (isFinishing && answers?.size === 0) socket.destroySoon()
    })
  })

  const drain = () => {
    isDraining = true
    for (const answers of answersOf.values()) {
      for (const response of answers) response.shouldKeepAlive = false
    }
  }

  return {
    drain,
    emptied: (withinMs) =>
      new Promise((resolve) => {
        if (answersOf.size === 0) return resolve()
        const timer = setTimeout(resolve, withinMs)
        onEmpty = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    finish() {
      isFinishing = true
      drain()
      for (const [socket, answers] of answersOf) {
        if (answers.size === 0) socket.destroySoon()
      }
    },
    destroy() {
      for (const socket of answersOf.keys()) socket.destroy()
    },
  }
}
