import { figuresOf, makeFaults, withSetting } from './setting.js'

export const poolEmpty = {
  name: 'pool-empty',
  fault: 'Every connection of the pools waits for a lock of another program, for 5 s',
  rounds: 10,
  quickRounds: 1,
  limits: { successMs: 1_000 },
  run: ({ rounds }) =>
    withSetting(async ({ postgres, onEnd, startNode, startLoad }) => {
      const env = { DASHBOARD_API_DATABASE_POOL_SIZE: '2' }
      const load = startLoad([await startNode({ env }), await startNode({ env })])
      const other = await postgres.connect()
      onEnd(() => other.end())
      const made = await makeFaults(load, rounds, {
        inject: () => lockTables(other),
        heal: () => other.query('COMMIT'),
        holdMs: 5_000,
      })
      return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
    }),
}

/** PostgreSQL may choose the other program, too, to end a deadlock with the writes under way. */
async function lockTables(client) {
  for (;;) {
    try {
      return await client.query('BEGIN; LOCK TABLE projects, changes IN ACCESS EXCLUSIVE MODE')
    } catch (error) {
      if (error.code !== '40P01') throw error
      await client.query('ROLLBACK')
    }
  }
}

const endConnectionsOf =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dashboard-api'"

export const connectionsExhausted = {
  name: 'connections-exhausted',
  fault: 'Other programs take every connection of PostgreSQL (`max_connections`), for 3 s',
  rounds: 10,
  quickRounds: 1,
  limits: { successMs: 1_000 },
  run: ({ rounds }) =>
    withSetting(
      async ({ postgres, onEnd, startNode, startLoad }) => {
        const load = startLoad([await startNode(), await startNode()])
        const other = await postgres.connect()
        onEnd(() => other.end())
        let taken = []
        const release = async () => {
          await Promise.all(taken.map((client) => client.end()))
          taken = []
        }
        onEnd(release)
        const takeAll = async () => {
          for (;;) {
            try {
              taken.push(await postgres.connect())
            } catch {
              return
            }
          }
        }
        const made = await makeFaults(load, rounds, {
          async inject() {
            // The service takes some of those that are ended again; then those are ended.
            const isServed = "SELECT FROM pg_stat_activity WHERE application_name = 'dashboard-api'"
            do {
              await other.query(endConnectionsOf)
              await takeAll()
            } while ((await other.query(isServed)).rowCount > 0)
          },
          heal: release,
          holdMs: 3_000,
        })
        return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
      },
      { settings: { max_connections: 30 } },
    ),
}
