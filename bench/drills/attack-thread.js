// A thread of clients that take connections and never finish what they begin. One that the server closes is opened again, as an
// attacker would. Its data:
// - `url`, and how many `connections`, from how many `addresses` of the loopback network, the first of them `from`
// - `kind`: `slow-heads` and `slow-bodies` send a byte or a header a second; `idle` sends nothing
// It posts `closed`, how many connections the server closed, and `longestMs`, the longest time that one was open.
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { url, kind, connections, addresses = 40, from = '127.0.1.1' } = workerData
const { hostname, port, host } = new URL(url)
const [network, first] = [from.replace(/\d+$/, ''), Number(from.split('.').at(-1))]

/** How long after its end a connection is opened again, in ms: 1,000 that are refused are 2,000 new ones a second. */
const againMs = 500
/** What a connection begins with, and what it sends each second. */
const { begin, more } = {
  'slow-heads': { begin: `GET /v1/projects HTTP/1.1\r\nhost: ${host}\r\n`, more: 'x-a: b\r\n' },
  'slow-bodies': {
    begin: `POST /v1/waitlist HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{`,
    more: ' ',
  },
  idle: {},
}[kind]

/** Open sockets, and since when. */
const sockets = new Map()
let closed = 0
let longestMs = 0
let isStopped = false

const open = (number) => {
  if (isStopped) return
  const socket = connect({
    host: hostname,
    port: Number(port),
    localAddress: `${network}${first + (number % addresses)}`,
  })
  socket.on('connect', () => {
    sockets.set(socket, performance.now())
    if (begin) socket.write(begin)
  })
  socket.on('error', () => {})
  socket.resume()
  socket.on('close', () => {
    const since = sockets.get(socket)
    if (since !== undefined) {
      closed += 1
      longestMs = Math.max(longestMs, performance.now() - since)
      sockets.delete(socket)
    }
    setTimeout(open, againMs, number)
  })
}
for (let number = 0; number < connections; number += 1) open(number)
const beat = setInterval(() => {
  for (const socket of sockets.keys()) if (more && socket.writable) socket.write(more)
}, 1_000)

parentPort.once('message', () => {
  isStopped = true
  clearInterval(beat)
  const now = performance.now()
  for (const since of sockets.values()) longestMs = Math.max(longestMs, now - since)
  parentPort.postMessage({ closed, open: sockets.size, longestMs: Math.round(longestMs) })
  for (const socket of sockets.keys()) socket.destroy()
  process.exit()
})
