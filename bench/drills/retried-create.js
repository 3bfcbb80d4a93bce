// Clients that repeat a creation after a 503, as Retry-After asks them to, while another program holds the lock of their teams.
// The first attempt may still wait in PostgreSQL, where nobody waits for its result any more.
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { signedCookies, stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { withNodes } from './database.js'
import { requestsOf } from './requests.js'

const teams = 8
const timeLimitMs = 5_000
/** How long a client goes on, in ms. */
const patienceMs = 30_000

/** Creates a project as a client that follows Retry-After. @returns its last status, and how often it was sent */
async function createPersistently(send, request) {
  const end = performance.now() + patienceMs
  for (let attempts = 1; ; attempts += 1) {
    const { status, retryAfter, error } = await send(request)
    if (status !== 503 || performance.now() > end) return { status, attempts, error }
    await sleep(Number(retryAfter) * 1_000)
  }
}

async function retry({ rounds, seed, defect }) {
  const random = createRandom(seed)
  const state = stateOf({ teams, projects: 1 })
  const env = { DASHBOARD_API_DATABASE_TIMEOUT: `${timeLimitMs / 1000}s` }
  const options = { kind: 'postgres', count: 2, hasNetwork: true, state, env, defect }
  return withNodes(options, async ({ nodes, network, postgres, onEnd }) => {
    const other = await postgres.connect()
    onEnd(() => other.end())
    const clients = signedCookies(teams).map((cookie, team) => {
      const send = createClient(nodes[team % nodes.length].url)
      onEnd(send.end)
      return { send, create: requestsOf(cookie).create }
    })
    const counts = { created: 0, repeated: 0, faults: [] }
    for (let round = 1; round <= rounds; round += 1) {
      // What another program changes in an open transaction, the creations of its team wait for.
      await other.query(`BEGIN; UPDATE projects SET status = 'open ${round}'`)
      const creating = clients.map(({ send, create }, team) =>
        createPersistently(send, create(`Drill ${team} ${round}`)),
      )
      await sleep(500)
      // The nodes lose their connections, and PostgreSQL does not notice while a statement waits for a lock.
      network.reset()
      await sleep(1_300 + random.below(700))
      await other.query('COMMIT')
      for (const { status, attempts, error } of await Promise.all(creating)) {
        if (attempts > 1) counts.repeated += 1
        if (status === 201 || status === 409) counts.created += 1
        else counts.faults.push(`round ${round}: a creation: ${error ?? `status ${status}`}`)
      }
    }
    // What a node still sends is sent by then.
    await sleep(timeLimitMs)
    const stored = await postgres.query(
      "SELECT name, count(*)::int AS times FROM projects WHERE name LIKE 'Drill %' GROUP BY name",
    )
    return {
      ...counts,
      twice: stored.filter(({ times }) => times > 1).length,
      missing: counts.created - stored.length,
    }
  })
}

export const retriedCreate = {
  name: 'retried-create',
  promise: 'A client that follows Retry-After has its project once.',
  fault:
    'Eight teams create projects through two nodes while another program holds their locks; the connections to PostgreSQL are reset, the creations answered with 503 and repeated, and the locks released a moment later',
  target: '0 projects twice, 0 missing',
  rounds: 30,
  quickRounds: 1,
  needsPostgres: true,
  make: retry,
  none: { twice: 'projects twice', missing: 'missing' },
  some: { created: 'projects', repeated: 'of them by clients that had a 503 before' },
  controls: [
    {
      fault: 'Nodes that make a creation after all that they have answered with 503',
      rounds: 1,
      defect: 'again',
      caught: ['twice'],
    },
  ],
}
