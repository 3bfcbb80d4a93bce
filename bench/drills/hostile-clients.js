// Clients that misuse their connections, in a thread of their own, so that they delay nothing else of this process. One that the
// server closes is opened again, as an attacker would.
import { connect } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/**
 * @param data.url of the server, and how many `connections`, from how many `addresses` of the loopback network, the first `from`
 * @param data.begin what each sends first, and `more`, what it sends each second; or `pipelined`: it sends its beginning so many
 *   times, and again as soon as all are answered
 * @param data.againMs how long after its end a connection is opened again
 * @returns `stop()`, which resolves with how many requests were `sent`, and the longest time that a connection was open, `longestMs`
 */
export function startHostileClients(data) {
  const worker = new Worker(new URL(import.meta.url), { workerData: data })
  const done = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  // It is awaited by `stop`, which may come later.
  done.catch(() => {})
  return {
    stop() {
      worker.postMessage('stop')
      return done
    },
  }
}

function run({ url, connections, addresses = 1, from = '127.0.0.1', begin, more, pipelined = 0, againMs }) {
  const { hostname, port } = new URL(url)
  const [network, first] = [from.replace(/\d+$/, ''), Number(from.split('.').at(-1))]
  const all = begin && Buffer.from(begin.repeat(pipelined || 1))
  /** Open sockets, and since when. */
  const sockets = new Map()
  let sent = 0
  let longestMs = 0

  const open = (number) => {
    const localAddress = `${network}${first + (number % addresses)}`
    const socket = connect({ host: hostname, port: Number(port), localAddress })
    let waiting = 0
    const send = () => {
      waiting = pipelined
      sent += pipelined
      if (all) socket.write(all)
    }
    socket.on('connect', () => {
      sockets.set(socket, performance.now())
      send()
    })
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (text) => {
      waiting -= text.split('HTTP/1.1 ').length - 1
      if (pipelined && waiting <= 0) send()
    })
    socket.on('close', () => {
      noteTime(sockets.get(socket))
      sockets.delete(socket)
      setTimeout(open, againMs, number)
    })
  }
  const noteTime = (since = performance.now()) => {
    longestMs = Math.max(longestMs, performance.now() - since)
  }
  for (let number = 0; number < connections; number += 1) open(number)
  setInterval(() => {
    for (const socket of sockets.keys()) if (more && socket.writable) socket.write(more)
  }, 1_000)

  parentPort.once('message', () => {
    for (const since of sockets.values()) noteTime(since)
    parentPort.postMessage({ sent, longestMs: Math.round(longestMs) })
    process.exit()
  })
}

if (!isMainThread) run(workerData)
