// The load generator, a separate process. Its parent sends the options of each run, and receives the result.
import { commitNumberIn } from './commit-number.js'
import { openConnection } from './connection.js'

const requestBytes = ({ method, path, host, cookie, body }) => {
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  if (cookie) head.push(`cookie: ${cookie}`)
  if (body === undefined) return Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
  head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const roundRobin = (items) => {
  let index = -1
  return () => {
    index = (index + 1) % items.length
    return items[index]
  }
}

let bodyCount = 0

/** @returns a function that returns the next request of a workload: the next cookie and path, and a unique number for `#` */
function requestSource({ body, path, cookies = [undefined], ...workload }, host) {
  const nextPath = roundRobin([path].flat())
  if (!body?.includes('#')) {
    return roundRobin(
      cookies.map((cookie) => requestBytes({ ...workload, path: nextPath(), host, body, cookie })),
    )
  }
  const nextCookie = roundRobin(cookies)
  return () => {
    bodyCount += 1
    const unique = body.replaceAll('#', `${process.pid}-${bodyCount}`)
    return requestBytes({ ...workload, path: nextPath(), host, body: unique, cookie: nextCookie() })
  }
}

/** Waits until a time by polling: a timer would be late by more than the time of a response. */
function createAlarm() {
  const waiting = []
  const poll = () => {
    while (waiting[0]?.due <= performance.now()) waiting.shift().resolve()
    if (waiting.length > 0) setImmediate(poll)
  }
  return (due) =>
    new Promise((resolve) => {
      waiting.push({ due, resolve })
      if (waiting.length === 1) setImmediate(poll)
    })
}

function percentiles(times) {
  const sorted = Float64Array.from(times).sort()
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return { p50: at(0.5), p99: at(0.99) }
}

/** The number of the last commit that was reported. */
let lastCommit = 0

/**
 * Loads one server, or several that share the connections, for `ms` or until `count` requests were sent, whichever comes
 * first.
 * @param options.workload one workload, or several that take turns and may have names
 * @param options.rate requests per second, at even intervals. Each is timed from the moment when it was due, even if all
 *   connections were busy. Without a rate, each connection sends its next request as soon as it has a response.
 * @param options.checkStale whether each response must show the commits made before its request was sent
 * @returns the number of requests, in all and per second; their times in ms, also by name; the number of unexpected
 *   statuses, and of stale responses; the CPU time of the load generator per request, in µs
 */
async function runLoad({
  url,
  workload,
  connections,
  ms,
  count = Number.POSITIVE_INFINITY,
  rate,
  checkStale = false,
}) {
  const urls = [url].flat().map((each) => new URL(each))
  const [{ host }] = urls
  const nextWorkload = roundRobin(
    [workload].flat().map((each) => ({ ...each, nextRequest: requestSource(each, host) })),
  )
  const timesByName = {}
  let unexpected = 0
  let stale = 0

  const measure = async (connection, since) => {
    const { name, status, nextRequest } = nextWorkload()
    const known = lastCommit
    const response = await connection.request(nextRequest())
    timesByName[name] ??= []
    timesByName[name].push(performance.now() - since)
    if (response.status !== status) unexpected += 1
    else if (checkStale && !(commitNumberIn(response.bytes) >= known)) stale += 1
  }

  let sent = 0
  const closedLoop = async (connection) => {
    while (sent < count && performance.now() < until) {
      sent += 1
      await measure(connection, performance.now())
    }
  }
  const alarm = createAlarm()
  const fixedRate = async (connection) => {
    for (;;) {
      const due = started + (sent * 1000) / rate
      if (due >= until) return
      sent += 1
      if (due > performance.now()) await alarm(due)
      await measure(connection, due)
    }
  }

  const opened = await Promise.all(
    Array.from({ length: connections }, (_, i) => {
      const { hostname, port } = urls[i % urls.length]
      return openConnection({ hostname, port, collectBytes: checkStale })
    }),
  )
  const cpu = process.cpuUsage()
  const started = performance.now()
  const until = started + ms
  await Promise.all(opened.map(rate ? fixedRate : closedLoop))
  const elapsed = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  for (const connection of opened) connection.end()

  const times = Object.values(timesByName).flat()
  return {
    count: times.length,
    perSecond: (times.length / elapsed) * 1000,
    ...percentiles(times),
    byName: Object.fromEntries(Object.entries(timesByName).map(([name, list]) => [name, percentiles(list)])),
    unexpected,
    stale,
    loadCpuUs: (user + system) / times.length,
  }
}

process.on('message', ({ run, lastCommit: number = lastCommit }) => {
  lastCommit = number
  if (run === undefined) return
  runLoad(run).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: String(error) }),
  )
})
