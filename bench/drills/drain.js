import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './client.js'
import { withDatabase } from './database.js'
import { sumResults } from './in-lanes.js'
import { figuresOf } from './outcomes.js'
import { notInstalled, startProxy } from './proxies.js'
import { makeFaults } from './under-load.js'

/** With the 16 clients of every load, 50 connections. */
const slowReaders = 34
/** The pause between the requests of the other clients, in ms: several services share the machine. */
const pauseMs = 30
/** How long a stopping node reports to Caddy that it stops: more than two of Caddy's health checks. */
const drainDelay = '3s'

/** A stopping node waits a second for the next request on a connection. After this time, in ms, a reset is no fault. */
const lateMs = 900
const late = 'reset, sent after the time that a stopping node waits'

/** In each round, stops a node with SIGTERM and starts one on its port. @returns the figures of the load */
async function stopNodes({ load, rounds, nodes, start, query, afterStart = () => {} }) {
  const codes = []
  const { faults } = await makeFaults(load, rounds, {
    inject: async (round) => codes.push(await nodes[round % nodes.length].stop()),
    holdMs: 0,
    async heal(round) {
      const i = round % nodes.length
      nodes[i] = await start(nodes[i].port)
      await afterStart(nodes[i])
    },
  })
  const figures = await figuresOf(load, { query }, (outcome) => outcome.startsWith(late))
  const ended = codes.filter((code) => code !== 0).map((code) => `a node ended with ${code}`)
  return { ...figures, stops: rounds, faults: [...faults, ...ended, ...figures.faults] }
}

/** One node without a proxy. */
const direct = ({ rounds, defect, pause = pauseMs }) =>
  withDatabase({ kind: 'sqlite' }, async ({ query, startNode, startLoad }) => {
    const start = (port) => startNode({ defect, port })
    const nodes = [await start()]
    const [{ url }] = nodes
    /** How late this process may notice a response. */
    const delay = monitorEventLoopDelay()
    delay.enable()
    /** A client that distinguishes resets after a long idle time from others. */
    const newClient = () => {
      const send = createClient(url)
      let idleSince = performance.now()
      const repeat = async (request) => {
        const wasIdleMs = performance.now() - idleSince
        const result = await send(request)
        idleSince = performance.now()
        // On a busy machine a pause takes longer.
        const isLate = result.error === 'ECONNRESET' && wasIdleMs + delay.max / 1e6 > lateMs
        return isLate ? { ...result, error: late } : result
      }
      return Object.assign(repeat, { end: send.end })
    }
    const load = startLoad(nodes, newClient, {
      slowReaders,
      pauseMs: pause,
      repeatAfter: ({ error, wasSent }) => (error === 'ECONNREFUSED' && !wasSent ? 20 : undefined),
    })
    return stopNodes({ load, rounds, nodes, start, query, afterStart: () => delay.reset() })
  })

/** Two nodes over one file behind a proxy, stopped in turn. */
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
    // Waits until the proxy sends requests to the new node.
    const afterStart = async (node) => {
      while (!node.log().includes('"operation":')) await sleep(20)
    }
    return stopNodes({ load, rounds, nodes, start, query, afterStart })
  })

/** The set-ups, which run at the same time, with their shares of the stops. */
const setups = [
  { share: 0.3, run: direct },
  { share: 0.3, run: direct },
  { share: 0.25, run: proxied, program: 'nginx' },
  { share: 0.15, run: proxied, program: 'caddy', env: { DASHBOARD_API_DRAIN_DELAY: drainDelay } },
].filter(({ program }) => !program || !notInstalled(program))

/** @param defect if set, only a node without a proxy is stopped, with this defect */
async function stopAll({ rounds, defect }) {
  const chosen = defect ? [{ share: 1, run: direct, defect, pause: 5 }] : setups
  const shares = chosen.reduce((sum, { share }) => sum + share, 0)
  const results = chosen.map(async ({ share, run, ...options }) => {
    const stops = Math.max(1, Math.round((rounds * share) / shares))
    const { faults, ...figures } = await run({ rounds: stops, ...options })
    return { ...figures, faults: faults.map((fault) => `${options.program ?? 'without a proxy'}: ${fault}`) }
  })
  return (await Promise.all(results)).reduce(sumResults)
}

export const drain = {
  name: 'drain',
  promise: 'A stopping node completes the requests in flight, and no client sees an error.',
  fault:
    'Nodes over SQLite stopped with SIGTERM under load and started again: one without a proxy and with 50 kept-alive connections; two behind nginx and Caddy, where these are installed',
  target: '0 acknowledged writes lost, 0 requests reset',
  rounds: 200,
  quickRounds: 5,
  run: stopAll,
  mustBeZero: {
    lost: 'acknowledged writes lost',
    doubled: 'doubled',
    stale: 'stale reads',
    failed: 'requests failed',
    unavailable: 'answered with 503',
  },
  mustNotBeZero: { requests: 'requests', stops: 'stops', acknowledged: 'writes' },
  controls: [
    {
      fault: 'A node that closes idle connections immediately',
      rounds: 10,
      defect: 'abruptStop',
      caught: ['failed'],
    },
  ],
}
