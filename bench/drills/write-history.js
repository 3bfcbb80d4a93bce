// Clients that write, what they know of their writes, and whether a database explains it.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { outcomeOf } from './outcomes.js'

/** Each team has clients that create projects, and one that updates its first project. */
export const teams = 4
const creatorsOfTeam = 2
/** The records that they need. */
export const stateOfWriters = () => stateOf({ teams, projects: 1 })

/** How long a client waits before it sends again what was not sent, in ms. */
const retryMs = 10

const times = (length, make) => Array.from({ length }, (_, i) => make(i))

/**
 * Starts clients of a service, each with one request at a time, that write until `stop`. One that finds nobody at the
 * address sends again; a connection that ends leaves it not knowing what became of the write.
 * @param options.stamp the present place in an order of events, by default the time in ms
 * @param options.pauseMs how long a client pauses between its requests
 * @param options.cookies a session cookie of each team
 * @param options.first the number of the first write of each client, where others wrote before
 */
export function startWriters(
  url,
  { stamp = () => performance.now(), pauseMs = 5, cookies = signedCookies(teams), first = 1 } = {},
) {
  /**
   * The writes: `project` and `number` of an update, or the `name` of a creation; when they were `sent`, and `acknowledged`
   * (infinite where they were not).
   */
  const history = []
  const outcomes = {}
  let isStopped = false
  let acknowledged = 0
  let lastRefusedAt = 0

  const loop = async (team, next) => {
    const send = createClient(url)
    for (let i = first; !isStopped; i += 1) {
      const { request, ...write } = next(i)
      const entry = { team, ...write, sent: stamp(), acknowledged: Number.POSITIVE_INFINITY }
      history.push(entry)
      for (;;) {
        const { status, error, wasSent, retryAfter } = await send({ cookie: cookies[team], ...request })
        if (error !== undefined && !wasSent && !isStopped) {
          await sleep(retryMs)
          continue
        }
        if (status < 300) {
          entry.acknowledged = stamp()
          acknowledged += 1
        }
        const outcome = outcomeOf({ status, error, wasSent, retryAfter })
        if (outcome === 'unavailable') lastRefusedAt = stamp()
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        break
      }
      await sleep(pauseMs)
    }
    send.end()
  }
  const create = (team, client) => (i) => {
    const name = `Drill ${team} ${client} ${i}`
    // Descriptions of very different lengths: records take part of a page, or several.
    const description = 'd'.repeat((i * 997 * (client + 1)) % 6_000)
    return { name, request: { method: 'POST', path: '/v1/projects', body: { name, description } } }
  }
  const update = (project) => (number) => ({
    project,
    number,
    request: { method: 'PATCH', path: `/v1/projects/${project}`, body: { status: String(number) } },
  })
  const loops = times(teams, (team) => [
    ...times(creatorsOfTeam, (client) => loop(team, create(team, client))),
    loop(team, update(projectOf(team, 0).id)),
  ]).flat()

  return {
    history,
    /** How often the requests had which outcome. */
    outcomes,
    /** When a write was refused last, with 503. */
    lastRefusedAt: () => lastRefusedAt,
    /** How many writes were acknowledged so far. */
    acknowledged: () => acknowledged,
    /** Ends the clients after their present requests. */
    async stop() {
      isStopped = true
      await Promise.all(loops)
    },
  }
}

/** The projects of all teams, as the service shows them. */
export async function storedThrough(url) {
  const lists = signedCookies(teams).map(async (cookie) => {
    const response = await fetch(new URL('/v1/projects', url), { headers: { cookie } })
    if (!response.ok) throw new Error(`The projects cannot be read: ${response.status}`)
    return (await response.json()).projects
  })
  return (await Promise.all(lists)).flat()
}

/**
 * Compares a history with the projects of a database, which hold all of it up to some moment.
 *
 * The commits have one order that respects time: there is a moment such that all that was acknowledged before it is there,
 * and nothing that was sent after it. What was sent and not acknowledged may be there or not, once.
 * @param projects the stored projects
 * @param options.from the earliest such moment, and `options.to` the latest: by default after all of the history
 * @returns `lost`, acknowledged writes that are not there; `doubled`, projects that are there twice; `torn`, whether
 *   there is no such moment; `foreign`, projects that nobody sent
 */
export function compare(history, projects, { from = Number.MAX_VALUE, to = Number.POSITIVE_INFINITY } = {}) {
  const names = new Map()
  const numbers = new Map()
  for (const { id, name, status } of projects) {
    names.set(name, (names.get(name) ?? 0) + 1)
    numbers.set(id, Number(status))
  }
  const isStored = ({ name, project, number }) =>
    name === undefined ? numbers.get(project) >= number : names.has(name)
  const earlier = history.filter(({ sent }) => sent <= to)
  const stored = earlier.filter(isStored)
  const missing = earlier.filter((write) => !isStored(write))
  const latestSent = stored.reduce((latest, { sent }) => Math.max(latest, sent), 0)
  const sentNames = new Set(history.map(({ name }) => name))
  return {
    lost: missing.filter(({ acknowledged }) => acknowledged <= from).length,
    doubled: [...names.values()].filter((count) => count > 1).length,
    torn:
      missing.some(({ acknowledged }) => acknowledged < latestSent) ||
      history.some((write) => write.sent > to && isStored(write)),
    foreign: [...names.keys()].filter((name) => name.startsWith('Drill ') && !sentNames.has(name)).length,
  }
}
