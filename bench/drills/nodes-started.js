import { setTimeout as sleep } from 'node:timers/promises'
import { withDatabase } from './database.js'
import { stateOfLoad } from './load.js'
import { figuresOf } from './outcomes.js'
import { loadState } from './stored.js'
import { underLoad } from './under-load.js'

const nodeCount = 10
/** How many requests are sent to the nodes of each round, at least. */
const requestsPerRound = 300

/** Starts ten nodes at once on a database without tables: one of them makes the tables, and all serve. */
export const nodesStarted = underLoad({
  name: 'nodes-started',
  fault: 'Ten nodes started at once on a database without tables, of which one makes them',
  rounds: 5,
  quickRounds: 1,
  limits: { unavailable: 0 },
  run: ({ rounds }) =>
    withDatabase({}, async ({ postgres, startNode, startLoad }) => {
      const faults = []
      const figures = []
      for (let round = 1; round <= rounds; round += 1) {
        await postgres.query('DROP SCHEMA public CASCADE')
        await postgres.query('CREATE SCHEMA public')
        const env = { DASHBOARD_API_DATABASE_POOL_SIZE: '4' }
        const nodes = await Promise.all(Array.from({ length: nodeCount }, () => startNode({ env })))
        const [{ created }] = await postgres.query(
          "SELECT count(*)::int AS created FROM audit_log WHERE action LIKE 'database.%'",
        )
        if (created !== 1) faults.push(`round ${round}: the tables were made ${created} times`)
        await loadState(postgres.url, stateOfLoad())
        const load = startLoad(nodes)
        while (load.history.length < requestsPerRound) await sleep(10)
        figures.push(await figuresOf(load, postgres))
        for (const node of nodes) {
          const code = await node.stop()
          if (code !== 0) faults.push(`round ${round}: a node ended with ${code}`)
        }
      }
      return { faults, ...figures.reduce(added) }
    }),
})

/** The sums of the figures of two rounds, and the longer request. */
function added(a, b) {
  const sums = Object.entries(b).map(([name, value]) => [
    name,
    typeof value === 'object' ? added(a[name], value) : (a[name] ?? 0) + value,
  ])
  return {
    ...a,
    ...Object.fromEntries(sums),
    ...('longestMs' in b && { longestMs: Math.max(a.longestMs, b.longestMs) }),
  }
}
