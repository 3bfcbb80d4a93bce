import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { addressAllowances } from './address-allowance.js'

export type ConnectionLimits = {
  /** The maximum number of open connections. */
  max: number
  /** The maximum for an IPv4 address or an IPv6 /64. A /48 may have eight times as many. */
  maxPerAddress: number
  /** Exempts addresses, such as a trusted proxy, from the limit per address. */
  isExempt(address: string | undefined): boolean
}

export type Connections = ReturnType<typeof trackConnections>

/** The maximum number of pending responses. A further request closes the connection. */
const maxPendingResponses = 50

type Connection = {
  socket: Socket
  /** The groups of addresses that the connection counts for. */
  groups: string[]
  pending: Set<ServerResponse>
  /** The latest request, if one has arrived. */
  request?: IncomingMessage
  /** The time when it was opened or its last response was closed, in milliseconds. */
  idleSince: number
  /** Whether it was just accepted, so that its first data has not been read yet. */
  isNew: boolean
}

/** Whether no request, or only a part of one, has arrived. */
const isIncomplete = ({ request }: Connection): boolean => !request?.complete

/** Whether a connection waits for its client to send a request or to read a response. */
const isIdle = ({ pending, socket }: Connection): boolean => pending.size === 0 || socket.writableLength > 0

/**
 * Chooses the connection to close for a new one: an incomplete one, else an idle one, else one whose first data is unread; of
 * several the longest idle. Undefined if all wait for a response.
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
 * Limits the connections of a server, and tracks the pending responses of each. Node's own `maxConnections` refuses new
 * connections, so that silent clients would lock out all others.
 * Node's own close() resets requests that are on their way on idle connections, and waits for connections that browsers open
 * in advance. `drain` and `finish` do neither.
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
  /** Makes room for a connection by closing another one if necessary. @returns whether there is room */
  const hasRoom = (connections: Connection[], maxSize: number): boolean => {
    if (connections.length < maxSize) return true
    const victim = connectionToClose(connections)
    if (!victim) return false
    // Deleted at once, so that the next limit does not count it.
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
    // Its data is read in the next turn of the event loop.
    setImmediate(() => setImmediate(setRead))
  })

  // A shared function: it is registered for each request.
  const onResponseClose = function (this: ServerResponse): void {
    const connection = open.get(this.req.socket)
    if (!connection) return
    connection.pending.delete(this)
    connection.idleSince = performance.now()
    // A response whose head was sent before the drain leaves its connection open.
    if (isFinishing && connection.pending.size === 0) connection.socket.destroySoon()
  }
  // Runs before the listener that may reply at once.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(request.socket)
    if (!connection) return
    if (connection.pending.size >= maxPendingResponses) return void close(request.socket)
    connection.pending.add(response)
    connection.request = request
    if (isDraining) response.setHeader('connection', 'close')
    response.on('close', onResponseClose)
  })

  /** From now on responses have `Connection: close`, and close their connections. */
  const drain = (): void => {
    isDraining = true
    for (const response of [...open.values()].flatMap(({ pending }) => [...pending])) {
      if (!response.headersSent) response.setHeader('connection', 'close')
    }
  }

  return {
    /** The pending responses of a connection, in the order of their requests. */
    pendingOn: (socket: Duplex): ServerResponse[] => [...(open.get(socket)?.pending ?? [])],
    closedForLimits: () => closedForLimits,
    drain,
    /**
     * Resolves when all connections that are open now are closed, or after a time in milliseconds, once all requests that
     * have arrived are read.
     */
    async emptied(withinMs: number): Promise<void> {
      const closed = [...open.keys()].map((socket) => new Promise((end) => socket.once('close', end)))
      await Promise.race([Promise.all(closed), wait(withinMs, undefined, { ref: false })])
      // The rest of this turn of the event loop reads nothing; the next one reads all data.
      await nextTurn()
      await nextTurn()
    },
    /** Closes each connection after its pending responses; a connection without one, at once. */
    finish(): void {
      isFinishing = true
      drain()
      for (const { socket, pending } of open.values()) if (pending.size === 0) socket.destroySoon()
    },
    /** Destroys the remaining connections. Node itself forgets connections that sent CONNECT. */
    destroy(): void {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
