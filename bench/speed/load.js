// The load, a process of its own: it is told of each run by its parent, and reports to it.
import { openConnection } from './connection.js'
import { serialIn } from './serial.js'

const requestOf = ({ method, path, host, cookie, body }) => {
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  if (cookie) head.push(`cookie: ${cookie}`)
  if (body === undefined) return Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
  head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const inTurn = (items) => {
  let turn = -1
  return () => {
    turn = (turn + 1) % items.length
    return items[turn]
  }
}

let serial = 0

/** Makes the requests of one kind of work, each with the next cookie and path, and a number of its own where the body has `#`. */
function requestsOf({ body, path, cookies = [undefined], ...work }, host) {
  const nextPath = inTurn([path].flat())
  if (!body?.includes('#'))
    return inTurn(cookies.map((cookie) => requestOf({ ...work, path: nextPath(), host, body, cookie })))
  const nextCookie = inTurn(cookies)
  return () => {
    serial += 1
    const own = body.replaceAll('#', `${process.pid}-${serial}`)
    return requestOf({ ...work, path: nextPath(), host, body: own, cookie: nextCookie() })
  }
}

/** Waits until a time; in short turns, for a timer is late by as much as many answers take. */
function createAlarm() {
  const waiting = []
  const look = () => {
    while (waiting[0]?.due <= performance.now()) waiting.shift().resolve()
    if (waiting.length > 0) setImmediate(look)
  }
  return (due) =>
    new Promise((resolve) => {
      waiting.push({ due, resolve })
      if (waiting.length === 1) setImmediate(look)
    })
}

function percentiles(times) {
  const sorted = Float64Array.from(times).sort()
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return { p50: at(0.5), p99: at(0.99) }
}

/** The number of the last change that is known to be committed. */
let committed = 0

/**
 * Asks one server over some connections, for `ms`, or until `count` was asked if that comes first.
 * @param options.work what is asked for: a kind of work, or several that take turns, which may have names
 * @param options.rate requests a second, asked by schedule, each timed from when it was due, even if all connections
 *   were busy then; as fast as they are answered, if left out
 * @param options.watches whether each answer is looked at for what was committed before it was asked for
 * @returns how many were answered, and how many a second; their times in ms, also by name; how many had another
 *   status than was expected, or were stale; the processor time of the load itself for each, in µs
 */
async function load({ url, work, connections, ms, count = Number.POSITIVE_INFINITY, rate, watches = false }) {
  const { hostname, port, host } = new URL(url)
  const nextKind = inTurn([work].flat().map((kind) => ({ ...kind, next: requestsOf(kind, host) })))
  /** The times of all that have the same name. */
  const timesOf = {}
  let wrong = 0
  let stale = 0

  const ask = async (connection, since) => {
    const { name, status, next } = nextKind()
    const known = committed
    const answer = await connection.ask(next())
    timesOf[name] ??= []
    timesOf[name].push(performance.now() - since)
    if (answer.status !== status) wrong += 1
    else if (watches && !(serialIn(answer.bytes) >= known)) stale += 1
  }

  let asked = 0
  const atOnce = async (connection) => {
    while (asked < count && performance.now() < until) {
      asked += 1
      await ask(connection, performance.now())
    }
  }
  const alarm = createAlarm()
  const bySchedule = async (connection) => {
    for (;;) {
      const due = started + (asked * 1000) / rate
      if (due >= until) return
      asked += 1
      if (due > performance.now()) await alarm(due)
      await ask(connection, due)
    }
  }

  const opened = await Promise.all(
    Array.from({ length: connections }, () => openConnection({ hostname, port, keepsBytes: watches })),
  )
  const cpu = process.cpuUsage()
  const started = performance.now()
  const until = started + ms
  await Promise.all(opened.map(rate ? bySchedule : atOnce))
  const lasted = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  for (const connection of opened) connection.end()

  const times = Object.values(timesOf).flat()
  return {
    count: times.length,
    perSecond: (times.length / lasted) * 1000,
    ...percentiles(times),
    byName: Object.fromEntries(Object.entries(timesOf).map(([name, of]) => [name, percentiles(of)])),
    wrong,
    stale,
    loadUs: (user + system) / times.length,
  }
}

process.on('message', ({ run, committed: number = committed }) => {
  committed = number
  if (run === undefined) return
  load(run).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: String(error) }),
  )
})
