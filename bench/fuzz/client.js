// Sends fuzzed requests over raw sockets, and checks the responses.
import { connect } from 'node:net'
import { takeResponses } from './responses.js'
import { brokenRule } from './rules.js'

/** How long a response may take, in ms. Long, since the server is busy with other connections. */
const timeoutMs = 30_000

/** After this time without data, in ms, the response to broken bytes counts as complete: its end is unknown. */
const quietMs = 15

/**
 * Sends bytes on a new connection.
 * @param options.isWhole whether the received bytes are complete
 * @param options.limitMs the time limit, and `isRenewed`, whether it begins again after each received chunk
 * @returns the `received` bytes; `hasClosed`, whether the server closed the connection; and `isLate`, whether the limit was reached
 */
function exchange({ hostname, port }, bytes, { isWhole = () => false, limitMs, isRenewed = false }) {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    let isLate = false
    let isLeft = false
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const leave = () => {
      isLeft = true
      socket.destroy()
    }
    const giveUp = () => {
      isLate = true
      leave()
    }
    let timer = setTimeout(giveUp, isRenewed ? 2 * limitMs : limitMs)
    // The server may close early and reset the connection. The bytes received before count.
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (isWhole(received)) leave()
      if (!isRenewed) return
      clearTimeout(timer)
      timer = setTimeout(giveUp, limitMs)
    })
    socket.on('close', () => {
      clearTimeout(timer)
      resolve({ received, hasClosed: !isLeft, isLate })
    })
    socket.write(bytes)
  })
}

/**
 * Sends broken bytes on a new connection.
 * @returns the number of responses
 */
export async function sendBroken(url, bytes, codes, report) {
  const { received, hasClosed } = await exchange(url, bytes, { limitMs: quietMs, isRenewed: true })
  // It is unclear whether the response to a broken HEAD has a body, so it is not checked.
  if (/HEAD /.test(bytes.latin1Slice())) return 1
  const { responses, fault } = takeResponses(received, undefined, hasClosed)
  if (fault) report(fault, bytes)
  for (const response of responses) {
    const broken = brokenRule(response, false, codes)
    if (broken) report(broken, bytes)
  }
  return responses.length
}

/**
 * Sends a pipeline of well-framed requests on a new connection. Each must get a response, unless the server sends
 * `Connection: close`.
 * @param requests `{ method, bytes }`
 * @returns the number of responses
 */
export async function sendPipeline(url, requests, codes, report) {
  const sent = Buffer.concat(requests.map(({ bytes }) => bytes))
  const isHead = (number) => requests[number]?.method === 'HEAD'
  const { received, isLate } = await exchange(url, sent, {
    limitMs: timeoutMs,
    isWhole(bytes) {
      const { responses, fault } = takeResponses(bytes, isHead)
      return fault || responses.length >= requests.length || responses.at(-1)?.closes
    },
  })
  const { responses, fault } = takeResponses(received, isHead)
  if (fault) report(fault, sent)
  const missing = requests.length - responses.length
  if (isLate) report(`${missing} of ${requests.length} requests were not answered in ${timeoutMs} ms`, sent)
  for (const [number, response] of responses.entries()) {
    const broken = brokenRule(response, isHead(number), codes)
    if (broken) report(broken, requests[number]?.bytes ?? sent)
  }
  return responses.length
}
