// Clients repeat a creation after a 503, as Retry-After asks, while another program holds the locks of their teams. The first
// attempt may still wait in PostgreSQL, although the node has given it up.
import { setTimeout as sleep } from 'node:timers/promises'
import { faultDrill } from './under-load.js'

const timeLimitMs = 5_000
/** The longest time until a client succeeds, in ms. */
const patienceMs = 30_000

/** Begins a transaction. Repeats it where PostgreSQL aborts it because of a deadlock with running writes. */
async function beginWith(client, sql) {
  for (;;) {
    try {
      return await client.query(`BEGIN; ${sql}`)
    } catch (error) {
      if (error.code !== '40P01') throw error
      await client.query('ROLLBACK')
    }
  }
}

export const retriedCreate = faultDrill({
  name: 'retried-create',
  promise: 'A client that follows Retry-After creates its project exactly once.',
  fault:
    'Eight teams create projects through two nodes while another program holds their locks. The connections to PostgreSQL are reset, the creations get 503 and are repeated, and the locks are released a moment later',
  target: '0 projects twice, 0 missing',
  rounds: 30,
  quickRounds: 1,
  options: { hasNetwork: true },
  async setUp({ postgres, network, onEnd }, { defect }) {
    const other = await postgres.connect()
    onEnd(() => other.end())
    return {
      node: { defect, env: { DASHBOARD_API_DATABASE_TIMEOUT: `${timeLimitMs / 1000}s` } },
      load: {
        repeatAfter: ({ status, retryAfter }) => (status === 503 ? Number(retryAfter) * 1_000 : undefined),
      },
      async inject(round) {
        // The open transaction changes all projects: the writes of every team wait for it.
        await beginWith(other, `UPDATE projects SET description = 'open ${round}'`)
        await sleep(500)
        // The nodes lose their connections; PostgreSQL does not notice while a statement waits for a lock.
        network.reset()
        await sleep(1_300 + (round % 8) * 100)
      },
      heal: () => other.query('COMMIT'),
      holdMs: 0,
      // Long enough for requests that a node still repeats.
      settle: () => sleep(timeLimitMs),
    }
  },
  mustBeZero: { doubled: 'projects twice', lost: 'missing' },
  mustNotBeZero: { acknowledged: 'writes', repeated: 'of them repeated after a 503' },
  limits: { successMs: patienceMs, allServedMs: patienceMs, longestMs: patienceMs },
  controls: [
    {
      fault: 'Nodes that execute a creation after its 503',
      rounds: 1,
      defect: 'lateCreate',
      caught: ['doubled'],
    },
  ],
})
