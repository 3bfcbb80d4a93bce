// Sends fuzzed requests over raw sockets, and judges the answers.
import { connect } from 'node:net'
import { takeResponses } from './responses.js'
import { brokenRule } from './rules.js'

/** How long an answer may take, in ms: a server that is busy with others is not at fault. */
const patience = 30_000

/** How long a connection is watched for more answers to bytes that nobody knows the end of, in ms. */
const quietMs = 15

/**
 * Sends bytes on a connection of their own.
 * @param options.isWhole whether nothing more is due after what came
 * @param options.limitMs for how long more is waited for, and `isRenewed`, whether so long after each part
 * @returns what came, and whether the server `hasClosed` the connection, or nothing more came in time (`isLate`)
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
    // The server may close at once, and the rest of what is sent be reset: what was answered until then counts.
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
 * Sends broken requests one connection each.
 * @returns how many answers came
 */
export async function sendBroken(url, bytes, codes, report) {
  const { received, hasClosed } = await exchange(url, bytes, { limitMs: quietMs, isRenewed: true })
  // Whether a body is due for HEAD nobody knows of broken requests: such answers are not judged.
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
 * Sends a pipeline of framed requests on a kept connection; each has to be answered, in order, unless the server says that it closes.
 * @param requests `{ method, bytes }`
 * @returns how many answers came
 */
export async function sendPipeline(url, requests, codes, report) {
  const sent = Buffer.concat(requests.map(({ bytes }) => bytes))
  const isHead = (number) => requests[number]?.method === 'HEAD'
  const { received, isLate } = await exchange(url, sent, {
    limitMs: patience,
    isWhole(bytes) {
      const { responses, fault } = takeResponses(bytes, isHead)
      return fault || responses.length >= requests.length || responses.at(-1)?.closes
    },
  })
  const { responses, fault } = takeResponses(received, isHead)
  if (fault) report(fault, sent)
  const missing = requests.length - responses.length
  if (isLate) report(`${missing} of ${requests.length} requests were not answered in ${patience} ms`, sent)
  for (const [number, response] of responses.entries()) {
    const broken = brokenRule(response, isHead(number), codes)
    if (broken) report(broken, requests[number]?.bytes ?? sent)
  }
  return responses.length
}
