// The load of a drill: clients that create projects, update them and read them, each with one request at a time, and what they
// know of their writes.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { isOk, outcomeOf } from './outcomes.js'

/** Teams in which projects are created, and teams whose one project is updated and read. */
const creating = 8
const updating = 4
export const teams = creating + updating

/** The records that the load needs: of each team a session, and some projects, the first with the status 0. */
export function stateOfLoad(projects = 1) {
  const state = stateOf({ teams, projects })
  for (let team = 0; team < teams; team += 1) state.projects[team * projects].status = '0'
  return state
}

/**
 * How long a client pauses between its requests, in ms: the drill shares the machine with the service, and where tests
 * run it with other tests too.
 */
const shortPauseMs = Number(process.env.DRILL_PAUSE_MS ?? 5)
/** How long a slow one pauses at most, in ms: less than a node that stops waits for the next request on a connection. */
const longPauseMs = 400
const times = (length, make) => Array.from({ length }, (_, i) => make(i))

/**
 * Whether a project may show a number after the updates up to another were acknowledged. An update whose outcome is not known
 * may take effect at any later time.
 */
export const mayShow = ({ sent, unknown }, number, acknowledged) =>
  (number >= acknowledged && number <= sent) || unknown.has(number)

/**
 * Starts the load, which lasts until `stop`.
 * @param newClient makes a client; each has one
 * @param options.writers whether there are clients that create and update
 * @param options.readers how many clients read, and `slowReaders`, how many more, with pauses of up to 400 ms
 * @param options.pauseMs how long the others pause, and `writePauseMs`, those that write
 * @param options.cookies a session cookie of each team
 * @param options.first the number of the first write of each client, where others wrote before
 * @param options.longest how long the descriptions of projects may be: records take part of a page, or several
 * @param options.repeatAfter tells of a result after how many ms it is sent again, if it is
 */
export function startLoad(
  newClient,
  {
    writers = true,
    readers = updating,
    slowReaders = 0,
    pauseMs = shortPauseMs,
    writePauseMs = pauseMs,
    cookies = signedCookies(teams),
    first = 1,
    longest = 0,
    repeatAfter = () => undefined,
  } = {},
) {
  /**
   * Every request: its kind and client, when it was `sent` and its `end` (ms), and its outcome; the `name` of a creation, the
   * `project` and `number` of an update; and when it was `acknowledged`, infinite where it was not.
   */
  const history = []
  const updates = times(updating, (i) => ({
    team: creating + i,
    project: projectOf(creating + i, 0).id,
    sent: 0,
    acknowledged: 0,
    unknown: new Set(),
  }))
  const observers = new Set()
  const clients = []
  let acknowledged = 0
  let stale = 0
  let isStopped = false

  /** Sends the requests of a client, one after the other. `next` gives each, what the history has of it, and what follows it. */
  const loop = async (kind, team, next, pause = () => (kind === 'read' ? pauseMs : writePauseMs)) => {
    const send = newClient()
    const client = clients.push(send) - 1
    for (let i = first; !isStopped; i += 1) {
      const { request, done, ...what } = next(i)
      const entry = { kind, client, ...what, sent: performance.now(), acknowledged: Infinity }
      history.push(entry)
      const again = () => send({ path: '/v1/projects', cookie: cookies[team], ...request })
      let result = await again()
      for (let ms = repeatAfter(result); ms !== undefined && !isStopped; ms = repeatAfter(result)) {
        entry.isRepeated = true
        await sleep(ms)
        result = await again()
      }
      // The first attempt may have taken the name.
      entry.outcome = entry.isRepeated && result.status === 409 ? 'ok' : outcomeOf(result)
      entry.end = performance.now()
      if (isOk(entry)) {
        entry.acknowledged = entry.end
        if (kind !== 'read') acknowledged += 1
      }
      done?.(isOk(entry), result.body)
      for (const observe of observers) observe(entry)
      await sleep(pause())
    }
  }

  const create = (team) => (i) => {
    const name = `Drill ${team} ${i}`
    const description = 'd'.repeat((i * 997 * (team + 1)) % (longest + 1))
    return { name, request: { method: 'POST', body: { name, ...(longest > 0 && { description }) } } }
  }
  const update = (of) => (number) => {
    of.sent = number
    return {
      project: of.project,
      number,
      request: { method: 'PATCH', path: `/v1/projects/${of.project}`, body: { status: String(number) } },
      done(isAcknowledged) {
        if (isAcknowledged) of.acknowledged = number
        else of.unknown.add(number)
      },
    }
  }
  const read = (of) => () => {
    const { acknowledged: known } = of
    return {
      done(isRead, body) {
        if (isRead && !mayShow(of, Number(body.projects.at(-1).status), known)) stale += 1
      },
    }
  }
  const readSlowly = () => Math.random() * longPauseMs
  const loops = [
    ...times(writers ? creating : 0, (team) => loop('create', team, create(team))),
    ...updates.slice(0, writers ? updating : 0).map((of) => loop('update', of.team, update(of))),
    ...times(readers + slowReaders, (i) => {
      const of = updates[i % updating]
      return loop('read', of.team, read(of), i < readers ? undefined : readSlowly)
    }),
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
    /** How many writes were acknowledged so far, and how many reads were stale. */
    acknowledged: () => acknowledged,
    stale: () => stale,
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
  }
}

/** Clients of one service that write, and go on where it is killed and started again. */
export const startWriters = (url, options) =>
  startLoad(() => createClient(url), {
    readers: 0,
    pauseMs: 5,
    longest: 6_000,
    // Nobody listened.
    repeatAfter: ({ wasSent }) => (wasSent === false ? 10 : undefined),
    ...options,
  })
