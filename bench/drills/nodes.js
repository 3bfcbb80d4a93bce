// Several nodes over one PostgreSQL, under load: simultaneous reads and starts, kills, and an upgrade to a later release.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createJiti } from 'jiti'
import { createClient } from './client.js'
import { withDatabase } from './database.js'
import { inLanes } from './in-lanes.js'
import { stateOfLoad } from './load.js'
import { figuresOf } from './outcomes.js'
import { loadState } from './records.js'
import { faultDrill, loadDrill } from './under-load.js'

/** Starts nodes simultaneously. */
const startNodes = (count, startNode, options) =>
  Promise.all(Array.from({ length: count }, () => startNode(options)))

export const staleReads = loadDrill({
  name: 'stale-reads',
  promise: 'Every node shows a change as soon as one node has acknowledged it.',
  fault:
    'Projects created, updated and read through three nodes over PostgreSQL, each project updated by one node and read by two others',
  target: '0 stale responses',
  rounds: 1_000_000,
  quickRounds: 1_000,
  mustBeZero: { unavailable: 'answered with 503' },
  run: ({ rounds, defect }) =>
    withDatabase({ state: stateOfLoad(20) }, async ({ postgres, startNode, startLoad }) => {
      const nodes = await startNodes(3, startNode, { defect })
      const load = startLoad(nodes, undefined, { readers: 24, pauseMs: 1, writePauseMs: 500 })
      while (load.history.length < rounds) await sleep(10)
      return figuresOf(load, postgres)
    }),
  controls: [
    {
      fault: 'Nodes that cache responses to reads for 50 ms',
      rounds: 5_000,
      defect: 'staleReads',
      caught: ['stale'],
    },
  ],
})

export const nodesStarted = loadDrill({
  name: 'nodes-started',
  fault: 'Ten nodes started simultaneously on a database without tables, which one of them creates',
  rounds: 5,
  quickRounds: 1,
  mustBeZero: { unavailable: 'answered with 503', again: 'times the tables were created again' },
  run: ({ rounds }) =>
    inLanes(rounds, 1, () =>
      withDatabase({}, async ({ postgres, startNode, startLoad }) => {
        await postgres.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
        const nodes = await startNodes(10, startNode, { env: { DASHBOARD_API_DATABASE_POOL_SIZE: '4' } })
        const [{ created }] = await postgres.query(
          "SELECT count(*)::int AS created FROM audit_log WHERE action LIKE 'database.%'",
        )
        await loadState(postgres.url, stateOfLoad())
        const load = startLoad(nodes)
        while (load.history.length < 300) await sleep(10)
        return { ...(await figuresOf(load, postgres)), again: created - 1 }
      }),
    ),
})

/** Starts the balancer of the example cluster in front of nodes, which may change. @returns a function that creates a client of it */
async function startBalancer(targets, onEnd) {
  const { startBalancer } = await createJiti(import.meta.url).import('../../examples/cluster/balancer.ts')
  const balancer = await startBalancer({ port: 0, targets, isForwarded: () => true })
  onEnd(balancer.close)
  await balancer.checkHealth()
  return () => createClient(balancer.url)
}

export const nodeKilled = faultDrill({
  name: 'node-killed',
  fault: 'One of three nodes behind a balancer killed (SIGKILL), and started again',
  rounds: 30,
  quickRounds: 2,
  mustBeZero: { unavailable: 'answered with 503' },
  // The outcome of a write that was sent to the killed node is unknown: the balancer responds with 502.
  isExpected: (outcome) => outcome === 'status 502',
  async setUp({ onEnd, startNode }, { isBalanced = true }) {
    const nodes = await startNodes(3, startNode)
    const balanced = await startBalancer(() => nodes, onEnd)
    return {
      nodes,
      newClient: isBalanced ? balanced : undefined,
      inject: (round) => nodes[round % 3].kill(),
      async heal(round) {
        nodes[round % 3] = await startNode({ port: nodes[round % 3].port })
      },
    }
  },
  controls: [{ fault: 'Without a balancer', rounds: 5, isBalanced: false, caught: ['failed'] }],
})

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Creates a later release: this build with more migrations. Each adds a column and an index to the table of projects.
 * @returns the path of its executable
 */
function makeRelease(folder, count) {
  mkdirSync(folder)
  for (const name of ['bin', 'dist/executable', 'migrations', 'package.json', 'fixtures'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (let i = 0; i < count; i += 1)
    writeFileSync(
      join(folder, `migrations/postgres/9${String(i).padStart(3, '0')}-added.sql`),
      `ALTER TABLE projects ADD COLUMN added_${i} text NOT NULL DEFAULT 'x';
       CREATE INDEX projects_added_${i} ON projects (team_id, added_${i});`,
    )
  return join(folder, 'bin/dashboard-api.js')
}

export const rollingUpgrade = loadDrill({
  name: 'rolling-upgrade',
  fault: 'Three nodes behind a balancer replaced one by one by those of a release with one more migration',
  rounds: 5,
  quickRounds: 1,
  mustBeZero: { unavailable: 'answered with 503' },
  run: ({ rounds, signal = 'stop' }) =>
    withDatabase({}, async ({ folder, postgres, onEnd, startNode, startLoad }) => {
      const env = { DASHBOARD_API_DRAIN_DELAY: '1s' }
      const nodes = await startNodes(3, startNode, { env })
      const load = startLoad(nodes, await startBalancer(() => nodes, onEnd))
      const readVersion = async () =>
        (await postgres.query('SELECT version FROM dashboard_schema'))[0].version
      const before = await readVersion()
      for (let round = 1; round <= rounds; round += 1) {
        const program = makeRelease(join(folder, `release-${round}`), round)
        for (const node of [...nodes]) {
          nodes.push(await startNode({ env, program }))
          await node[signal]()
          nodes.splice(nodes.indexOf(node), 1)
          await sleep(500)
        }
      }
      const version = await readVersion()
      const figures = await figuresOf(load, postgres)
      if (version !== before + rounds)
        figures.faults.push(
          `the schema has version ${version} after ${rounds} migrations of version ${before}`,
        )
      return figures
    }),
  controls: [
    { fault: 'Nodes that are killed instead of stopped', rounds: 1, signal: 'kill', caught: ['failed'] },
  ],
})
