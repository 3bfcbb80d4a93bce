import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createBalancedClient, watchNodes } from './client.js'
import { withDatabase } from './database.js'
import { figuresOf } from './outcomes.js'
import { underLoad } from './under-load.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Makes a later release: this build with more migrations, each of which adds a column to the projects and an index.
 * @returns its executable
 */
function makeRelease(folder, count) {
  mkdirSync(folder)
  for (const name of ['bin', 'dist/executable', 'migrations', 'package.json', 'fixtures']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (let i = 0; i < count; i += 1) {
    writeFileSync(
      join(folder, `migrations/postgres/9${String(i).padStart(3, '0')}-added.sql`),
      `ALTER TABLE projects ADD COLUMN added_${i} text NOT NULL DEFAULT 'x';
       CREATE INDEX projects_added_${i} ON projects (team_id, added_${i});`,
    )
  }
  return join(folder, 'bin/dashboard-api.js')
}

/** @param end how a node of the old release ends */
const upgrade = (rounds, end) =>
  withDatabase({}, async ({ folder, postgres, onEnd, startNode, startLoad }) => {
    const env = { DASHBOARD_API_DRAIN_DELAY: '1s' }
    let nodes = await Promise.all([startNode({ env }), startNode({ env }), startNode({ env })])
    const watch = watchNodes(nodes.map(({ url }) => url))
    onEnd(watch.close)
    const load = startLoad(nodes, () => createBalancedClient(watch))
    for (let round = 1; round <= rounds; round += 1) {
      const program = makeRelease(join(folder, `release-${round}`), round)
      const upgraded = []
      for (const node of nodes) {
        const next = await startNode({ env, program })
        watch.add(next.url)
        upgraded.push(next)
        await end(node)
        watch.remove(node.url)
        await sleep(500)
      }
      nodes = upgraded
    }
    const [{ version }] = await postgres.query('SELECT version FROM dashboard_schema')
    return {
      faults: version > rounds ? [] : [`the schema has version ${version}`],
      ...(await figuresOf(load, postgres)),
    }
  })

export const rollingUpgrade = underLoad({
  name: 'rolling-upgrade',
  fault: 'Three nodes behind a balancer replaced one by one by those of a release with one more migration',
  rounds: 5,
  quickRounds: 1,
  limits: { unavailable: 0 },
  run: ({ rounds }) => upgrade(rounds, (node) => node.stop()),
  async control() {
    const { others } = await upgrade(1, (node) => node.kill())
    const failed = Object.values(others).reduce((sum, count) => sum + count, 0)
    return {
      isCaught: failed > 0,
      figure: `nodes that are killed in place of drained fail ${failed} requests`,
    }
  },
})
