// A connection of the load: a raw socket that is kept alive, so that asking costs little beside answering.
import { connect } from 'node:net'

/**
 * Opens a connection for one request at a time.
 * @param options.keepsBytes whether an answer's bytes are wanted; else they are counted and let go
 * @returns `ask(request)`, which gives the answer's `status`, and its `bytes` if they are kept; and `end()`
 */
export async function openConnection({ hostname, port, keepsBytes = false }) {
  /** What is known of the answer that is coming; `missing` is how many bytes are to come, NaN where it has chunks. */
  let answer
  let kept = []

  const begin = (bytes) => {
    const end = bytes.indexOf('\r\n\r\n')
    if (end === -1) throw new Error('The head of an answer came in parts')
    const head = bytes.latin1Slice(0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    answer.status = Number(head.slice(9, 12))
    answer.missing = length === undefined ? Number.NaN : end + 4 + Number(length)
  }

  const read = (bytes) => {
    if (answer.missing === undefined) begin(bytes)
    if (keepsBytes) kept.push(Buffer.from(bytes))
    answer.missing -= bytes.length
    const isWhole = Number.isNaN(answer.missing) ? bytes.latin1Slice(-5) === '0\r\n\r\n' : answer.missing <= 0
    if (!isWhole) return
    const { status, resolve } = answer
    answer = undefined
    resolve({ status, bytes: kept.length === 1 ? kept[0] : Buffer.concat(kept) })
    kept = []
  }

  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      // One buffer for all that comes: a new one for each answer would cost more than reading it.
      onread: {
        buffer: Buffer.allocUnsafe(65_536),
        callback(length, buffer) {
          read(buffer.subarray(0, length))
          return true
        },
      },
    })
    const fail = (error) => (answer ?? { reject }).reject(error)
    socket.once('error', fail)
    socket.once('close', () => fail(new Error('The server closed the connection')))
    socket.once('connect', () =>
      resolve({
        ask: (request) =>
          new Promise((resolve, reject) => {
            answer = { resolve, reject }
            socket.write(request)
          }),
        end: () => socket.destroy(),
      }),
    )
  })
}
