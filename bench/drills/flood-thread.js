// The thread of `noisy-neighbour.js`: connections that send the same request many times, and again as soon as all are answered.
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { url, connections, pipelined, request } = workerData
const { hostname, port } = new URL(url)
const all = Buffer.from(request.repeat(pipelined))
const counts = { sent: 0 }
let isStopped = false

for (let i = 0; i < connections; i += 1) {
  const open = () => {
    if (isStopped) return
    const socket = connect({ host: hostname, port: Number(port) })
    let waiting = 0
    const send = () => {
      waiting = pipelined
      counts.sent += pipelined
      socket.write(all)
    }
    socket.on('connect', send)
    socket.setEncoding('latin1').on('data', (text) => {
      for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d+) /g)) {
        counts[status] = (counts[status] ?? 0) + 1
        waiting -= 1
      }
      if (waiting <= 0 && !isStopped) send()
    })
    socket.on('error', () => {})
    socket.on('close', () => setTimeout(open, 50))
  }
  open()
}
parentPort.once('message', () => {
  isStopped = true
  parentPort.postMessage(counts)
  process.exit()
})
