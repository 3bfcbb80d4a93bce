// The primary crashes, its standby is promoted, and the old primary comes back: both accept writes. What is written to the old
// one, nobody else sees, and it is lost when that server is set up again.
import { setTimeout as sleep } from 'node:timers/promises'
import { stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { waitUntil, withDatabase } from './database.js'
import { addressOfBoth, catchUp, createStandby, startStandby } from './postgres-server.js'
import { requestsOfTeams } from './sessions.js'
import { metricsToken, silentPlaces } from './what-node-says.js'

const teams = 2
const writesOfRound = 10
/** How long a node may take to work again or to notice both servers, and how long one without a right server is asked, in ms. */
const [recoveryMs, noticeMs, refusalMs] = [20_000, 15_000, 1_500]

const env = { DASHBOARD_API_METRICS_TOKEN: metricsToken }
const [{ list, create }] = requestsOfTeams(teams)

/** Where a node says that two servers accept writes. */
const says = {
  'the log': (log) => /accept writes/i.test(log),
  '/metrics': (metrics) => /^dashboard_api_\w*primaries(?:{[^}]*})? [1-9]/m.test(metrics),
  '/readyz': (readyz) => /primaries/i.test(readyz),
}

/** @param knowsOldOnly whether the node that is started again knows the old primary only */
const comeBack = ({ rounds, knowsOldOnly = false }) =>
  withDatabase({ state: stateOf({ teams, projects: 1 }) }, async ({ postgres, root, startNode, onEnd }) => {
    let [primary, standby] = [postgres, await startStandby(postgres, { root, onEnd })]
    onEnd(() => Promise.all([primary.stop(), standby.stop()]))
    const database = addressOfBoth(primary, standby)
    const nodes = [await startNode({ database, env }), await startNode({ database, env })]
    const clients = nodes.map(({ url }) => createClient(url))
    for (const send of clients) onEnd(send.end)
    const counts = { rounds, written: 0, hidden: 0, acceptedByOld: 0, faults: [] }

    for (let round = 1; round <= rounds; round += 1) {
      const check = (isRight, fault) => void (isRight || counts.faults.push(`round ${round}: ${fault}`))
      const checkServed = async (whom) => {
        const isServed = async () => {
          const all = clients.map((send, i) => send(create(`Served ${round} ${i} ${performance.now()}`)))
          return (await Promise.all(all)).every(({ status }) => status === 201)
        }
        check((await waitUntil(isServed, recoveryMs)) !== undefined, `the nodes do not work with ${whom}`)
      }
      await checkServed('both servers')
      await catchUp(primary, standby)
      await primary.kill()
      await standby.query('SELECT pg_promote()')
      await checkServed('the promoted server')
      await primary.start()
      await nodes[0].kill()
      const known = knowsOldOnly ? primary.url : database
      nodes[0] = await startNode({ database: known, port: nodes[0].port, env })

      const names = []
      for (let i = 0; i < writesOfRound; i += 1) {
        const name = `Written ${round} ${i}`
        if ((await clients[i % 2](create(name))).status === 201) names.push(name)
      }
      counts.written += names.length
      for (const send of clients) {
        const { body } = await send(list)
        const shown = new Set(body?.projects?.map(({ name }) => name))
        counts.hidden += names.filter((name) => !shown.has(name)).length
      }
      if (knowsOldOnly) break

      for (const place of await silentPlaces(nodes[0], says, noticeMs))
        check(false, `${place} says nothing of both servers`)

      // The old one alone is no server for nodes that have seen a newer timeline.
      await standby.stop()
      const end = performance.now() + refusalMs
      for (let i = 0; performance.now() < end; i += 1) {
        const { status } = await clients[i % 2](create(`Refused ${round} ${i}`))
        if (status < 500) counts.acceptedByOld += 1
        await sleep(20)
      }
      await standby.start()
      await checkServed('the server that is back')

      // The old one follows the new one.
      await primary.stop()
      const followed = primary
      primary = standby
      standby = await createStandby(primary, followed.folder, { port: followed.port })
      await standby.start()
    }
    return counts
  })

export const twoPrimaries = {
  name: 'two-primaries',
  promise:
    'Of two servers that accept writes, every node takes the newer one, says so, and refuses the older.',
  fault:
    'The primary killed (SIGKILL), its standby promoted, the old primary started again beside it, and then a node; then the promoted one stopped for 1.5 s; both hosts in the address',
  target:
    '0 acknowledged writes that another node does not show; the log, /metrics and /readyz tell of both; 0 requests served by the old one',
  rounds: 10,
  quickRounds: 1,
  needsPostgres: true,
  make: comeBack,
  none: { hidden: 'not shown by another node', acceptedByOld: 'served by the old primary' },
  some: { written: 'acknowledged writes', rounds: 'rounds' },
  controls: [
    {
      fault: 'A node that takes the old primary',
      rounds: 1,
      knowsOldOnly: true,
      caught: ['hidden'],
    },
  ],
}
