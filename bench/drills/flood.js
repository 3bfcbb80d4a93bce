// A client that fills its connections with pipelined requests. It runs in a worker thread, so that it does not delay the rest of
// the process. A connection that the server closes is opened again.
import { connect } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const againMs = 50

/**
 * Sends a request `pipelined` times on each of the `connections`, and again as soon as all are answered.
 * @returns `stop()`, which resolves with `sent`, the number of requests
 */
export function startFlood({ url, connections, request, pipelined }) {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { url, connections, request, pipelined },
  })
  const done = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  // `stop` may await it long after it was rejected.
  done.catch(() => {})
  return {
    stop() {
      worker.postMessage('stop')
      return done
    },
  }
}

function run({ url, connections, request, pipelined }) {
  const { hostname, port } = new URL(url)
  const all = Buffer.from(request.repeat(pipelined))
  let sent = 0
  const open = () => {
    const socket = connect({ host: hostname, port: Number(port) })
    let waiting = 0
    const send = () => {
      waiting = pipelined
      sent += pipelined
      socket.write(all)
    }
    socket.on('connect', send)
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (text) => {
      waiting -= text.split('HTTP/1.1 ').length - 1
      if (waiting <= 0) send()
    })
    socket.on('close', () => setTimeout(open, againMs))
  }
  for (let i = 0; i < connections; i += 1) open()
  parentPort.once('message', () => {
    parentPort.postMessage({ sent })
    process.exit()
  })
}

if (!isMainThread) run(workerData)
