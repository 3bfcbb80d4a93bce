// Records the responses to clients of several nodes. For each team, one order of all creations, updates and reads must explain
// them.
import { setTimeout as sleep } from 'node:timers/promises'
import { signedCookies, stateOf } from '../speed/dataset.js'
import { overBoth, withNodes } from './database.js'
import { findContradiction } from './find-order.js'
import { requestsOf } from './sessions.js'
import { teamModel } from './team-model.js'

/** The clients of a team, and the requests of each: few enough for a fast search. */
const clientsOfTeam = 4
const requestsOfClient = 40
const teamsAtOnce = 6
/** Few names, so that some creations find their name taken. */
const names = ['Atlas', 'atlas', 'Roadmap', 'Mobile app', 'Website', 'x']
const faultEveryMs = 700
/** How long a client waits after a failed read, in ms. */
const retryMs = 20

/** Runs the clients of a team. @returns their history, see `team-model.js` */
async function record({ team, cookie, connect, random }) {
  const now = () => performance.now()
  const history = []
  /** The projects that the team's clients know: key and id. */
  const known = []
  let serial = 0

  const { list, ...requests } = requestsOf(cookie)
  const read = async (send) => {
    const start = now()
    const { status, body } = await send(list)
    const end = now()
    if (status !== 200) {
      await sleep(retryMs)
      return false
    }
    const seen = new Map(body.projects.map(({ description, status }) => [description, status]))
    // Two projects of one creation have the same description, so that the map would hide the second.
    if (seen.size < body.projects.length) seen.set('twice', JSON.stringify(body.projects.length))
    history.push({ kind: 'read', seen, start, end })
    for (const { description, id } of body.projects)
      if (!known.some(({ key }) => key === description)) known.push({ key: description, id })
    return true
  }
  /** The time at which a write ended: infinite if its outcome is unknown, undefined if it certainly had no effect. */
  const endOf = ({ status, wasSent }) => {
    if (status !== undefined && status !== 503) return now()
    return status === 503 || wasSent ? Infinity : undefined
  }
  const write = async (send, operation, request, expected) => {
    const start = now()
    const result = await send(request)
    const end = endOf(result)
    if (end === undefined) return
    if (end < Infinity && !expected.includes(result.status))
      throw new Error(`${request.method} ${request.path}: ${result.status}`)
    history.push({ ...operation, ...(result.status === 409 && { isTaken: true }), start, end })
    if (result.status === 201) known.push({ key: operation.key, id: result.body.project.id })
  }
  const create = (send) => {
    serial += 1
    const [key, name] = [`creation-${team}-${serial}`, random.pick(names)]
    const operation = { kind: 'create', key, name: name.toLowerCase() }
    return write(send, operation, requests.create(name, { description: key }), [201, 409])
  }
  const update = (send) => {
    serial += 1
    const { key, id } = random.pick(known)
    const value = `value-${serial}`
    return write(send, { kind: 'update', key, value }, requests.update(id, { status: value }), [200])
  }

  const runClient = async () => {
    const nodes = connect()
    for (let i = 0; i < requestsOfClient; i += 1) {
      const send = random.pick(nodes)
      if (random.chance(0.4)) await read(send)
      else if (known.length === 0 || random.chance(0.2)) await create(send)
      else await update(send)
    }
    // The next teams open new connections.
    for (const send of nodes) send.end()
  }
  await Promise.all(Array.from({ length: clientsOfTeam }, runClient))
  // The last read of each node shows lost writes.
  for (const send of connect()) {
    while (!(await read(send)));
    send.end()
  }
  return history
}

/** The nodes for each kind of database, and the fault that is made every 0.7 s. */
const settings = {
  sqlite: { count: 2, fault: (number, { restart }) => restart(number % 2) },
  postgres: {
    count: 3,
    hasNetwork: true,
    fault: (number, { restart, network }) => (number % 2 ? network.reset() : restart((number / 2) % 3)),
  },
}

/**
 * @param options.isHealthy whether no fault is made
 * @returns the numbers of histories and operations, and the histories that no order explains
 */
async function recordHistories({ kind, rounds, random, defect, isHealthy = false }) {
  const { fault, ...options } = settings[kind]
  const cookies = signedCookies(rounds)
  const state = stateOf({ teams: rounds, projects: 0 })
  return withNodes({ kind, defect, ...options, state }, async (setting) => {
    const counts = { histories: 0, operations: 0, unknown: 0, faultsMade: 0 }
    const faults = []
    let isDone = false
    const makeFaults = async () => {
      while (!isDone && !isHealthy) {
        await sleep(faultEveryMs)
        await fault(counts.faultsMade, setting)
        counts.faultsMade += 1
      }
    }
    const making = makeFaults()
    let next = 0
    const lane = async () => {
      while (next < rounds) {
        const team = next
        next += 1
        const history = await record({ team, cookie: cookies[team], connect: setting.connect, random })
        counts.histories += 1
        counts.operations += history.length
        counts.unknown += history.filter(({ end }) => end === Infinity).length
        const { operations, model } = teamModel(history)
        const found = findContradiction(operations, model)
        if (found) faults.push(`history of team ${team}: ${explain(found)}`)
      }
    }
    await Promise.all(Array.from({ length: Math.min(teamsAtOnce, rounds) }, lane))
    isDone = true
    await making
    return { ...counts, faults }
  })
}

const shown = ({ kind, start, end, ...rest }) =>
  `${kind} ${JSON.stringify({ ...rest, ...(rest.seen && { seen: Object.fromEntries(rest.seen) }) })} from ${start.toFixed(1)} to ${end.toFixed(1)}`
const explain = ({ order, stuck }) =>
  `after ${order.length} operations, ${order.slice(-3).map(shown).join('; ')}, none of these can come next: ${stuck.map(shown).join('; ')}`

const drill = {
  name: 'history',
  promise:
    'The responses to all clients of a team are explained by one order of creations, updates and reads that respects real time.',
  target: '0 histories without such an order',
  rounds: 150,
  quickRounds: 4,
  run: recordHistories,
  mustBeZero: { faults: 'contradictions' },
  mustNotBeZero: {
    histories: 'histories',
    operations: 'operations',
    unknown: 'of unknown outcome',
    faultsMade: 'faults',
  },
  controls: [
    {
      fault: 'Nodes whose reads are stale by 50 ms',
      rounds: 12,
      defect: 'staleReads',
      isHealthy: true,
      caught: ['faults'],
    },
    {
      fault: 'Nodes that lose one update in 20',
      rounds: 12,
      defect: 'lostUpdate',
      isHealthy: true,
      caught: ['faults'],
    },
  ],
}
const every = `every ${faultEveryMs / 1_000} s`
export const histories = overBoth(drill, {
  sqlite: {
    hasQuickControl: true,
    fault: `Two processes over one SQLite file, of which one is killed (SIGKILL) ${every} and started again`,
  },
  postgres: {
    fault: `Three nodes over one PostgreSQL; ${every} one is killed (SIGKILL) and started again, or all connections to PostgreSQL are reset`,
  },
})
