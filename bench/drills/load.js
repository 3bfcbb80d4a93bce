// The load of a drill: clients that create, update and read projects, each with one request at a time. They record the outcome of
// each request.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { isOk, outcomeOf } from './outcomes.js'

/** The number of teams in which projects are created, and of teams in which one project is updated and read. */
const creating = 8
const updating = 4
export const teams = creating + updating

/** The records that the load needs: a session for each team, and its projects. The first project has the status 0. */
export function stateOfLoad(projects = 1) {
  const state = stateOf({ teams, projects })
  for (let team = 0; team < teams; team += 1) state.projects[team * projects].status = '0'
  return state
}

/**
 * The pause between the requests of a client, in ms: the drill shares the machine with the service, and in tests with other
 * drills.
 */
const shortPauseMs = Number(process.env.DRILL_PAUSE_MS ?? 5)
/** The longest pause of a slow reader, in ms: a stopping node waits longer for the next request on a connection. */
const longPauseMs = 400
const times = (length, make) => Array.from({ length }, (_, i) => make(i))

/**
 * Whether a project may show a number when `acknowledged` is the last acknowledged one. An update of unknown outcome may take
 * effect at any later time.
 */
export const mayShow = ({ sent, unknown }, number, acknowledged) =>
  (number >= acknowledged && number <= sent) || unknown.has(number)

/**
 * Starts the load, which runs until `stop`.
 * @param newClient creates an HTTP client; it is called for each client of the load
 * @param options.writers whether there are clients that create and update
 * @param options.readers the number of clients that read
 * @param options.slowReaders the number of further readers, with pauses of up to 400 ms
 * @param options.pauseMs the pause of the other clients, and `writePauseMs`, the pause of those that write
 * @param options.cookies a session cookie of each team
 * @param options.first the number of the first write of each client, if an earlier load wrote to the same database
 * @param options.longest the maximum length of descriptions, so that a record takes part of a page, or several pages
 * @param options.repeatAfter receives a result, and returns the ms after which the request is repeated, or undefined
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
   * Every request: its kind and client, its times `sent` and `end` (ms), and its outcome; the `name` of a creation; the `project`
   * and `number` of an update; and the time when it was `acknowledged`, infinite if it was not.
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

  /** Sends the requests of a client. `next` returns a request, `done`, and the fields for the history. */
  const loop = async (kind, team, next, pause = () => (kind === 'read' ? pauseMs : writePauseMs)) => {
    const send = newClient()
    const client = clients.push(send) - 1
    for (let i = first; !isStopped; i += 1) {
      const { request, done, ...fields } = next(i)
      const entry = { kind, client, ...fields, sent: performance.now(), acknowledged: Infinity }
      history.push(entry)
      const again = () => send({ path: '/v1/projects', cookie: cookies[team], ...request })
      let result = await again()
      for (let ms = repeatAfter(result); ms !== undefined && !isStopped; ms = repeatAfter(result)) {
        entry.isRepeated = true
        await sleep(ms)
        result = await again()
      }
      // 409 after a repetition: the first attempt created the project.
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
  const update = (updated) => (number) => {
    const { project } = updated
    updated.sent = number
    return {
      project,
      number,
      request: { method: 'PATCH', path: `/v1/projects/${project}`, body: { status: String(number) } },
      done(isAcknowledged) {
        if (isAcknowledged) updated.acknowledged = number
        else updated.unknown.add(number)
      },
    }
  }
  const read = (updated) => () => {
    const { acknowledged: known } = updated
    return {
      done(isRead, body) {
        if (isRead && !mayShow(updated, Number(body.projects.at(-1).status), known)) stale += 1
      },
    }
  }
  const readSlowly = () => Math.random() * longPauseMs
  const loops = [
    ...times(writers ? creating : 0, (team) => loop('create', team, create(team))),
    ...updates
      .slice(0, writers ? updating : 0)
      .map((updated) => loop('update', updated.team, update(updated))),
    ...times(readers + slowReaders, (i) => {
      const updated = updates[i % updating]
      return loop('read', updated.team, read(updated), i < readers ? undefined : readSlowly)
    }),
  ]

  /** Resolves with the first wanted request for each key, or with undefined after `ms`. */
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
    /** The number of acknowledged writes so far, and of stale reads. */
    acknowledged: () => acknowledged,
    stale: () => stale,
    /** Resolves with the first request of each kind that satisfies a condition, or with undefined after `ms`. */
    firstOf: (kinds, isWanted, ms) => firstOfEach(kinds, ({ kind }) => kind, isWanted, ms),
    /** The same for each client. */
    firstOfClients: (isWanted, ms) => firstOfEach([...loops.keys()], ({ client }) => client, isWanted, ms),
    /** Ends the load when the requests in flight are complete. */
    async stop() {
      isStopped = true
      await Promise.all(loops)
      for (const client of clients) client.end()
    },
  }
}

/** Clients that write to one service, and continue after it was killed and started again. */
export const startWriters = (url, options) =>
  startLoad(() => createClient(url), {
    readers: 0,
    pauseMs: 5,
    longest: 6_000,
    // The connection was refused.
    repeatAfter: ({ wasSent }) => (wasSent === false ? 10 : undefined),
    ...options,
  })
