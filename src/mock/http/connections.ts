import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { sendResponse } from './node-http.js'

/** The most responses that may be due on a connection. A client that pipelines more requests is disconnected. */
const maxDue = 50

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void
/** The responses that are due on a connection, and what to do once there is none. */
type Connection = { due: number; onIdle?: () => void }

/**
 * Passes the requests of a server on.
 * @param refuseConnect returns the response to CONNECT, for which Node has an event of its own
 */
export function handleConnections(server: Server, handle: Handler, refuseConnect: () => Response): void {
  const connections = new WeakMap<object, Connection>()
  const connectionOf = (socket: object): Connection => {
    const connection = connections.get(socket) ?? { due: 0 }
    connections.set(socket, connection)
    return connection
  }

  const onRequest: Handler = (incoming, outgoing) => {
    const { socket } = incoming
    // Node passes on the requests that it has read already after their connection was closed, too.
    if (socket.destroyed) return
    const connection = connectionOf(socket)
    if (connection.due >= maxDue) return void socket.destroy()
    connection.due += 1
    outgoing.once('close', () => {
      connection.due -= 1
      if (connection.due === 0) connection.onIdle?.()
    })
    handle(incoming, outgoing)
  }

  server.on('request', onRequest)
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // It would be written at once: into the middle of another response that is due.
    if (connectionOf(incoming.socket).due === 0) outgoing.writeContinue()
    onRequest(incoming, outgoing)
  })
  // Node would respond to an unknown Expect header with an empty 417. It is ignored, as in production.
  server.on('checkExpectation', onRequest)

  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    // Node has taken its own listeners off.
    socket.on('error', () => socket.destroy())
    const respond = () => {
      const outgoing = new ServerResponse(incoming)
      outgoing.shouldKeepAlive = false
      outgoing.assignSocket(socket)
      outgoing.once('finish', () => socket.end())
      void sendResponse(refuseConnect(), outgoing)
    }
    const connection = connectionOf(socket)
    if (connection.due === 0) respond()
    else connection.onIdle = respond
  })
}
