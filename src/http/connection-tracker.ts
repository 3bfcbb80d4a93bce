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
  /** Whether it was accepted so recently that what came with it has not been read yet. */
  isNew: boolean
  pending: Set<ServerResponse>
  onIdle?: () => void
  /** When it was opened, or its last response was closed, in milliseconds. */
  idleSince: number
  hasSentRequest: boolean
  /** The latest request with a body. */
  body?: IncomingMessage
}

/** What a connection does that may be closed for another; undefined for one that waits for the server. */
function kindOf({ socket, pending, body, hasSentRequest }: Connection) {
  if (body && !body.complete) return 'body'
  if (!hasSentRequest) return 'silent'
  if (pending.size === 0) return 'idle'
  return socket.writableLength > 0 ? 'unread' : undefined
}

/** Which of these connections is closed for another one; undefined if all of them have to stay. */
function leastMissed(connections: Iterable<Connection>): Connection | undefined {
  const kinds = { silent: noneYet(), body: noneYet(), unread: noneYet(), idle: noneYet() }
  for (const connection of connections) {
    const kind = kindOf(connection)
    if (!kind) continue
    const { longest } = kinds[kind]
    kinds[kind].count += 1
    if (!longest || connection.idleSince < longest.idleSince) kinds[kind].longest = connection
  }
  const { idle, ...others } = kinds
  // In a flood of one kind, a client that is about to send its request, or its body, is one of the few of another.
  const [mostFrequent] = Object.values(others).sort((a, b) => b.count - a.count)
  const victim = mostFrequent?.longest
  // Nothing could be read from a new one yet.
  return !victim || victim.isNew ? (idle.longest ?? victim) : victim
}

/** The connections of a kind: how many, and the one that is idle longest. */
const noneYet = (): { count: number; longest?: Connection } => ({ count: 0 })

/**
 * Tracks the responses due on each connection of a server, and limits its connections.
 *
 * Where a new connection exceeds a limit, one of those that the limit counts is closed for it: one of the most frequent
 * kind among those that never sent a request, whose body has not come whole, or whose client does not read its response;
 * and only then one that waits for its next request. Of several, the one idle longest. If all of them wait for the server,
 * the new one is closed. Otherwise clients that open connections and send nothing, or little, or read nothing, would lock
 * everybody out.
 *
 * Node's own close() resets requests that are on their way on idle connections, and waits for connections that browsers
 * open in advance; `drain` and `finish` do neither.
 */
export function trackConnections(server: Server, limits: Partial<ConnectionLimits> = {}) {
  const {
    max = Number.POSITIVE_INFINITY,
    maxPerAddress = Number.POSITIVE_INFINITY,
    isExempt = () => false,
  } = limits
  const open = new Map<Duplex, Connection>()
  const byAddress = new Map<string, Set<Connection>>()
  let isDraining = false
  let isFinishing = false
  let closedForLimits = 0

  const remove = (connection: Connection) => {
    open.delete(connection.socket)
    for (const group of connection.groups) {
      const members = byAddress.get(group)
      members?.delete(connection)
      if (members?.size === 0) byAddress.delete(group)
    }
  }

  const refuse = (socket: Socket): void => {
    closedForLimits += 1
    socket.destroy()
  }

  /** Closes one of these connections, if one can be spared; false where none can. */
  const makeRoom = (connections: Iterable<Connection>): boolean => {
    const connection = leastMissed(connections)
    if (!connection) return false
    // At once, so that it is not counted by the next limit.
    remove(connection)
    refuse(connection.socket)
    return true
  }

  server.on('connection', (socket: Socket): void => {
    const { remoteAddress = '' } = socket
    const allowed = isExempt(remoteAddress) ? Number.POSITIVE_INFINITY : maxPerAddress
    const allowances = addressAllowances(remoteAddress, allowed)
    const hasRoom =
      allowances.every(({ group, max }) => {
        const members = byAddress.get(group) ?? new Set()
        return members.size < max || makeRoom(members)
      }) &&
      (open.size < max || makeRoom(open.values()))
    if (!hasRoom) return void refuse(socket)
    const groups = allowances.map(({ group }) => group)
    const connection: Connection = {
      socket,
      groups,
      isNew: true,
      pending: new Set(),
      idleSince: performance.now(),
      hasSentRequest: false,
    }
    open.set(socket, connection)
    for (const group of groups) {
      const members = byAddress.get(group) ?? new Set()
      byAddress.set(group, members.add(connection))
    }
    socket.once('close', () => remove(connection))
    // The next turn of the event loop reads it.
    setImmediate(() =>
      setImmediate(() => {
        connection.isNew = false
      }),
    )
  })

  // One function for all responses: it is registered for each request.
  const onResponseClose = function (this: ServerResponse): void {
    const { socket } = this.req
    const connection = open.get(socket)
    if (!connection) return
    connection.pending.delete(this)
    connection.idleSince = performance.now()
    if (connection.pending.size > 0) return
    connection.onIdle?.()
    // A response whose head was sent before the drain leaves its connection open.
    if (isFinishing) socket.destroySoon()
  }
  // Before the listener that may reply at once.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request
    const connection = open.get(socket)
    if (!connection) return
    if (connection.pending.size >= maxPendingResponses) return void refuse(socket)
    connection.pending.add(response)
    connection.hasSentRequest = true
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0) {
      connection.body = request
    }
    response.shouldKeepAlive &&= !isDraining
    response.on('close', onResponseClose)
  })

  /** From now on each response has `Connection: close`, and its connection is closed after it. */
  const drain = (): void => {
    isDraining = true
    for (const { pending } of open.values()) {
      for (const response of pending) response.shouldKeepAlive = false
    }
  }

  /** Whether a response is pending on a connection. */
  const hasPending = (socket: Duplex): boolean => (open.get(socket)?.pending.size ?? 0) > 0

  return {
    hasPending,
    /** How many connections were closed because a limit was exceeded. */
    closedForLimits: () => closedForLimits,
    /** Runs a function once no response is pending on a connection. */
    onceIdle(socket: Duplex, run: () => void): void {
      const connection = open.get(socket)
      if (connection && hasPending(socket)) connection.onIdle = run
      else run()
    },
    drain,
    /**
     * Resolves when those connections are closed that are open now; or after a time in milliseconds, when the requests
     * that have arrived by then are read.
     */
    async emptied(withinMs: number): Promise<void> {
      const closed = [...open.values()].map(({ socket }) => new Promise((end) => socket.once('close', end)))
      await Promise.race([Promise.all(closed), wait(withinMs, undefined, { ref: false })])
      // The rest of this turn of the event loop reads nothing, the next one all that has arrived.
      await nextTurn()
      await nextTurn()
    },
    /** Closes each connection after its pending responses; a connection without one, at once. */
    finish(): void {
      isFinishing = true
      drain()
      for (const { socket, pending } of open.values()) {
        if (pending.size === 0) socket.destroySoon()
      }
    },
    /** Destroys every connection that is left; Node forgets one that asked for CONNECT. */
    destroy(): void {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
