// A client connection: a raw keep-alive socket, so that requests cost the client little.
import { connect } from 'node:net'

/**
 * Opens a connection for one request at a time.
 * @param options.collectBytes whether responses are collected; otherwise they are counted and discarded
 * @returns `request(bytes)`, which resolves with the response's `status`, and its `bytes` if collected; and `end()`
 */
export async function openConnection({ hostname, port, collectBytes = false }) {
  /** The response being received. `missing` is the number of bytes to come, NaN with chunked encoding. */
  let pending
  let chunks = []

  const parseHead = (bytes) => {
    const end = bytes.indexOf('\r\n\r\n')
    if (end === -1) throw new Error('A response head arrived in parts')
    const head = bytes.latin1Slice(0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    pending.status = Number(head.slice(9, 12))
    pending.missing = length === undefined ? Number.NaN : end + 4 + Number(length)
  }

  const receive = (bytes) => {
    if (pending.missing === undefined) parseHead(bytes)
    if (collectBytes) chunks.push(Buffer.from(bytes))
    pending.missing -= bytes.length
    const isComplete = Number.isNaN(pending.missing)
      ? bytes.latin1Slice(-5) === '0\r\n\r\n'
      : pending.missing <= 0
    if (!isComplete) return
    const { status, resolve } = pending
    pending = undefined
    resolve({ status, bytes: chunks.length === 1 ? chunks[0] : Buffer.concat(chunks) })
    chunks = []
  }

  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      // One buffer for everything received: a new one for each response would cost more than reading it.
      onread: {
        buffer: Buffer.allocUnsafe(65_536),
        callback(length, buffer) {
          receive(buffer.subarray(0, length))
          return true
        },
      },
    })
    const fail = (error) => (pending ?? { reject }).reject(error)
    socket.once('error', fail)
    socket.once('close', () => fail(new Error('The server closed the connection')))
    socket.once('connect', () =>
      resolve({
        request: (bytes) =>
          new Promise((resolve, reject) => {
            pending = { resolve, reject }
            socket.write(bytes)
          }),
        end: () => socket.destroy(),
      }),
    )
  })
}
