// The load of a drill: clients that create projects, update them and read them, each with one request at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, signedCookies } from '../speed/dataset.js'
import { createLedger } from './ledger.js'
import { outcomeOf } from './outcomes.js'

/** Teams in which projects are created, and teams whose one project is updated and read. */
const creating = 8
const updating = 4
export const teams = creating + updating

/**
 * How long a client pauses between its requests, in ms: the drill shares the machine with the service, and where tests
 * run it with other tests too.
 */
const shortPauseMs = Number(process.env.DRILL_PAUSE_MS ?? 5)
/** How long a slow one pauses at most, in ms: less than a node that stops waits for the next request on a connection. */
const longPauseMs = 400

const times = (length, make) => Array.from({ length }, (_, i) => make(i))

/**
 * Starts the load, which lasts until `stop`.
 * @param newClient makes a client; each has one
 * @param options.slowReaders how many more clients read, with pauses of up to 400 ms
 * @param options.pauseMs how long the others pause
 */
export function startLoad(newClient, { slowReaders = 0, pauseMs = shortPauseMs } = {}) {
  const cookies = signedCookies(teams)
  const updated = times(updating, (i) => projectOf(creating + i, 0).id)
  const ledger = createLedger(updated)
  /** Every request: its kind and client, when it began and ended (ms), and its outcome. */
  const history = []
  const observers = new Set()
  const clients = []
  let stale = 0
  let isStopped = false

  /** Runs requests of a client, one after the other. `run` is given what sends one and returns the body of a success. */
  const loop = async (kind, team, run, pause = () => pauseMs) => {
    const send = newClient()
    const client = clients.push(send) - 1
    const call = async (request) => {
      const start = performance.now()
      const result = await send({ path: '/v1/projects', cookie: cookies[team], ...request })
      const entry = { kind, client, start, end: performance.now(), outcome: outcomeOf(result) }
      history.push(entry)
      for (const observe of observers) observe(entry)
      return entry.outcome === 'ok' ? result.body : undefined
    }
    for (let i = 1; !isStopped; i += 1) {
      await run(call, i)
      await sleep(pause())
    }
  }

  const create = (team) => async (call, i) => {
    const name = `Drill ${team} ${i}`
    if (await call({ method: 'POST', body: { name } })) ledger.created(name)
  }
  const update = (i) => async (call) => {
    const { number, end } = ledger.beginUpdate(i)
    const path = `/v1/projects/${updated[i]}`
    end((await call({ method: 'PATCH', path, body: { status: String(number) } })) !== undefined)
  }
  const read = (i) => async (call) => {
    const isStale = ledger.beginRead(i)
    const body = await call({})
    if (body && isStale(Number(body.projects[0].status))) stale += 1
  }
  const loops = [
    ...times(creating, (i) => loop('create', i, create(i))),
    ...times(updating, (i) => loop('update', creating + i, update(i))),
    ...times(updating, (i) => loop('read', creating + i, read(i))),
    ...times(slowReaders, (i) =>
      loop('read', creating + (i % updating), read(i % updating), () => Math.random() * longPauseMs),
    ),
  ]

  /** Resolves with the first wanted request for each of some keys, or undefined after a time. */
  const firstOfEach = (keys, keyOf, isWanted, ms) =>
    new Promise((resolve) => {
      const found = new Map()
      const timer = setTimeout(() => done(undefined), ms)
      const observe = (entry) => {
        const key = keyOf(entry)
        if (!keys.includes(key) || found.has(key) || !isWanted(entry)) return
        found.set(key, entry)
        if (found.size === keys.length) done([...found.values()])
      }
      const done = (result) => {
        clearTimeout(timer)
        observers.delete(observe)
        resolve(result)
      }
      observers.add(observe)
    })

  return {
    history,
    /** Resolves with the first request of each kind that satisfies a condition, or undefined after a time (ms). */
    firstOf: (kinds, isWanted, ms) => firstOfEach(kinds, ({ kind }) => kind, isWanted, ms),
    /** The same for each client. */
    firstOfClients: (isWanted, ms) => firstOfEach([...loops.keys()], ({ client }) => client, isWanted, ms),
    /** Ends the load after the requests in flight. */
    async stop() {
      isStopped = true
      await Promise.all(loops)
      for (const client of clients) client.end()
    },
    /** Compares what was acknowledged with what a database holds: see `createLedger`. */
    verify: async (query) => ({ ...(await ledger.verify(query)), stale }),
  }
}
