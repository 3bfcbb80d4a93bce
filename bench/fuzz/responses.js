// Reading what a server answers from the bytes of a connection.

/**
 * Takes whole answers off the front of a buffer. Interim answers (1xx) are left out.
 * @param isHead tells of the answer of this number, from 0, whether it has no body because HEAD was asked
 * @param isClosed whether no more bytes will come
 * @returns the answers, how many bytes they took, and `fault` where the bytes are not HTTP
 */
export function takeResponses(bytes, isHead = () => false, isClosed = false) {
  const responses = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end === -1) break
    const head = bytes.latin1Slice(at, end)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
    if (!status) return { responses, used: at, fault: `not an answer: ${JSON.stringify(head.slice(0, 120))}` }
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
