import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { addressAllowances } from './address-allowance.js'

export type ConnectionLimits = {
  /** How many connections may be open. */
  max: number
  /** How many of them may come from one IPv4 address or IPv6 /64; of a /48 eight times as many. */
  maxPerAddress: number
  /** Whether the connections of an address are not limited: those of a trusted proxy. */
  isExempt(address: string | undefined): boolean
}

export type Connections = ReturnType<typeof trackConnections>

/** How many responses may be pending on one connection, which is closed at one request more. */
const maxPendingResponses = 50

type Connection = {
  socket: Socket
  /** The groups of addresses that it counts in. */
  groups: string[]
  pending: Set<ServerResponse>
  /** The latest request; undefined while no request has arrived. */
  request?: IncomingMessage
  /** When it was opened, or its last response was closed, in milliseconds. */
  idleSince: number
  /** Whether it was accepted so recently that what came with it has not been read yet. */
  isNew: boolean
}

/** Whether a connection has not sent a whole request: none yet, or one whose body has not arrived. */
const isIncomplete = ({ request }: Connection): boolean => !request?.complete

/** Whether a connection waits for its client: to send the next request, or to read a response. */
const isIdle = ({ pending, socket }: Connection): boolean => pending.size === 0 || socket.writableLength > 0

/**
 * The connection to close for another one: the longest idle, an incomplete one first, and one of which nothing could be read
 * yet last; undefined if all wait for the server.
 */
function connectionToClose(connections: Iterable<Connection>): Connection | undefined {
  const longest: { incomplete?: Connection; idle?: Connection; unread?: Connection } = {}
  for (const connection of connections) {
    const kind = isIncomplete(connection) ? (connection.isNew ? 'unread' : 'incomplete') : 'idle'
    if (kind === 'idle' && !isIdle(connection)) continue
    if (connection.idleSince < (longest[kind]?.idleSince ?? Number.POSITIVE_INFINITY))
      longest[kind] = connection
  }
  return longest.incomplete ?? longest.idle ?? longest.unread
}

/**
 * Limits the connections of a server, and tracks the responses due on each. Node's own `maxConnections` refuses the new
 * connection, so that clients which open connections and send nothing would lock out all others.
 *
 * Node's own close() resets requests that are on their way on idle connections, and waits for connections that browsers
 * open in advance; `drain` and `finish` do neither.
 */
export function trackConnections(server: Server, limits: Partial<ConnectionLimits> = {}) {
  const { max = Number.POSITIVE_INFINITY, maxPerAddress = Number.POSITIVE_INFINITY, isExempt } = limits
  const open = new Map<Duplex, Connection>()
  let isDraining = false
  let isFinishing = false
  let closedForLimits = 0

  const close = (socket: Duplex): void => {
    closedForLimits += 1
    socket.destroy()
  }
  /** Whether connections may be one more, after closing one of them where needed. */
  const hasRoom = (connections: Connection[], maxSize: number): boolean => {
    if (connections.length < maxSize) return true
    const victim = connectionToClose(connections)
    if (!victim) return false
    // At once, so that the next limit does not count it.
    open.delete(victim.socket)
    close(victim.socket)
    return true
  }
  const inGroup = (group: string): Connection[] =>
    [...open.values()].filter(({ groups }) => groups.includes(group))

  server.on('connection', (socket: Socket): void => {
    const { remoteAddress = '' } = socket
    const allowances = isExempt?.(remoteAddress) ? [] : addressAllowances(remoteAddress, maxPerAddress)
    const isAdmitted = allowances.every((allowance) => hasRoom(inGroup(allowance.group), allowance.max))
    if (!isAdmitted || !hasRoom([...open.values()], max)) return void close(socket)
    const connection: Connection = {
      socket,
      groups: allowances.map(({ group }) => group),
      pending: new Set(),
      idleSince: performance.now(),
      isNew: true,
    }
    open.set(socket, connection)
    socket.once('close', () => open.delete(socket))
    const setRead = () => {
      connection.isNew = false
    }
    // The next turn of the event loop reads it.
    setImmediate(() => setImmediate(setRead))
  })

  // One function for all responses: it is registered for each request.
  const onResponseClose = function (this: ServerResponse): void {
    const connection = open.get(this.req.socket)
    if (!connection) return
    connection.pending.delete(this)
    connection.idleSince = performance.now()
    // A response whose head was sent before the drain leaves its connection open.
    if (isFinishing && connection.pending.size === 0) connection.socket.destroySoon()
  }
  // Before the listener that may reply at once.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(request.socket)
    if (!connection) return
    if (connection.pending.size >= maxPendingResponses) return void close(request.socket)
    connection.pending.add(response)
    connection.request = request
    if (isDraining) response.setHeader('connection', 'close')
    response.on('close', onResponseClose)
  })

  /** From now on each response has `Connection: close`, and its connection is closed after it. */
  const drain = (): void => {
    isDraining = true
    for (const response of [...open.values()].flatMap(({ pending }) => [...pending])) {
      if (!response.headersSent) response.setHeader('connection', 'close')
    }
  }

  return {
    /** The responses that are pending on a connection, in the order of their requests. */
    pendingOn: (socket: Duplex): ServerResponse[] => [...(open.get(socket)?.pending ?? [])],
    /** How many connections were closed because a limit was exceeded. */
    closedForLimits: () => closedForLimits,
    drain,
    /**
     * Resolves when those connections are closed that are open now; or after a time in milliseconds, when the requests
     * that have arrived by then are read.
     */
    async emptied(withinMs: number): Promise<void> {
      const closed = [...open.keys()].map((socket) => new Promise((end) => socket.once('close', end)))
      await Promise.race([Promise.all(closed), wait(withinMs, undefined, { ref: false })])
      // The rest of this turn of the event loop reads nothing, the next one all that has arrived.
      await nextTurn()
      await nextTurn()
    },
    /** Closes each connection after its pending responses; a connection without one, at once. */
    finish(): void {
      isFinishing = true
      drain()
      for (const { socket, pending } of open.values()) if (pending.size === 0) socket.destroySoon()
    },
    /** Destroys every connection that is left; Node forgets one that asked for CONNECT. */
    destroy(): void {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
