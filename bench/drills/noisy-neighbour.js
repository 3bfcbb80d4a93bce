// One user fills connections with updates of one project. Do the users of other teams wait for them? The most updates that one of
// their requests waits for is compared with that on a node without fairness, under the same flood. Their times are only reported:
// they depend on the machine, and on other programs.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { overBoth, withNodes } from './database.js'
import { startFlood } from './flood.js'
import { percentile } from './percentile.js'
import { requestsOfTeams } from './sessions.js'

const teams = 5
const [connections, pipelined] = [12, 49]
/** The factor by which requests must wait for more updates without fairness. */
const minFactor = 3
/** The pause between the requests of a client, in ms. */
const pauseMs = 10

const cookies = signedCookies(teams)
const requests = requestsOfTeams(teams)
const noisy = 0

/** The bytes of an update of a project. */
function updateOf(url, id) {
  const body = JSON.stringify({ status: 'loud' })
  return `PATCH /v1/projects/${id} HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncookie: ${cookies[noisy]}\r\nx-drill-counted: 1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
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

/**
 * Sends the requests of the other teams, alone and beside the flood.
 * @param options.count the number of requests of each kind that begin in each situation
 * @returns for each kind the times `quiet` and `noisy`, in ms, and `turns`, the numbers of updates that the node executed meanwhile
 */
const measure = ({ kind, defect, count }) => {
  const options = { kind, count: 1, state: stateOf({ teams, projects: 5 }), preload: 'turns.js', defect }
  return withNodes(options, async ({ nodes, connect }) => {
    const [{ url }] = nodes
    const names = Object.keys(kinds)
    const seen = Object.fromEntries(names.map((name) => [name, { quiet: [], noisy: [], turns: [] }]))
    const failures = []
    let situation
    let begun = {}
    let isDone = false
    let hasWaited = false
    const use = async (name, team) => {
      const [send] = connect()
      for (let i = 0; !isDone; i += 1) {
        const began = performance.now()
        const startedIn = situation
        const { status, error, headers } = await send(kinds[name](requests[team], team, i))
        begun[name] = (begun[name] ?? 0) + 1
        if (status >= 300 || error) failures.push(`other teams: ${name}: ${error ?? status}`)
        seen[name][startedIn]?.push(performance.now() - began)
        const turns = Number(headers?.['x-drill-turns'])
        if (turns > 0) hasWaited = true
        if (startedIn === 'noisy') seen[name].turns.push(turns)
        await sleep(pauseMs)
      }
    }
    /** Waits for a number of requests of each kind. */
    const served = async (wanted) => {
      begun = {}
      while (names.some((name) => !(begun[name] >= wanted))) await sleep(pauseMs)
    }
    const using = names.map((name, i) => use(name, i + 1))
    // The first requests of a process are slow.
    await served(count)
    situation = 'quiet'
    await served(count)
    situation = undefined
    let sent = 0
    // An existing project, then one that does not exist.
    for (const id of [projectOf(noisy, 0).id, 'unknown']) {
      const flood = startFlood({ url, connections, pipelined, request: updateOf(url, id) })
      // Until one waits for the flood, it is not under way.
      hasWaited = false
      while (!hasWaited) await sleep(pauseMs)
      situation = 'noisy'
      await served(count)
      situation = undefined
      sent += (await flood.stop()).sent
      // The node has closed the connections of the flood.
      await served(2)
    }
    isDone = true
    await Promise.all(using)
    return { seen, sent, failures }
  })
}

async function disturb({ kind, rounds, isQuick, defect }) {
  const count = isQuick ? 15 : 100
  const fair = []
  const unfair = []
  for (let round = 0; round < rounds; round += 1) {
    fair.push(await measure({ kind, count, defect }))
    unfair.push(await measure({ kind, count, defect: 'oneQueue' }))
  }
  const faults = fair.flatMap(({ failures }) => failures)
  const figures = Object.keys(kinds).map((name) => {
    const all = (runs, field) => runs.flatMap(({ seen }) => seen[name][field])
    const [most, mostUnfair] = [fair, unfair].map((runs) => Math.max(...all(runs, 'turns')))
    const [quiet, noisy] = ['quiet', 'noisy'].map((field) => percentile(all(fair, field), 0.5))
    const figure = `${name} ${most}, without fairness ${mostUnfair} (${quiet} → ${noisy} ms)`
    if (!(mostUnfair >= minFactor * most)) faults.push(figure)
    return figure
  })
  const sent = fair.reduce((sum, run) => sum + run.sent, 0)
  return {
    figure: `the most updates waited for, and medians: ${figures.join('; ')}; beside ${sent.toLocaleString('en')} updates of one user`,
    faults,
  }
}

export const noisyNeighbour = overBoth({
  name: 'noisy-neighbour',
  promise: 'One user cannot make others wait ({database}).',
  fault: `${connections} connections of one user, each with ${pipelined} pipelined updates of one project, then of one that does not exist, beside lists, updates, creations and sign-ups of four other teams`,
  target: `the most updates that a request of the others waits for is a third of those on a node that executes all requests in one queue, or less; none is refused`,
  rounds: 3,
  quickRounds: 1,
  isAlone: true,
  run: disturb,
  controls: [
    {
      fault: 'A node that executes the requests of all teams in one queue',
      rounds: 1,
      isQuick: true,
      defect: 'oneQueue',
      caught: ['faults'],
    },
  ],
})
