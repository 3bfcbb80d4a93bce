// Sends fuzzed requests over raw sockets, and judges the answers.
import { connect } from 'node:net'
import { takeResponses } from './responses.js'
import { brokenRule } from './rules.js'

/** How long an answer may take, in ms: a server that is busy with others is not at fault. */
const patience = 30_000

/** How long a connection is watched for more answers to bytes that nobody knows the end of, in ms. */
const quietMs = 15

/** Sends bytes on a connection of their own, and gives what comes back until the server closes it or says no more. */
function exchange({ hostname, port }, bytes) {
  return new Promise((resolve) => {
    const chunks = []
    let isClosedByServer = true
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const leave = () => {
      isClosedByServer = false
      socket.destroy()
    }
    let timer = setTimeout(leave, 2 * quietMs)
    // The server may close at once, and the rest of what is sent be reset: what was answered until then counts.
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      clearTimeout(timer)
      timer = setTimeout(leave, quietMs)
    })
    socket.on('close', () => {
      clearTimeout(timer)
      resolve({ answer: Buffer.concat(chunks), isClosedByServer })
    })
    socket.write(bytes)
  })
}

/**
 * Sends broken requests one connection each.
 * @returns how many answers came
 */
export async function sendBroken(url, bytes, codes, report) {
  const { answer, isClosedByServer } = await exchange(url, bytes)
  // Whether a body is due for HEAD nobody knows of broken requests: such answers are not judged.
  if (/HEAD /.test(bytes.latin1Slice())) return 1
  const { responses, fault } = takeResponses(answer, undefined, isClosedByServer)
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
 */
export function sendPipeline(url, requests, codes, report) {
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    let received = Buffer.alloc(0)
    let answered = 0
    let isDone = false
    const sent = Buffer.concat(requests.map(({ bytes }) => bytes))
    const isHead = (from) => (number) => requests[from + number]?.method === 'HEAD'
    const finish = () => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      socket.destroy()
      resolve(answered)
    }
    const timer = setTimeout(() => {
      report(
        `${requests.length - answered} of ${requests.length} requests were not answered in ${patience} ms`,
        sent,
      )
      finish()
    }, patience)
    socket.on('error', finish)
    socket.on('close', finish)
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const { responses, used, fault } = takeResponses(received, isHead(answered))
      received = received.subarray(used)
      if (fault) {
        report(fault, sent)
        return finish()
      }
      for (const response of responses) {
        const broken = brokenRule(response, requests[answered]?.method === 'HEAD', codes)
        if (broken) report(broken, requests[answered]?.bytes ?? sent)
        answered += 1
        if (response.closes) return finish()
      }
      if (answered >= requests.length) finish()
    })
    socket.write(sent)
  })
}
