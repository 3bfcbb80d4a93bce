// The targets of the service, and the table that says which are met. All values come from the results.
import { markdown, short, whole, withSpread } from './markdown-table.js'
import { names as commands } from './sections/commands.js'
import { names as sizes } from './sections/growth.js'
import { atPeak, belowPeak } from './sections/latency.js'
import { loggedName } from './subjects.js'
import {
  commandStart,
  costOfRead,
  databaseTime,
  findRow,
  memoryRatio,
  staleResponses,
  startTime,
  tailRatio,
  throughput,
  throughputByWallClock,
} from './target-values.js'
import { labels, names, nodeNames } from './workloads.js'

const { production, mock, fastify, express, ungrouped } = names

// `explain` returns the reason for a missed target, from what was measured.
const atLeast = (limit, name, measure, explain) => ({
  name,
  limit: `at least ${limit}`,
  measure,
  explain,
  isMet: (value) => value >= limit,
})
const atMost = (limit, name, measure, { unit = '', explain } = {}) => ({
  name,
  limit: `at most ${limit}${unit}`,
  unit,
  measure,
  explain,
  isMet: (value) => value <= limit,
})
const below = (limit, name, measure, explain) => ({
  name,
  limit: `under ${limit}`,
  measure,
  explain,
  isMet: (value) => value < limit,
})

const explainRead = (results) => {
  if (!results.profile) return 'measure the section `profile` as well for the reason.'
  const difference = (category) => {
    const { profileUs } = findRow(results, 'profile', 'profile', category)
    return `${short(profileUs.production)} µs instead of ${short(profileUs.fastify)} µs`
  }
  return `in the CPU profile of a read, the service itself takes ${difference('the service itself')}, Fastify and other packages ${difference('Fastify and other packages')}, and response heads, which have more headers, ${difference('response heads')}.`
}

const explainOneWriter = () =>
  'better-sqlite3 runs statements on the thread that responds, sqlite3 on another thread. Each statement is a round trip between threads. Concurrent writes share it.'

const explainSlowDisk = (workload) => (results) => {
  const { core, cpuUs } = findRow(results, 'slowDisk', `${workload}-64`, production)
  return `CPU time is the limit: a request takes ${whole(cpuUs)} µs, commits included, which kept the core busy for ${whole(core)} % of the time.`
}

const explainTail = (results) => {
  const tailOf = (name) => short(findRow(results, 'latency', 'latency', name).tail.value)
  return `it is ${tailOf(belowPeak(fastify))} with ${fastify}. At a fixed rate, a pause of a few milliseconds (of the machine, or for garbage collection) counts for every request that was due meanwhile, while p50 is the time of a cache hit. At the peak rate it is ${tailOf(atPeak(production))} for production.`
}

const explainCommandStart = (results) => {
  const row = (name) => findRow(results, 'commands', 'commands', name)
  return `Node takes ${whole(row(commands.empty).commandMs)} ms for an empty file on this machine, and ${short(row(commands.commander).overEmpty.value)} ms more to load commander alone.`
}

export const targets = [
  ...['list', 'bundle'].flatMap((workload) => {
    const name = `production, ${labels[workload]}, 50 connections`
    const against = (other) => throughput('reads', `${workload}-50`, production, other)
    return [
      atLeast(
        1.5,
        `${name}, with the request log: of plain Fastify with its own`,
        throughput('loggedReads', `${workload}-50`, loggedName(production), loggedName(fastify)),
        explainRead,
      ),
      atLeast(0.8, `${name}: of plain Fastify`, against(fastify), explainRead),
      atLeast(0.55, `${name}: of node:http`, against(names.http), explainRead),
      atLeast(7, `${name}: of Express with better-sqlite3`, against(express), explainRead),
      atLeast(
        0.75,
        `${name}, 50 teams, 20 commits a second: of plain Fastify`,
        throughput('concurrentCommits', `${workload}-50`, production, fastify),
        explainRead,
      ),
    ]
  }),
  // What guards against a change that makes reads dearer: a busy machine does not change these.
  ...[
    ['list', production, 0.5],
    ['list', loggedName(production), 0.75],
    ['bundle', production, 0.38],
    ['bundle', loggedName(production), 0.65],
  ].map(([workload, subject, limit]) =>
    atLeast(
      limit,
      `${subject}, ${labels[workload]}, in memory: of plain Fastify with the same log`,
      costOfRead(`cost-${workload}`, subject),
      explainRead,
    ),
  ),
  atMost(0, 'production: stale responses', staleResponses(production)),
  ...['create', 'waitlist'].flatMap((workload) => {
    const name = `production, ${labels[workload]}, durable`
    const against = (connections, other) =>
      throughput('writes', `${workload}-${connections}`, production, other)
    return [
      atLeast(6, `${name}, 64 connections: of Express with better-sqlite3`, against(64, express)),
      atLeast(3, `${name}, 64 connections: of the same without group commit`, against(64, ungrouped)),
      atLeast(0.9, `${name}, 1 connection: of the same without group commit`, against(1, ungrouped)),
      atLeast(
        0.9,
        `${name}, 1 connection: of Express with better-sqlite3`,
        against(1, express),
        explainOneWriter,
      ),
      atLeast(
        20,
        `${name}, 2 ms more for each fsync, 64 connections: of the same without group commit`,
        throughputByWallClock('slowDisk', `${workload}-64`, production, ungrouped),
        explainSlowDisk(workload),
      ),
    ]
  }),
  below(
    10,
    'production, reads with 10 % writes at 80 % of the peak rate: p99 / p50',
    tailRatio(belowPeak(production)),
    explainTail,
  ),
  atLeast(
    0.5,
    'production, the list of 20 projects, 10,000 teams in turn: of 10 teams',
    throughput('growth', 'teams', sizes.teams(10_000), sizes.teams(10)),
  ),
  ...[20, 1000].map((size) =>
    atLeast(
      0.95,
      `production, the list of ${size.toLocaleString('en')} projects among a million: of a database with this team only`,
      throughput('growth', `million-${size}`, sizes.million, sizes.single),
    ),
  ),
  ...['list', 'bundle', 'create'].flatMap((workload) => {
    const name = `mock, ${labels[workload]}`
    const against = (peer) => throughput('mock', `${workload}-32`, mock, peer)
    return [
      ...[names.jsonServer0, names.prism, names.mockoon, names.httpMiddleware].map((peer) =>
        atLeast(2, `${name}: of ${peer}`, against(peer)),
      ),
      atLeast(
        workload === 'create' ? 1 : 0.75,
        `${name}: of ${names.jsonServer1}`,
        against(names.jsonServer1),
      ),
    ]
  }),
  ...['list', 'create'].map((workload) =>
    atLeast(
      0.7,
      `mock, ${labels[workload]}, 10,000 projects in the fixture: of 100 projects`,
      throughput('largeFixture', `${workload}-32`, '10,000 projects', '100 projects'),
    ),
  ),
  atMost(2, 'production, time to the first response: of plain Fastify', startTime(production, fastify)),
  atMost(1.3, 'mock, time to the first response: of plain Fastify', startTime(mock, fastify)),
  ...[names.prism, names.mockoon, names.httpMiddleware].map((peer) =>
    below(1, `mock, time to the first response: of ${peer}`, startTime(mock, peer)),
  ),
  ...[commands.help, commands.version, commands.completion].map((name) =>
    atMost(25, `${name}: over node with an empty file`, commandStart(name), {
      unit: ' ms',
      explain: explainCommandStart,
    }),
  ),
  below(
    1.5,
    'production, resident memory after a million requests: of plain Fastify',
    memoryRatio(production, fastify),
  ),
]

/** The targets over PostgreSQL. */
export const postgresTargets = [
  ...['list', 'bundle'].map((workload) =>
    atLeast(
      8,
      `${labels[workload]}, 50 connections: of Express with pg`,
      throughput('postgres', `${workload}-50`, production, names.expressPostgres),
    ),
  ),
  ...['list', 'bundle'].map((workload) =>
    atMost(
      0.2,
      `${labels[workload]}, 50 connections: CPU time of the database, of Express with pg`,
      databaseTime('postgres', `${workload}-50`, production, names.expressPostgres),
    ),
  ),
  atLeast(
    3.5,
    `${labels.create}, 64 connections: of Express with pg`,
    throughput('postgres', 'create-64', production, names.expressPostgres),
  ),
  atLeast(
    0.8,
    `${labels.list}, three nodes, with 20 commits a second: of the same without`,
    throughput('postgres', 'nodes', nodeNames.committing, nodeNames.three),
  ),
  atMost(
    1.2,
    `${labels.list}: CPU time of the database with three nodes, of one node`,
    databaseTime('postgres', 'nodes', nodeNames.three, nodeNames.one),
  ),
]

/** Those of the targets whose values were measured. */
export const measuredTargets = (results) => targets.filter(({ measure }) => measure(results))

/** Whether a target is met: by both measures, or by one of them alone. */
function verdict({ isMet }, { wallClock, cpu }) {
  const meets = (measured) => Number.isFinite(measured?.value) && isMet(measured.value)
  const byWallClock = meets(wallClock ?? cpu)
  const byCpu = meets(Number.isFinite(cpu?.value) ? cpu : wallClock)
  if (byWallClock === byCpu) return byWallClock ? 'yes' : 'no'
  return byWallClock ? 'by wall-clock time' : 'by CPU time'
}

const titles = ['', 'target', 'wall-clock time', 'CPU time', 'met']
const tableOf = (rows) => markdown(titles.map((title, i) => [title, ...rows.map((row) => row[i])]))

/** The name of a target on a page that says what all of them have in common. */
const shortName = (name) =>
  name
    .replace(/^production, /, '')
    .replace(' with better-sqlite3', '')
    .replace(', durable', '')

/** The table of targets alone, without the spread of the rounds. */
export const shortTable = (results, shown) =>
  tableOf(
    shown.map((target) => {
      const { name, limit, unit = '', measure } = target
      const found = measure(results)
      if (!found) return [shortName(name), limit, 'not measured', '', '']
      const cell = (measured) => (Number.isFinite(measured?.value) ? short(measured.value, 3) + unit : '')
      const note = found.note ? ` ${found.note}` : ''
      return [shortName(name), limit, cell(found.wallClock) + note, cell(found.cpu), verdict(target, found)]
    }),
  )

/**
 * The table of targets, and the reasons for those that are missed.
 * @param shown the targets; by default those that are not about PostgreSQL
 */
export function targetsTable(results, shown = targets) {
  const reasons = new Map()
  const rows = shown.map((target) => {
    const { name, limit, unit, explain } = target
    const found = target.measure(results)
    if (!found) return [name, limit, 'not measured', '', '']
    const note = found.note ? ` ${found.note}` : ''
    const met = verdict(target, found)
    if (met === 'no' && explain) {
      const reason = explain(results)
      reasons.set(reason, [...(reasons.get(reason) ?? []), name])
    }
    return [name, limit, withSpread(found.wallClock, unit) + note, withSpread(found.cpu, unit), met]
  })
  const table = tableOf(rows)
  const lines = [...reasons].map(([reason, missed]) => `- ${missed.join('; ')}: ${reason}\n`)
  return lines.length > 0 ? `${table}\nReasons for missed targets:\n\n${lines.join('')}` : table
}
