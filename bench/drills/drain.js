import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from './client.js'
import { isOk } from './outcomes.js'
import { figuresOf, withSetting } from './setting.js'

/** With the 16 clients of every load, 50 connections. */
const slowReaders = 34
/** How long a client waits after a refused connection, in ms. */
const retryMs = 20
/** How many requests are sent before each stop, at least. */
const requestsPerRound = 500
/** How long all clients may take to be served again, in ms. */
const settleMs = 20_000

/** A client that repeats what was not sent because the connection was refused, as any client can. */
function createPatientClient(url) {
  const send = createClient(url)
  const repeat = async (request) => {
    for (;;) {
      const result = await send(request)
      if (result.error !== 'ECONNREFUSED' || result.wasSent) return result
      await sleep(retryMs)
    }
  }
  return Object.assign(repeat, { end: send.end })
}

/** Stops one node under load, without a proxy, and starts it again on its port. */
const restart = (rounds, program) =>
  withSetting(async ({ postgres, startNode, startLoad }) => {
    let node = await startNode({ program })
    const { port, url } = node
    const load = startLoad([node], () => createPatientClient(url), { slowReaders })
    const faults = []
    for (let round = 1; round <= rounds; round += 1) {
      if (!(await load.firstOfClients(isOk, settleMs)))
        throw new Error(`Round ${round}: a client is not served`)
      while (load.history.length < round * requestsPerRound) await sleep(10)
      const code = await node.stop()
      if (code !== 0) faults.push(`round ${round}: the node ended with ${code}`)
      node = await startNode({ program, port })
    }
    return { faults, ...(await figuresOf(load, postgres)) }
  })

export const drain = {
  name: 'drain',
  fault: 'One node without a proxy stopped with SIGTERM and started again, with 50 kept-alive connections',
  rounds: 25,
  quickRounds: 2,
  // A request may wait until the node listens again.
  limits: { unavailable: 0, longestMs: 20_000 },
  run: ({ rounds }) => restart(rounds),
  async control() {
    const { others } = await restart(5, fileURLToPath(new URL('hasty-node.js', import.meta.url)))
    const failed = Object.values(others).reduce((sum, count) => sum + count, 0)
    return {
      isCaught: failed > 0,
      figure: `a node that closes idle connections at once resets ${failed} requests`,
    }
  },
}
