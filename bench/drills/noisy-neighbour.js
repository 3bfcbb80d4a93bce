// One user fills connections with updates of one project. Do the users of other teams notice?
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { overBoth, withNodes } from './database.js'
import { startFlood } from './flood.js'
import { percentile } from './percentile.js'
import { watchBusyMachine } from './process-figures.js'
import { requestsOfTeams } from './sessions.js'

const teams = 5
const [connections, pipelined] = [12, 49]
/** The factor by which the median time of a request may grow. */
const maxFactor = 3
/** A shorter median than this, in ms, is not noticed. */
const noticedMs = 20
/** The pause between the requests of a client, in ms. */
const pauseMs = 10

const cookies = signedCookies(teams)
const requests = requestsOfTeams(teams)
const noisy = 0

/** The bytes of an update of a project. */
function updateOf(url, id) {
  const body = JSON.stringify({ status: 'loud' })
  return `PATCH /v1/projects/${id} HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncookie: ${cookies[noisy]}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

/** The requests of the other teams. Each team sends one kind. */
const kinds = {
  list: ({ list }) => list,
  update: ({ update }, team, i) => update(projectOf(team, 0).id, { status: String(i) }),
  creation: ({ create }, team, i) => create(`Quiet ${team} ${i}`),
  'sign-up for the waitlist': (_, team, i) => ({
    method: 'POST',
    path: '/v1/waitlist',
    body: { email: `quiet-${team}-${i}@example.com` },
  }),
}

async function disturb({ kind, rounds, isQuick, defect }) {
  const phaseMs = isQuick ? 1_000 : 4_000
  const state = stateOf({ teams, projects: 5 })
  return withNodes({ kind, count: 1, state, defect }, async ({ nodes, connect }) => {
    const [{ url, pid }] = nodes
    const isMachineBusy = watchBusyMachine(pid)
    const times = Object.fromEntries(Object.keys(kinds).map((name) => [name, { quiet: [], noisy: [] }]))
    const faults = []
    let situation
    let isDone = false
    const use = async (name, team) => {
      const [send] = connect()
      for (let i = 0; !isDone; i += 1) {
        const began = performance.now()
        const startedIn = situation
        const { status, error } = await send(kinds[name](requests[team], team, i))
        if (status >= 300 || error) faults.push(`other teams: ${name}: ${error ?? status}`)
        // A request that began before the flood and ended during it is not counted.
        if (startedIn === 'noisy' || situation === startedIn)
          times[name][startedIn]?.push(performance.now() - began)
        await sleep(pauseMs)
      }
    }
    const using = Object.keys(kinds).map((name, i) => use(name, i + 1))
    // The first requests of a process are slow.
    await sleep(1_000)
    let sent = 0
    for (let round = 0; round < rounds; round += 1) {
      situation = 'quiet'
      await sleep(phaseMs)
      // An existing project, then one that does not exist.
      for (const id of [projectOf(noisy, 0).id, 'unknown']) {
        situation = undefined
        const flood = startFlood({ url, connections, pipelined, request: updateOf(url, id) })
        await sleep(300)
        situation = 'noisy'
        await sleep(phaseMs)
        const counts = await flood.stop()
        situation = undefined
        sent += counts.sent
        await sleep(500)
      }
    }
    isDone = true
    await Promise.all(using)
    const isBusy = isMachineBusy()
    const slower = Object.entries(times).map(([name, { quiet, noisy }]) => {
      const medians = { name, quiet: percentile(quiet, 0.5), noisy: percentile(noisy, 0.5) }
      const isQuick = medians.noisy <= Math.max(noticedMs, maxFactor * medians.quiet)
      if (!isQuick && (!isBusy || defect)) faults.push(shown(medians))
      return medians
    })
    return {
      figure: `${slower.map(shown).join(', ')} (medians), beside ${sent.toLocaleString('en')} updates of one user${isBusy ? ', on a machine that was too busy to judge them' : ''}`,
      faults,
    }
  })
}
const shown = ({ name, quiet, noisy }) => `${name} ${quiet} → ${noisy} ms`

export const noisyNeighbour = overBoth({
  name: 'noisy-neighbour',
  promise: 'One user cannot make others wait ({database}).',
  fault: `${connections} connections of one user, each with ${pipelined} pipelined updates of one project, then of one that does not exist, beside lists, updates, creations and sign-ups of four other teams`,
  target: `half of the others' requests take at most ${maxFactor} times as long as without the flood, or ${noticedMs} ms; none is refused`,
  rounds: 5,
  quickRounds: 1,
  isAlone: true,
  run: disturb,
  controls: [
    {
      fault: 'A node that executes the writes of all teams in one queue',
      rounds: 1,
      isQuick: true,
      defect: 'oneQueue',
      caught: ['faults'],
    },
  ],
})
