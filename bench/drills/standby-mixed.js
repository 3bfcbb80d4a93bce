// A primary and a standby that lags behind in one pool of connections (`target_session_attrs=any`). What a node answers may then
// be as old as what the standby holds, and no older; once the standby has caught up, it is what was written last.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { countingDrill } from './counting.js'
import { withDatabase } from './database.js'
import { startNetwork, throughPort } from './network.js'
import { addressOfBoth, catchUp, createStandby } from './postgres-server.js'

const teams = 4
const readersOfTeam = 3
/** How long the primary is out of reach, and how long all is read once it is back, in ms. */
const [cutMs, mixedMs] = [150, 1_300]
const cutsOfRound = 2
/** How long all is read after the standby has caught up, in ms. */
const settledMs = 300
const retryMs = 10
/** How long the nodes may take to write again, in ms. */
const recoveryMs = 20_000

const cookies = signedCookies(teams)
const state = stateOf({ teams, projects: 1 })
for (const project of state.projects) project.status = '0'

/** @returns the counts, and what did not hold */
const mix = ({ rounds, defect }) =>
  withDatabase({ state }, async ({ postgres: primary, folder, startNode, onEnd }) => {
    const standby = await createStandby(primary, join(folder, 'standby'))
    await standby.start()
    onEnd(() => standby.stop())
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
    const counts = { reads: 0, lagging: 0, stale: 0, impossible: 0, unavailable: 0 }
    let isDone = false

    const read = async (send, team) => {
      const [least, known] = [held[team], written[team]]
      const { status, body } = await send({ path: '/v1/projects', cookie: cookies[team] })
      counts.reads += 1
      if (status !== 200) {
        counts.unavailable += 1
        return
      }
      const seen = Number(body.projects[0].status)
      if (seen < least) counts.stale += 1
      else if (seen < known) counts.lagging += 1
      if (seen > sent[team]) counts.impossible += 1
    }
    const readOften = async (url, team) => {
      const send = createClient(url)
      while (!isDone) {
        await read(send, team)
        await sleep(2)
      }
      send.end()
    }
    const reading = nodes.flatMap(({ url }) =>
      Array.from({ length: readersOfTeam * teams }, (_, i) => readOften(url, i % teams)),
    )
    const writers = nodes.map(({ url }) => createClient(url))
    /** Updates the project of each team, until that is acknowledged. */
    const write = async (i) => {
      const end = performance.now() + recoveryMs
      for (let team = 0; team < teams; team += 1)
        for (;;) {
          sent[team] += 1
          const number = sent[team]
          const { status, text, error } = await writers[i % writers.length]({
            method: 'PATCH',
            path: `/v1/projects/${projectOf(team, 0).id}`,
            cookie: cookies[team],
            body: { status: String(number) },
          })
          if (status === 200) {
            written[team] = number
            break
          }
          if (performance.now() > end) throw new Error(`No update succeeds: ${error ?? text}`)
          await sleep(retryMs)
        }
    }

    const faults = []
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
        faults.push(`round ${round}: ${counts.stale - before} lists without end older than both servers`)
    }
    isDone = true
    await Promise.all(reading)
    for (const send of writers) send.end()
    return { ...counts, written: written.reduce((sum, number) => sum + number, 0), faults }
  })

export const standbyMixed = countingDrill({
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
  some: { lagging: 'the standby was never read' },
  figure: ({ reads, lagging, stale, written }, { rounds }) =>
    `${stale} of ${reads.toLocaleString('en')} lists older than the standby, ${lagging.toLocaleString('en')} as old as it, after ${written.toLocaleString('en')} updates in ${rounds} rounds`,
  control: {
    options: { rounds: 2, defect: 'mixedVersions' },
    caught: ['stale'],
    figure: ({ stale }) =>
      `nodes that ask one server for the version, and read the list from whichever, answer ${stale} older ones in 2 rounds`,
  },
})
