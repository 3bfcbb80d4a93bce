// The primary crashes, its standby is promoted, and the balancer before them leads to the old primary again, which is back and
// accepts writes. What is written to it, nobody else sees, and it is lost when that server is set up again.
import { setTimeout as sleep } from 'node:timers/promises'
import { stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { waitUntil, withDatabase } from './database.js'
import { startNetwork, throughPort } from './network.js'
import { catchUp, createStandby, startStandby } from './postgres-server.js'
import { requestsOfTeams } from './sessions.js'

const teams = 2
const writesOfRound = 10
/** How long a node may take to work again, and how long the address leads to the old primary, in ms. */
const [recoveryMs, wrongMs] = [20_000, 1_500]

const [{ list, create }] = requestsOfTeams(teams)

/** @param forgets whether a node is started again while the address leads to the old primary */
const leadBack = ({ rounds, forgets = false }) =>
  withDatabase({ state: stateOf({ teams, projects: 1 }) }, async ({ postgres, root, startNode, onEnd }) => {
    let [primary, standby] = [postgres, await startStandby(postgres, { root, onEnd })]
    onEnd(() => Promise.all([primary.stop(), standby.stop()]))
    const balancer = await startNetwork(primary.port)
    onEnd(balancer.close)
    const database = throughPort(primary.url, balancer.port)
    const nodes = [await startNode({ database }), await startNode({ database })]
    const clients = nodes.map(({ url }) => createClient(url))
    for (const send of clients) onEnd(send.end)
    const counts = { rounds, written: 0, hidden: 0, refused: 0, servedByOld: 0, faults: [] }

    for (let round = 1; round <= rounds; round += 1) {
      const checkServed = async (whom) => {
        const isServed = async () => {
          const all = clients.map((send, i) => send(create(`Served ${round} ${i} ${performance.now()}`)))
          return (await Promise.all(all)).every(({ status }) => status === 201)
        }
        if ((await waitUntil(isServed, recoveryMs)) === undefined)
          counts.faults.push(`round ${round}: the nodes do not work with ${whom}`)
      }
      await checkServed('the primary')
      await catchUp(primary, standby)
      await primary.kill()
      await standby.query('SELECT pg_promote()')
      balancer.lead(standby.port)
      await checkServed('the promoted server')

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

      await primary.start()
      balancer.lead(primary.port)
      if (forgets) {
        await nodes[0].kill()
        nodes[0] = await startNode({ database, port: nodes[0].port })
      }
      const end = performance.now() + wrongMs
      for (let i = 0; performance.now() < end; i += 1) {
        const request = i % 4 < 2 ? create(`Refused ${round} ${i}`) : list
        const { status } = await clients[i % 2](request)
        if (status < 500) counts.servedByOld += 1
        else counts.refused += 1
        await sleep(20)
      }
      balancer.lead(standby.port)
      await checkServed('the promoted server, to which the address leads again')

      // The old one follows the new one.
      await primary.stop()
      const followed = primary
      primary = standby
      standby = await createStandby(primary, followed.folder, { port: followed.port })
      await standby.start()
    }
    return counts
  })

export const oldPrimary = {
  name: 'old-primary',
  promise:
    'A node that has used a promoted server is served by the old primary no more, and goes on by itself.',
  fault:
    'The primary killed (SIGKILL), its standby promoted, and the one address led to it; then the old primary started again, and the address led back to it for 1.5 s',
  target:
    '0 acknowledged writes that another node does not show, 0 requests served by the old primary, every node works again',
  rounds: 10,
  quickRounds: 1,
  needsPostgres: true,
  make: leadBack,
  none: { hidden: 'not shown by another node', servedByOld: 'served by the old primary' },
  some: { written: 'acknowledged writes', refused: 'requests refused meanwhile', rounds: 'rounds' },
  controls: [
    {
      fault: 'A node that is started again meanwhile, and knows of no promoted server',
      rounds: 1,
      forgets: true,
      caught: ['servedByOld'],
    },
  ],
}
