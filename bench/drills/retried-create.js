// Clients that repeat a creation after a 503, as Retry-After asks them to, while another program holds the lock of their teams.
// The first attempt may still wait in PostgreSQL, where nobody waits for its result any more.
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { signedCookies, stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { countingDrill } from './counting.js'
import { withNodes } from './database.js'

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

/** @returns the counts, and what did not hold */
async function retry({ rounds, seed, defect }) {
  const random = createRandom(seed)
  const cookies = signedCookies(teams)
  const state = stateOf({ teams, projects: 1 })
  const env = { DASHBOARD_API_DATABASE_TIMEOUT: `${timeLimitMs / 1000}s` }
  const options = { kind: 'postgres', count: 2, hasNetwork: true, state, env, defect }
  return withNodes(options, async ({ nodes, network, postgres }) => {
    const other = await postgres.connect()
    const clients = nodes.flatMap(({ url }) => Array.from({ length: teams / 2 }, () => createClient(url)))
    const counts = { created: 0, repeated: 0, twice: 0 }
    const faults = []
    for (let round = 1; round <= rounds; round += 1) {
      // What another program changes in an open transaction, the creations of its team wait for.
      await other.query(`BEGIN; UPDATE projects SET status = 'open ${round}'`)
      const creating = clients.map((send, team) => {
        const body = { name: `Drill ${team} ${round}` }
        return createPersistently(send, { method: 'POST', path: '/v1/projects', cookie: cookies[team], body })
      })
      await sleep(500)
      // The nodes lose their connections, and PostgreSQL does not notice while a statement waits for a lock.
      network.reset()
      await sleep(1_300 + random.below(700))
      await other.query('COMMIT')
      for (const { status, attempts, error } of await Promise.all(creating)) {
        if (attempts > 1) counts.repeated += 1
        if (status === 201 || status === 409) counts.created += 1
        else faults.push(`round ${round}: a creation: ${error ?? `status ${status}`}`)
      }
    }
    // What a node still sends is sent by then.
    await sleep(timeLimitMs)
    await other.end()
    for (const send of clients) send.end()
    const stored = await postgres.query(
      "SELECT name, count(*)::int AS times FROM projects WHERE name LIKE 'Drill %' GROUP BY name",
    )
    counts.twice = stored.filter(({ times }) => times > 1).length
    const missing = counts.created - stored.length
    if (missing !== 0) faults.push(`${missing} created projects are missing`)
    return { ...counts, faults }
  })
}

export const retriedCreate = countingDrill({
  name: 'retried-create',
  promise: 'A client that follows Retry-After has its project once.',
  fault: `Eight teams create projects through two nodes while another program holds their locks; the connections to PostgreSQL are reset, the creations answered with 503 and repeated, and the locks released a moment later`,
  target: '0 projects twice, 0 missing',
  rounds: 30,
  quickRounds: 1,
  needsPostgres: true,
  make: retry,
  none: { twice: 'projects are there twice' },
  some: { repeated: 'no creation was repeated' },
  figure: ({ created, repeated, twice }) =>
    `${twice} of ${created.toLocaleString('en')} projects twice, ${repeated.toLocaleString('en')} of them created by clients that had a 503 before`,
  control: {
    options: { rounds: 1, defect: 'again' },
    caught: ['twice'],
    figure: ({ twice, created }) =>
      `of nodes that make a creation after all that they have answered with 503, ${twice} of ${created} projects are there twice`,
  },
})
