import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './client.js'
import { withDatabase } from './database.js'
import { added } from './in-lanes.js'
import { figuresOf, isOk } from './outcomes.js'
import { notInstalled, startProxy } from './proxies.js'

/** With the 16 clients of every load, 50 connections. */
const slowReaders = 34
/** How long the other clients pause between their requests, in ms: several services share the machine. */
const pauseMs = 30
/** How long a client waits after a refused connection, in ms. */
const retryMs = 20
/** How many requests are sent before each stop, at least. */
const requestsPerRound = 100
/** How long all clients may take to be served again, in ms. */
const settleMs = 20_000
/** how long a node tells Caddy that it stops: longer than two of Caddy's checks. */
const drainDelay = '3s'

/** A node that stops waits a second for the next request on a connection. One that comes later may be reset, in ms. */
const lateMs = 900
const late = 'reset, sent later than a stopping node waits'

/**
 * A client that repeats what was not sent because the connection was refused, as any client can.
 * @param lateness how late this process may have noticed a response, in ms
 */
function createPatientClient(url, lateness) {
  const send = createClient(url)
  let idleSince = performance.now()
  const repeat = async (request) => {
    for (;;) {
      const wasIdleMs = performance.now() - idleSince
      const result = await send(request)
      idleSince = performance.now()
      // Where the machine is busy, a pause takes longer.
      if (result.error === 'ECONNRESET' && wasIdleMs + lateness() > lateMs) return { ...result, error: late }
      if (result.error !== 'ECONNREFUSED' || result.wasSent) return result
      await sleep(retryMs)
    }
  }
  return Object.assign(repeat, { end: send.end })
}

/** Stops a node by SIGTERM for each round, and starts one on its port. Returns what did not hold. */
async function stopNodes({ load, rounds, nodes, start, afterStart = () => {} }) {
  const faults = []
  for (let round = 1; round <= rounds; round += 1) {
    if (!(await load.firstOfClients(isOk, settleMs)))
      throw new Error(`Round ${round}: a client is not served`)
    while (load.history.length < round * requestsPerRound) await sleep(10)
    const i = round % nodes.length
    const { port } = nodes[i]
    const code = await nodes[i].stop()
    if (code !== 0) faults.push(`round ${round}: the node ended with ${code}`)
    nodes[i] = await start(port)
    await afterStart(nodes[i])
  }
  return faults
}

/** One node without a proxy. */
const direct = ({ rounds, defect, pause = pauseMs }) =>
  withDatabase({ kind: 'sqlite' }, async ({ query, startNode, startLoad }) => {
    const start = (port) => startNode({ defect, port })
    const nodes = [await start()]
    const [{ url }] = nodes
    const delay = monitorEventLoopDelay()
    delay.enable()
    const newClient = () => createPatientClient(url, () => delay.max / 1e6)
    const load = startLoad(nodes, newClient, { slowReaders, pauseMs: pause })
    const faults = await stopNodes({ load, rounds, nodes, start, afterStart: () => delay.reset() })
    delay.disable()
    return endOf(load, query, faults)
  })

/** Two nodes over one file behind a proxy, one stopped after the other. */
const proxied = ({ rounds, program, env }) =>
  withDatabase({ kind: 'sqlite' }, async ({ folder, onEnd, query, startNode, startLoad }) => {
    const all = { DASHBOARD_API_TRUST_PROXY: 'loopback', DASHBOARD_API_LOG_LEVEL: 'info', ...env }
    const start = (port) => startNode({ port, env: all })
    const nodes = [await start(), await start()]
    const proxyFolder = join(folder, 'proxy')
    mkdirSync(proxyFolder)
    const urls = nodes.map((node) => node.url)
    const url = await startProxy(program, urls, { folder: proxyFolder, onEnd })
    const load = startLoad(nodes, () => createClient(url), { pauseMs })
    // The proxy has noticed.
    const afterStart = async (node) => {
      while (!node.log().includes('"operation":')) await sleep(20)
    }
    const faults = await stopNodes({ load, rounds, nodes, start, afterStart })
    return endOf(load, query, faults)
  })

async function endOf(load, query, faults) {
  const figures = await figuresOf(load, { query }, (outcome) => outcome.startsWith(late))
  return { ...figures, faults: [...faults, ...figures.faults] }
}

/** The set-ups, which run at the same time, and their shares of the stops. */
const setups = [
  { share: 0.3, run: direct },
  { share: 0.3, run: direct },
  { share: 0.25, run: proxied, program: 'nginx' },
  { share: 0.15, run: proxied, program: 'caddy', env: { DASHBOARD_API_DRAIN_DELAY: drainDelay } },
].filter(({ program }) => !program || !notInstalled(program))

/** @param defect of a node without a proxy */
async function stopAll({ rounds, defect }) {
  const chosen = defect ? [{ share: 1, run: direct, defect, pause: 5 }] : setups
  const shares = chosen.reduce((sum, { share }) => sum + share, 0)
  const results = chosen.map(async ({ share, run, ...options }) => {
    const stops = Math.max(1, Math.round((rounds * share) / shares))
    const { faults, ...figures } = await run({ rounds: stops, ...options })
    const named = faults.map((fault) => `${options.program ?? 'without a proxy'}: ${fault}`)
    return { stops, ...figures, faults: named }
  })
  return (await Promise.all(results)).reduce(added)
}

export const drain = {
  name: 'drain',
  promise: 'A stopped node finishes what it has begun, and no client notices.',
  fault:
    'Nodes over SQLite stopped with SIGTERM under load and started again: one without a proxy and with 50 kept-alive connections; two behind nginx and Caddy, where these are installed',
  target: '0 acknowledged writes lost, 0 requests reset',
  rounds: 200,
  quickRounds: 5,
  make: stopAll,
  none: {
    lost: 'acknowledged writes lost',
    doubled: 'doubled',
    stale: 'stale reads',
    failed: 'requests failed',
    unavailable: 'answered with 503',
  },
  some: { requests: 'requests', stops: 'stops', acknowledged: 'writes' },
  controls: [
    { fault: 'A node that closes idle connections at once', rounds: 10, defect: 'hasty', caught: ['failed'] },
  ],
}
