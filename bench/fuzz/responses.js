// Parses responses from the bytes of a connection.

/**
 * Parses the complete responses at the start of a buffer, without interim responses (1xx).
 * @param isHead whether the response with this index (from 0) has no body because it answers HEAD
 * @param isClosed whether no more bytes will come
 * @returns the `responses`; `used`, the number of bytes they took; and `fault` if the bytes are not HTTP
 */
export function takeResponses(bytes, isHead = () => false, isClosed = false) {
  const responses = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end === -1) break
    const head = bytes.latin1Slice(at, end)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
    if (!status)
      return { responses, used: at, fault: `not a response: ${JSON.stringify(head.slice(0, 120))}` }
    const start = end + 4
    if (status < 200) {
      at = start
      continue
    }
    const bodiless = status === 204 || status === 304 || isHead(responses.length)
    const length = bodiless ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1])
    if (Number.isNaN(length))
      return { responses, used: at, fault: `no length: ${JSON.stringify(head.slice(0, 200))}` }
    if (start + length > bytes.length) break
    const type = /\r\ncontent-type: *([^\r]+)/i.exec(head)?.[1] ?? ''
    const closes = /\r\nconnection: *close/i.test(head)
    responses.push({ status, type, closes, text: bytes.utf8Slice(start, start + length) })
    at = start + length
  }
  const rest = bytes.length - at
  return {
    responses,
    used: at,
    fault:
      isClosed && rest > 0
        ? `cut off: ${JSON.stringify(bytes.subarray(at, at + 120).toString('latin1'))}`
        : undefined,
  }
}
