import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A response as it was received. */
export type Answer = {
  /** The request that the server read; undefined for a response to bytes that are not HTTP. */
  request?: string
  status: number
  /** By lower-case name, in the order of their names; the values of a repeated header are joined by a line break. */
  headers: Record<string, string>
  /** One character for each byte. */
  body: string
}

/** A request, with the method and the target that were sent, and its response. */
type Exchange = { name: string; request: IncomingMessage; response: ServerResponse }
/** What the server, which runs in this process, knows of a connection. */
type Connection = { socket: Socket; exchanges: Exchange[] }

/** A connection of a client, to one of the HTTP servers of this process. */
export type Wire = {
  /** Sends bytes. @returns the responses that they got, in order */
  send(bytes: Uint8Array): Promise<Answer[]>
  /** Sends no more. @returns the responses that came then */
  end(): Promise<Answer[]>
  readonly isClosed: boolean
}

/**
 * Opens connections to the HTTP servers of this process. What they get is complete when the server has read
 * everything, and waits for more or has answered everything. No time is waited for, so a loaded machine changes nothing.
 */
export function createWires() {
  /** By the ports of client and server: two connections to different servers may have the same client port. */
  const connections = new Map<string, Connection>()
  const portsOf = ({ remotePort, localPort }: Socket) => `${remotePort} ${localPort}`
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    const ports = portsOf(socket)
    connections.set(ports, { socket, exchanges: [] })
    socket.once('close', () => connections.delete(ports))
  }
  const onRequest = (message: unknown) => {
    const { request, response } = message as Omit<Exchange, 'name'>
    const name = `${request.method} ${request.url}`
    connections.get(portsOf(request.socket))?.exchanges.push({ name, request, response })
  }
  subscribe('net.server.socket', onSocket)
  subscribe('http.server.request.start', onRequest)

  return {
    async open(url: string): Promise<Wire> {
      const { hostname, port } = new URL(url)
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let chunks: Buffer[] = []
      let isClosed = false
      // A reset ends the connection too; what was received before it counts.
      socket.on('error', () => {})
      socket.on('data', (chunk) => chunks.push(chunk))
      socket.once('close', () => {
        isClosed = true
      })
      let connection: Connection | undefined
      while (!isClosed && !connection) {
        connection = connections.get(`${socket.localPort} ${port}`)
        await turn(socket)
      }

      const take = () => {
        const exchanges = connection?.exchanges.splice(0) ?? []
        const received = Buffer.concat(chunks).toString('latin1')
        chunks = []
        return readAnswers(received, exchanges.map(nameOf))
      }
      const isDone = () => connection && isIdle(connection, socket)
      return {
        async send(bytes) {
          socket.write(bytes)
          const begun = performance.now()
          while (!isClosed && !isDone()) {
            if (performance.now() - begun > timeoutMs) {
              throw new Error(
                `No response in ${timeoutMs} ms to ${JSON.stringify(String(bytes).slice(0, 1000))}`,
              )
            }
            await turn(socket)
          }
          return take()
        },
        async end() {
          socket.end()
          while (!isClosed) await turn(socket)
          return take()
        },
        get isClosed() {
          return isClosed
        },
      }
    },
    stop() {
      unsubscribe('net.server.socket', onSocket)
      unsubscribe('http.server.request.start', onRequest)
    },
  }
}

/** How long a response may take on a machine that is busy with other things. */
const timeoutMs = 60_000

/** Waits until something is received, and at most for a millisecond: not everything that is waited for has an event. */
const turn = (socket: Socket) =>
  new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      socket.off('data', wake)
      setImmediate(resolve)
    }
    const timer = setTimeout(wake, 1)
    socket.once('data', wake)
  })

const nameOf = ({ name, request }: Exchange): string => (request.complete ? name : `${name} (not complete)`)

/** Whether everything is read and answered, and the client has the answers; or the server waits for more of a request. */
const isIdle = ({ socket, exchanges }: Connection, client: Socket): boolean =>
  socket.bytesRead >= client.bytesWritten &&
  client.bytesRead >= socket.bytesWritten &&
  exchanges.every(
    ({ request, response }) =>
      response.writableFinished || response.destroyed || (!request.complete && isReading(request)),
  )

/** Whether the server takes what arrives of a request, by either interface of streams. */
const isReading = (request: IncomingMessage): boolean =>
  request.readableFlowing === true || request.listenerCount('readable') > 0

/** @param requests the methods and paths of the requests that were answered */
function readAnswers(received: string, requests: string[]): Answer[] {
  const answers: Answer[] = []
  let unread = received
  while (unread !== '') {
    const end = unread.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = unread.slice(0, Math.max(end, 0)).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0)
    if (status === 0) return [...answers, { status, headers: {}, body: unread }]
    const isInterim = status < 200
    const request = isInterim ? undefined : requests.shift()
    const headers = readHeaders(lines)
    const hasBody = !isInterim && status !== 204 && status !== 304 && !request?.startsWith('HEAD ')
    // Without a length, as for HTTP/1.0, the body ends with the connection.
    const length = hasBody ? Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) : 0
    const body = unread.slice(end + 4, end + 4 + length)
    unread = unread.slice(end + 4 + length)
    answers.push({ ...(request !== undefined && { request }), status, headers, body })
  }
  return answers
}

function readHeaders(lines: string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*): *(.*)$/.exec(line) ?? []
    const key = name.toLowerCase()
    const earlier = headers.get(key)
    headers.set(key, earlier === undefined ? value : `${earlier}\n${value}`)
  }
  return Object.fromEntries([...headers].sort(([a], [b]) => (a < b ? -1 : 1)))
}
