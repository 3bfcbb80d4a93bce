// Clients that repeat a creation after a 503, as Retry-After asks them to, while another program holds the lock of their teams.
// The first attempt may still wait in PostgreSQL, where nobody waits for its result any more.
import { setTimeout as sleep } from 'node:timers/promises'
import { faultDrill } from './under-load.js'

const timeLimitMs = 5_000
/** How long a client goes on, in ms. */
const patienceMs = 30_000

/** Begins a transaction. PostgreSQL may choose it, too, to end a deadlock with the writes under way. */
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
  promise: 'A client that follows Retry-After has its project once.',
  fault:
    'Eight teams create projects through two nodes while another program holds their locks; the connections to PostgreSQL are reset, the creations answered with 503 and repeated, and the locks released a moment later',
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
        // What another program changes in an open transaction, the writes of its team wait for.
        await beginWith(other, `UPDATE projects SET description = 'open ${round}'`)
        await sleep(500)
        // The nodes lose their connections, and PostgreSQL does not notice while a statement waits for a lock.
        network.reset()
        await sleep(1_300 + (round % 8) * 100)
      },
      heal: () => other.query('COMMIT'),
      holdMs: 0,
      // What a node still sends is sent by then.
      settle: () => sleep(timeLimitMs),
    }
  },
  none: { doubled: 'projects twice', lost: 'missing' },
  some: { acknowledged: 'writes', repeated: 'of them by clients that had a 503 before' },
  limits: { successMs: patienceMs, allServedMs: patienceMs, longestMs: patienceMs },
  controls: [
    {
      fault: 'Nodes that make a creation after all that they have answered with 503',
      rounds: 1,
      defect: 'again',
      caught: ['doubled'],
    },
  ],
})
