// Nodes of the service over one new database of either kind.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDatabaseAddress } from '../../dist/store/database-address.js'
import { openStore } from '../../dist/store/open/open-store.js'
import { startNetwork, throughPort } from './network.js'
import { createPostgres } from './postgres-server.js'
import { startNode } from './processes.js'

/** Loads records into a database, which gets its tables. */
export async function loadState(address, state) {
  const store = await openStore(parseDatabaseAddress(address))
  await store.load(state)
  await store.close()
}

/**
 * Creates a database, starts nodes over it, and removes all of it after use.
 * @param options.kind `sqlite`, or `postgres`
 * @param options.count how many nodes
 * @param options.state the records
 * @param options.defect of the nodes: see `defects.js`
 * @param options.settings of PostgreSQL
 * @param options.env of the nodes
 * @param options.preload a module that each node imports first
 * @param options.hasNetwork whether a network is between the nodes and PostgreSQL: see `network.js`
 * @param use is given the `nodes`; `address`, that of the database; `restart(i)`, which kills a node and starts it again; `stop`,
 *   which ends the nodes; `postgres` and `network`, if there are
 */
export async function withNodes({ kind, count, state, hasNetwork = false, settings, env, ...options }, use) {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-drill-'))
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755)
  const ends = []
  try {
    const postgres = kind === 'postgres' ? await createPostgres(join(folder, 'data'), settings) : undefined
    if (postgres) ends.unshift(postgres.stop)
    const address = postgres?.url ?? join(folder, 'dashboard.db')
    await loadState(address, state)
    const network = hasNetwork && postgres ? await startNetwork(postgres.port) : undefined
    if (network) ends.unshift(network.close)
    const start = (port) =>
      startNode({
        database: network ? throughPort(address, network.port) : address,
        port,
        env: {
          DASHBOARD_API_WAITLIST_RATE: 'off',
          // The machine may be busy with other drills.
          DASHBOARD_API_DATABASE_TIMEOUT: '20s',
          DRILL_TEAMS: String(state.teams.length),
          ...env,
        },
        ...options,
      })
    const nodes = []
    const stop = () => Promise.all(nodes.map((node) => node.stop()))
    ends.unshift(stop)
    // One after the other over SQLite: the first makes the file's log.
    for (let i = 0; i < count; i += 1) nodes.push(await start())
    const restart = async (i) => {
      const { port } = nodes[i]
      await nodes[i].kill()
      nodes[i] = await start(port)
    }
    return await use({ nodes, address, restart, stop, postgres, network })
  } finally {
    for (const end of ends) await end()
    rmSync(folder, { recursive: true, force: true })
  }
}
