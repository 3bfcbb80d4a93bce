// Nodes of the service over one new database of either kind.
import { join } from 'node:path'
import { startNetwork, throughPort } from './network.js'
import { createPostgres } from './postgres-server.js'
import { startNode } from './processes.js'
import { loadState } from './stored.js'
import { withFolder } from './with-folder.js'

/**
 * Creates a database, starts nodes over it, and removes all of it after use.
 * @param options.kind `sqlite`, or `postgres`
 * @param options.count how many nodes
 * @param options.state the records
 * @param options.settings of PostgreSQL
 * @param options.defect of the nodes: see `defects.js`
 * @param options.env of the nodes
 * @param options.preload a module that each node imports first
 * @param options.hasNetwork whether a network is between the nodes and PostgreSQL: see `network.js`
 * @param use is given the `nodes`; `address`, that of the database; `restart(i)`, which kills a node and starts it again; `stop`,
 *   which ends the nodes; `postgres` and `network`, if there are
 */
export const withNodes = ({ kind, count, state, hasNetwork = false, settings, env, ...options }, use) =>
  withFolder(async ({ folder, onEnd }) => {
    const postgres = kind === 'postgres' ? await createPostgres(join(folder, 'data'), settings) : undefined
    if (postgres) onEnd(postgres.stop)
    const address = postgres?.url ?? join(folder, 'dashboard.db')
    await loadState(address, state)
    const network = hasNetwork && postgres ? await startNetwork(postgres.port) : undefined
    if (network) onEnd(network.close)
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
    onEnd(stop)
    // One after the other over SQLite: the first makes the file's log.
    for (let i = 0; i < count; i += 1) nodes.push(await start())
    const restart = async (i) => {
      const { port } = nodes[i]
      await nodes[i].kill()
      nodes[i] = await start(port)
    }
    return use({ nodes, address, restart, stop, postgres, network })
  })
