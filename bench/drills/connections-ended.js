import { setTimeout as sleep } from 'node:timers/promises'
import { figuresOf, makeFaults, withSetting } from './setting.js'

const endAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'dashboard-api' AND pid <> pg_backend_pid()`

export const connectionsEnded = {
  name: 'connections-ended',
  fault: 'Every connection ended by `pg_terminate_backend`, 20 times a second for a second',
  rounds: 30,
  quickRounds: 2,
  limits: { successMs: 1_000 },
  run: ({ rounds }) =>
    withSetting(async ({ postgres, onEnd, startNode, startLoad }) => {
      const load = startLoad([await startNode(), await startNode()])
      const other = await postgres.connect()
      onEnd(() => other.end())
      const made = await makeFaults(load, rounds, {
        async inject() {
          for (let i = 0; i < 20; i += 1) {
            await other.query(endAll)
            await sleep(50)
          }
        },
        holdMs: 0,
      })
      return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
    }),
}
