// A client that asks as fast as it is answered, in a process of its own: over raw sockets that are kept alive, so
// that the client costs little beside the server. It is told of each run by its parent, and reports to it.
import { connect } from 'node:net'

const requestOf = ({ method, path, host, cookie, body }) => {
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  if (cookie) head.push(`cookie: ${cookie}`)
  if (body === undefined) return `${head.join('\r\n')}\r\n\r\n`
  head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** How many bytes of a text are one answer; 0 while it is not whole. Of chunks only the last is looked for. */
function lengthOfAnswer(text) {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return 0
  const head = text.slice(0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  if (length) return text.length >= end + 4 + Number(length[1]) ? end + 4 + Number(length[1]) : 0
  const last = text.indexOf('0\r\n\r\n', end)
  return last === -1 ? 0 : last + 5
}

let serial = 0

/**
 * Asks one server over some connections, for a time.
 * @param work.cookies taken in turn; `work.body` has `#` where each request has a number of its own
 * @returns the answers a second, their times in ms, and how many of them had another status than was expected
 */
export async function load({ url, work, connections, ms }) {
  const { hostname, port, host } = new URL(url)
  const { method, path, status, body, cookies = [undefined] } = work
  const fixed = body?.includes('#')
    ? undefined
    : cookies.map((cookie) => requestOf({ method, path, host, cookie, body }))
  const next = () => {
    serial += 1
    if (fixed) return fixed[serial % fixed.length]
    const cookie = cookies[serial % cookies.length]
    return requestOf({ method, path, host, cookie, body: body.replaceAll('#', `${process.pid}-${serial}`) })
  }

  const times = []
  let wrong = 0
  const started = performance.now()
  const until = started + ms

  const talk = () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      socket.setNoDelay(true)
      let asked = 0
      let text = ''
      const ask = () => {
        asked = performance.now()
        socket.write(next())
      }
      socket.once('connect', ask)
      socket.on('data', (chunk) => {
        text += chunk.latin1Slice()
        const length = lengthOfAnswer(text)
        if (length === 0) return
        if (Number(text.slice(9, 12)) !== status) wrong += 1
        text = text.slice(length)
        const now = performance.now()
        times.push(now - asked)
        if (now < until) return ask()
        socket.destroy()
      })
      socket.once('error', reject)
      socket.once('close', resolve)
    })

  await Promise.all(Array.from({ length: connections }, talk))
  const lasted = performance.now() - started
  times.sort((a, b) => a - b)
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return {
    count: times.length,
    perSecond: (times.length / lasted) * 1000,
    p50: at(0.5),
    p99: at(0.99),
    wrong,
  }
}

process.on('message', (run) => {
  load(run).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: String(error) }),
  )
})
