// What a drill works with: a new database of either kind, and nodes of the service over it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import { createClient } from './client.js'
import { startLoad, stateOfLoad } from './load.js'
import { startNetwork, throughPort } from './network.js'
import { createPostgres } from './postgres-server.js'
import { startNode } from './processes.js'
import { loadState } from './stored.js'
import { withFolder } from './with-folder.js'

/**
 * Creates a database with records, and removes it, and ends all that was started, after use.
 * @param options.kind `sqlite`, or `postgres`
 * @param options.state the records, by default those of the load
 * @param options.settings of PostgreSQL
 * @param options.hasNetwork whether a network is between the nodes and PostgreSQL: see `network.js`
 * @param use is given its address, `database`; `query`, which runs SQL with `$1` and so on; a `folder` for files, in `root`: that
 *   of the file of SQLite, if there is one;
 *   `startNode`; `startLoad(nodes, newClient, options)`, by default with a client of each node in turn; `onEnd`; `postgres` and
 *   `network`, if there are. Its result is the result
 */
export const withDatabase = (
  { kind = 'postgres', state = stateOfLoad(), settings, hasNetwork = false },
  use,
) =>
  withFolder(async ({ folder: root, onEnd }) => {
    const folder = join(root, 'data')
    if (kind === 'sqlite') mkdirSync(folder)
    const postgres = kind === 'postgres' ? await createPostgres(folder, settings) : undefined
    if (postgres) onEnd(() => postgres.stop())
    const database = postgres?.url ?? join(folder, 'live.db')
    await loadState(database, state)
    // A control that loses writes is not to lose these.
    await postgres?.query('CHECKPOINT')
    const network = hasNetwork && postgres ? await startNetwork(postgres.port) : undefined
    if (network) onEnd(network.close)
    const address = network ? throughPort(database, network.port) : database
    return use({
      root,
      folder: postgres ? root : folder,
      database,
      postgres,
      network,
      onEnd,
      query: postgres ? (sql, values) => postgres.query(sql, { values }) : queryFile(database),
      async startNode(options = {}) {
        const node = await startNode({ database: address, ...options })
        onEnd(() => node.kill())
        return node
      },
      startLoad(nodes, newClient = (i) => createClient(nodes[i % nodes.length].url), loadOptions) {
        let count = 0
        const load = startLoad(() => newClient(count++), loadOptions)
        onEnd(() => load.stop())
        return load
      },
    })
  })

const queryFile = (file) => (sql, values) =>
  new Promise((resolve, reject) => {
    const db = new sqlite3.Database(file)
    db.configure('busyTimeout', 5_000)
    db.all(sql, values ?? [], (error, rows) => (error ? reject(error) : resolve(rows)))
    db.close()
  })

/**
 * The same with so many nodes, whose time limits are long: the machine may be busy with other drills.
 * @param options those of `withDatabase`; `count`, how many nodes; and those of each node: `defect`, `env`, `preload`
 * @param use is given the `nodes` too; `restart(i)`, which kills a node and starts it again; and `connect()`, which makes a client
 *   of each node
 */
export const withNodes = ({ count, env, defect, preload, ...options }, use) =>
  withDatabase(options, async (made) => {
    const all = {
      DASHBOARD_API_WAITLIST_RATE: 'off',
      DASHBOARD_API_DATABASE_TIMEOUT: '20s',
      ...env,
    }
    const start = (port) => made.startNode({ port, env: all, defect, preload })
    const nodes = []
    // One after the other over SQLite: the first makes the file's log.
    for (let i = 0; i < count; i += 1) nodes.push(await start())
    const restart = async (i) => {
      const { port } = nodes[i]
      await nodes[i].kill()
      nodes[i] = await start(port)
    }
    const connect = () =>
      nodes.map(({ url }) => {
        const client = createClient(url)
        made.onEnd(client.end)
        return client
      })
    return use({ ...made, nodes, restart, connect })
  })

/**
 * Makes two drills of one, over PostgreSQL and over SQLite: `make` is given the `kind`, and {database} in the promise is its name.
 * @param own what differs, by kind
 */
export const overBoth = ({ name, promise, make, ...drill }, own = {}) =>
  Object.entries({ postgres: 'PostgreSQL', sqlite: 'SQLite' }).map(([kind, database]) => ({
    ...drill,
    name: `${name}-${kind}`,
    promise: promise.replace('{database}', database),
    needsPostgres: kind === 'postgres',
    make: (options) => make({ kind, ...options }),
    ...own[kind],
  }))

/** Waits until something holds. @returns how long it took in ms; undefined if it does not come true in time */
export async function waitUntil(holds, ms, everyMs = 20) {
  const began = performance.now()
  for (;;) {
    if (await holds()) return performance.now() - began
    if (performance.now() - began > ms) return undefined
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
