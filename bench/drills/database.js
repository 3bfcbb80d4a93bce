// The set-up of a drill: a new SQLite or PostgreSQL database, and nodes of the service over it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import { createClient } from './client.js'
import { startLoad, stateOfLoad } from './load.js'
import { startNetwork, throughPort } from './network.js'
import { createPostgres } from './postgres-server.js'
import { startNode } from './processes.js'
import { loadState } from './records.js'
import { withFolder } from './with-folder.js'

/**
 * Creates a database with records. After use it ends everything that was started, and removes the database.
 * @param options.kind `sqlite`, or `postgres`
 * @param options.state the records, by default those of the load
 * @param options.settings the settings of PostgreSQL
 * @param options.hasNetwork whether the nodes reach PostgreSQL through the proxy of `network.js`
 * @param use receives
 *   - `database`, the address, and `query`, which runs SQL with `$1` and so on
 *   - `root`, a temporary folder, and `folder`, for files: with SQLite the folder of the database, with PostgreSQL `root`
 *   - `startNode`, and `startLoad(nodes, newClient, options)`, whose clients use the nodes in turn by default
 *   - `onEnd`, and `postgres` and `network` where they exist
 * @returns the result of `use`
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
    // So that a control that loses writes does not lose these.
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
 * As `withDatabase`, with nodes. Their time limits are long, since other drills may use the machine.
 * @param options the options of `withDatabase`; `count`, the number of nodes; and the options of each node: `defect`, `env`,
 *   `preload`
 * @param use also receives `nodes`; `restart(i)`, which kills a node and starts it again; and `connect()`, which returns a client
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
    // One after the other: over SQLite, the first node creates the log of the file.
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
 * Makes two drills of one, over PostgreSQL and over SQLite. `run` receives the `kind`; {database} in the promise becomes its name.
 * @param byKind the fields of each drill that differ
 */
export const overBoth = ({ name, promise, run, ...drill }, byKind = {}) =>
  Object.entries({ postgres: 'PostgreSQL', sqlite: 'SQLite' }).map(([kind, database]) => ({
    ...drill,
    name: `${name}-${kind}`,
    promise: promise.replace('{database}', database),
    needsPostgres: kind === 'postgres',
    run: (options) => run({ kind, ...options }),
    ...byKind[kind],
  }))

/** Waits until a condition holds. @returns the time that it took, in ms; undefined if it does not hold in time */
export async function waitUntil(holds, ms, everyMs = 20) {
  const began = performance.now()
  for (;;) {
    if (await holds()) return performance.now() - began
    if (performance.now() - began > ms) return undefined
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
