import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.js'
import { createBalancedClient, createClient, watchNodes } from './client.js'
import { withDatabase } from './database.js'
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

/** A client of the balancer, which lets requests wait while it takes no node for ready. */
function createWaitingClient(watched) {
  const send = createBalancedClient(watched)
  const repeat = async (request) => {
    const end = performance.now() + settleMs
    for (;;) {
      const result = await send(request)
      if (result.error !== 'no node is ready' || performance.now() > end) return result
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

const overSqlite = { kind: 'sqlite' }

/** One node without a proxy. */
const direct = (rounds, defect, pause = pauseMs) =>
  withDatabase(overSqlite, async ({ query, startNode, startLoad }) => {
    const start = (port) => startNode({ defect, port })
    const nodes = [await start()]
    const [{ url }] = nodes
    const delay = monitorEventLoopDelay()
    delay.enable()
    const newClient = () => createPatientClient(url, () => delay.max / 1e6)
    const load = startLoad(nodes, newClient, { slowReaders, pauseMs: pause })
    const faults = await stopNodes({ load, rounds, nodes, start, afterStart: () => delay.reset() })
    delay.disable()
    return { faults, ...(await figuresOf(load, { query })) }
  })

/** Two nodes over one file behind a proxy, one stopped after the other. */
const proxied = (rounds, program, env) =>
  withDatabase(overSqlite, async ({ folder, onEnd, query, startNode, startLoad }) => {
    const start = (port) =>
      startNode({
        port,
        env: { DASHBOARD_API_TRUST_PROXY: 'loopback', DASHBOARD_API_LOG_LEVEL: 'info', ...env },
      })
    const nodes = await Promise.all([await freePort(), await freePort()].map(start))
    const proxyFolder = join(folder, 'proxy')
    mkdirSync(proxyFolder)
    const url = await startProxy(
      program,
      nodes.map((node) => node.url),
      { folder: proxyFolder, onEnd },
    )
    const load = startLoad(nodes, () => createClient(url), { pauseMs })
    // The proxy has noticed.
    const afterStart = async (node) => {
      while (!node.log().includes('"operation":')) await sleep(20)
    }
    const faults = await stopNodes({ load, rounds, nodes, start, afterStart })
    return { faults, ...(await figuresOf(load, { query })) }
  })

/** The same behind the balancer of the drills. */
const balanced = (rounds) =>
  withDatabase(overSqlite, async ({ onEnd, query, startNode, startLoad }) => {
    const start = (port) => startNode({ port, env: { DASHBOARD_API_DRAIN_DELAY: '1s' } })
    const nodes = await Promise.all([await freePort(), await freePort()].map(start))
    const watched = watchNodes(nodes.map(({ url }) => url))
    onEnd(watched.close)
    const load = startLoad(nodes, () => createWaitingClient(watched), { pauseMs })
    const afterStart = async (node) => {
      while (!watched.ready().includes(node.url)) await sleep(20)
    }
    const faults = await stopNodes({ load, rounds, nodes, start, afterStart })
    return { faults, ...(await figuresOf(load, { query })) }
  })

/** The set-ups, which run at the same time, and their shares of the stops. */
const setups = [
  { name: 'without a proxy', share: 0.25, run: (rounds) => direct(rounds) },
  { name: 'without a proxy', share: 0.25, run: (rounds) => direct(rounds) },
  { name: 'nginx', program: 'nginx', share: 0.2, run: (rounds) => proxied(rounds, 'nginx') },
  {
    name: 'Caddy',
    program: 'caddy',
    share: 0.1,
    run: (rounds) => proxied(rounds, 'caddy', { DASHBOARD_API_DRAIN_DELAY: drainDelay }),
  },
  { name: 'a balancer', share: 0.2, run: balanced },
]

const failuresOf = ({ others }) => Object.entries(others).filter(([outcome]) => !outcome.startsWith(late))
const failedOf = (figures) => failuresOf(figures).reduce((sum, [, count]) => sum + count, 0)

export const drain = {
  name: 'drain',
  promise: 'A stopped node finishes what it has begun, and no client notices.',
  fault:
    'Nodes over SQLite stopped with SIGTERM under load and started again: one without a proxy and with 50 kept-alive connections; two behind nginx, Caddy and a balancer of the drills',
  target: '0 acknowledged writes lost, 0 requests reset',
  rounds: 200,
  quickRounds: 5,
  async run({ rounds }) {
    const available = setups.filter(({ program }) => program === undefined || !notInstalled(program))
    const shares = available.reduce((sum, { share }) => sum + share, 0)
    const results = await Promise.all(
      available.map(async ({ name, share, run }) => {
        const stops = Math.max(1, Math.round((rounds * share) / shares))
        return { name, stops, ...(await run(stops)) }
      }),
    )
    const sum = (value) => results.reduce((total, result) => total + value(result), 0)
    const [lost, failed] = [sum((each) => each.lost), sum((each) => failedOf(each) + each.unavailable)]
    const faults = results.flatMap(({ name, faults, lost, doubled, stale, unavailable, ...figures }) => [
      ...faults.map((fault) => `${name}: ${fault}`),
      ...Object.entries({
        lost,
        doubled,
        stale,
        'answered with 503': unavailable,
        ...Object.fromEntries(failuresOf(figures)),
      })
        .filter(([, count]) => count > 0)
        .map(([what, count]) => `${name}: ${count} ${what}`),
    ])
    const stops = [...new Set(results.map(({ name }) => name))].map((name) => {
      const counts = results.filter((result) => result.name === name).map((result) => result.stops)
      return `${counts.reduce((total, count) => total + count, 0)} stops (${name})`
    })
    return {
      figure: `${stops.join(', ')}: ${lost} of ${sum(({ acknowledged }) => acknowledged).toLocaleString('en')} acknowledged writes lost, ${failed} of ${sum(({ requests }) => requests).toLocaleString('en')} requests failed`,
      faults,
      setups: results.map(({ name, stops, requests, longestMs }) => ({ name, stops, requests, longestMs })),
    }
  },
  async control() {
    const failed = failedOf(await direct(10, 'hasty', 5))
    return {
      isCaught: failed > 0,
      figure: `a node that closes idle connections at once resets ${failed} requests`,
    }
  },
}
