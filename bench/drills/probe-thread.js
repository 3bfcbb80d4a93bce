// The thread of `probe.js`.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { url, cookie, pauseMs, isKept } = workerData
/** How long a response may take before the request counts as refused, in ms. */
const timeout = 10_000
const agent = isKept ? new Agent({ keepAlive: true, maxSockets: 1 }) : false

/** Sends a request; resolves with whether it succeeded. A kept-alive connection that was closed before is not a refusal. */
const send = () =>
  new Promise((resolve) => {
    const fail = () => resolve(false)
    const sent = get(url, { agent, timeout, headers: cookie ? { cookie } : {} }, (response) => {
      response.on('error', fail)
      response.resume().on('end', () => resolve(response.statusCode < 500))
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => (sent.reusedSocket ? resolve(send()) : fail()))
  })

let isStopped = false
parentPort.once('message', () => {
  isStopped = true
})
const requests = []
const started = performance.now()
while (!isStopped) {
  const began = performance.now()
  const isOk = await send()
  requests.push({ at: began - started, ms: performance.now() - began, isOk })
  await sleep(pauseMs)
}
if (agent) agent.destroy()
parentPort.postMessage(requests)
