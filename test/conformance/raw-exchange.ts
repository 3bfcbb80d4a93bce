import { connect } from 'node:net'

/** A response as it was sent. An interim response has no body. */
export type RawResponse = { status: number; head: string; body: string }

/**
 * Sends the characters of a text as bytes on a new connection. Resolves when the server has closed the connection.
 */
export function exchange({ baseUrl }: { baseUrl: string }, bytes: string): Promise<RawResponse[]> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  // The server may close the connection before it has read everything. The bytes received until then count.
  socket.on('error', () => {})
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(bytes, 'latin1')
  return new Promise((resolve, reject) => {
    socket.on('close', () => {
      try {
        resolve(responsesIn(Buffer.concat(chunks).toString('latin1')))
      } catch (error) {
        reject(error)
      }
    })
  })
}

/** @throws Error if the text is not a series of complete responses with a length */
export function responsesIn(text: string): RawResponse[] {
  if (text === '') return []
  const [, head = '', code] = text.match(/^(HTTP\/1\.1 (\d+) .*?)\r\n\r\n/s) ?? []
  const status = Number(code)
  const length = status < 200 ? 0 : Number(head.match(/\r\ncontent-length: (\d+)/i)?.[1])
  const start = head.length + 4
  if (!head || Number.isNaN(length) || start + length > text.length) {
    throw new Error(`No whole response: ${JSON.stringify(text.slice(0, 300))}`)
  }
  const body = Buffer.from(text.slice(start, start + length), 'latin1').toString()
  return [{ status, head, body }, ...responsesIn(text.slice(start + length))]
}
