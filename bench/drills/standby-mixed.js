// A primary and a standby that lags behind in one pool of connections (`target_session_attrs=any`). What a node answers may then
// be as old as what the standby holds, and no older; once the standby has caught up, it is what was written last.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, stateOf } from '../speed/dataset.js'
import { createClient, persist } from './client.js'
import { withDatabase } from './database.js'
import { startNetwork, throughPort } from './network.js'
import { addressOfBoth, catchUp, startStandby } from './postgres-server.js'
import { requestsOfTeams } from './sessions.js'

const teams = 4
const readersOfTeam = 3
/** How long the primary is out of reach, and how long all is read once it is back, in ms. */
const [cutMs, mixedMs] = [150, 1_300]
const cutsOfRound = 2
/** How long all is read after the standby has caught up, in ms. */
const settledMs = 300

const requests = requestsOfTeams(teams)
const state = stateOf({ teams, projects: 1 })
for (const project of state.projects) project.status = '0'

const mix = ({ rounds, defect }) =>
  withDatabase({ state }, async ({ postgres: primary, root, startNode, onEnd }) => {
    const standby = await startStandby(primary, { root, onEnd })
    const network = await startNetwork(primary.port)
    onEnd(network.close)
    const through = { url: throughPort(primary.url, network.port) }
    const database = addressOfBoth(through, standby, '?target_session_attrs=any')
    const env = { DRILL_DATABASE: primary.url }
    const nodes = [await startNode({ database, defect, env }), await startNode({ database, defect, env })]

    /** By team: the number of the last update that was sent, and that was acknowledged. */
    const sent = Array(teams).fill(0)
    const written = Array(teams).fill(0)
    /** The numbers that the standby holds: no response may be older. */
    let held = [...written]
    const counts = { rounds, reads: 0, updates: 0, lagging: 0, stale: 0, impossible: 0, faults: [] }
    let isDone = false

    const readOften = async (url, team) => {
      const send = createClient(url)
      onEnd(send.end)
      while (!isDone) {
        const [least, known] = [held[team], written[team]]
        const { status, body } = await send(requests[team].list)
        if (status === 200) {
          counts.reads += 1
          const seen = Number(body.projects[0].status)
          if (seen < least) counts.stale += 1
          else if (seen < known) counts.lagging += 1
          if (seen > sent[team]) counts.impossible += 1
        }
        await sleep(2)
      }
    }
    const reading = nodes.flatMap(({ url }) =>
      Array.from({ length: readersOfTeam * teams }, (_, i) => readOften(url, i % teams)),
    )
    const writers = nodes.map(({ url }) => createClient(url))
    /** Updates the project of each team, until that is acknowledged. */
    const write = async (i) => {
      for (const [team, { update }] of requests.entries()) {
        sent[team] += 1
        const request = update(projectOf(team, 0).id, { status: String(sent[team]) })
        const { status, error } = await persist(writers[i % writers.length], request)
        if (status !== 200) throw new Error(`No update succeeds: ${error ?? status}`)
        written[team] = sent[team]
        counts.updates += 1
      }
    }

    for (let round = 0; round < rounds; round += 1) {
      await standby.query('SELECT pg_wal_replay_pause()')
      for (let cut = 0; cut < cutsOfRound; cut += 1) {
        await write(cut)
        network.cut()
        await sleep(cutMs)
        network.pass()
        await sleep(mixedMs)
      }
      await standby.query('SELECT pg_wal_replay_resume()')
      await catchUp(primary, standby)
      held = [...written]
      const before = counts.stale
      await sleep(settledMs)
      if (counts.stale > before)
        counts.faults.push(
          `round ${round}: ${counts.stale - before} lists without end older than both servers`,
        )
    }
    isDone = true
    await Promise.all(reading)
    for (const send of writers) send.end()
    return counts
  })

export const standbyMixed = {
  name: 'standby-mixed',
  promise:
    'Over a primary and a lagging standby in one pool, a response is never older than what the standby holds, and nothing older is kept in memory as newer.',
  fault:
    '`target_session_attrs=any` with an asynchronous standby that does not replay for three seconds, while the primary is out of reach for 0.15 s twice, projects are updated and their lists read through two nodes; then it catches up',
  target: '0 lists older than the standby, 0 that no update made',
  rounds: 20,
  quickRounds: 2,
  needsPostgres: true,
  make: mix,
  none: { stale: 'lists older than the standby', impossible: 'lists that no update made' },
  some: { reads: 'lists', lagging: 'as old as the standby', updates: 'updates', rounds: 'rounds' },
  controls: [
    {
      fault: 'Nodes that ask one server for the version, and read the list from whichever',
      rounds: 2,
      defect: 'mixedVersions',
      caught: ['stale'],
    },
  ],
}
