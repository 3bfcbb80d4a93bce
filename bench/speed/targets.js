// The targets of the service, and the table that says which are met. All values come from the results.
import { short as figure, markdown, whole, withSpread } from './markdown-table.js'
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

const { production, mock, fastify, express, expressPostgres, ungrouped } = names

/** `explain` returns the reason for a missed target, from what was measured. */
const target =
  (words, isWithin) =>
  (limit, name, measure, explain, unit = '') => ({
    name,
    limit: `${words} ${limit}${unit}`,
    unit,
    measure,
    explain,
    isMet: (value) => isWithin(value, limit),
  })
const atLeast = target('at least', (value, limit) => value >= limit)
const atMost = target('at most', (value, limit) => value <= limit)
const below = target('under', (value, limit) => value < limit)

const explainRead = (results) => {
  if (!results.profile) return 'measure the section `profile` as well for the reason.'
  const difference = (category) => {
    const { profileUs } = findRow(results, 'profile', 'profile', category)
    return `${figure(profileUs.production)} µs instead of ${figure(profileUs.fastify)} µs`
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
  const tailOf = (name) => figure(findRow(results, 'latency', 'latency', name).tail.value)
  return `it is ${tailOf(belowPeak(fastify))} with ${fastify}. At a fixed rate, a pause of a few milliseconds (of the machine, or for garbage collection) counts for every request that was due meanwhile, while p50 is the time of a cache hit. At the peak rate it is ${tailOf(atPeak(production))} for production.`
}

const explainCommandStart = (results) => {
  const row = (name) => findRow(results, 'commands', 'commands', name)
  return `Node takes ${whole(row(commands.empty).commandMs)} ms for an empty file on this machine, and ${figure(row(commands.commander).overEmpty.value)} ms more to load commander alone.`
}

/** What others are called in a target. */
const short = { [fastify]: 'plain Fastify', [names.http]: 'node:http' }
const of = (name, other) => `${name}: of ${short[other] ?? other}`

/** The throughput of production beside others at so many connections, each with its limit. */
const besideOthers = (section, workload, connections, name, rows) =>
  rows.map(([limit, other, explain]) =>
    atLeast(
      limit,
      of(name, other),
      throughput(section, `${workload}-${connections}`, production, other),
      explain,
    ),
  )

const ofReads = (workload) => {
  const name = `production, ${labels[workload]}, 50 connections`
  const logged = throughput('loggedReads', `${workload}-50`, loggedName(production), loggedName(fastify))
  return [
    atLeast(1.5, `${name}, with the request log: of plain Fastify with its own`, logged, explainRead),
    ...besideOthers('reads', workload, 50, name, [
      [0.8, fastify, explainRead],
      [0.55, names.http, explainRead],
      [7, express, explainRead],
    ]),
    ...besideOthers('concurrentCommits', workload, 50, `${name}, 50 teams, 20 commits a second`, [
      [0.75, fastify, explainRead],
    ]),
  ]
}

const ofWrites = (workload) => {
  const name = `production, ${labels[workload]}, durable`
  const same = 'of the same without group commit'
  const beside = (connections, limit, other, explain) => {
    const all = `${name}, ${connections} connection${connections > 1 ? 's' : ''}`
    const words = other === ungrouped ? `${all}: ${same}` : of(all, other)
    return atLeast(
      limit,
      words,
      throughput('writes', `${workload}-${connections}`, production, other),
      explain,
    )
  }
  return [
    beside(64, 6, express),
    beside(64, 3, ungrouped),
    beside(1, 0.9, ungrouped),
    beside(1, 0.9, express, explainOneWriter),
    atLeast(
      20,
      `${name}, 2 ms more for each fsync, 64 connections: ${same}`,
      throughputByWallClock('slowDisk', `${workload}-64`, production, ungrouped),
      explainSlowDisk(workload),
    ),
  ]
}

const ofMock = (workload) =>
  [
    ...[names.jsonServer0, names.prism, names.mockoon, names.httpMiddleware].map((peer) => [2, peer]),
    [workload === 'create' ? 1 : 0.75, names.jsonServer1],
  ].map(([limit, peer]) =>
    atLeast(limit, of(`mock, ${labels[workload]}`, peer), throughput('mock', `${workload}-32`, mock, peer)),
  )

export const targets = [
  ...['list', 'bundle'].flatMap(ofReads),
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
  ...['create', 'waitlist'].flatMap(ofWrites),
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
      `production, the list of ${whole(size)} projects among a million: of a database with this team only`,
      throughput('growth', `million-${size}`, sizes.million, sizes.single),
    ),
  ),
  ...['list', 'bundle', 'create'].flatMap(ofMock),
  ...['list', 'create'].map((workload) =>
    atLeast(
      0.7,
      `mock, ${labels[workload]}, 10,000 projects in the fixture: of 100 projects`,
      throughput('largeFixture', `${workload}-32`, '10,000 projects', '100 projects'),
    ),
  ),
  ...[
    [production, atMost, 2, fastify],
    [mock, atMost, 1.3, fastify],
    ...[names.prism, names.mockoon, names.httpMiddleware].map((peer) => [mock, below, 1, peer]),
  ].map(([ours, is, limit, other]) =>
    is(limit, of(`${ours}, time to the first response`, other), startTime(ours, other)),
  ),
  ...[commands.help, commands.version, commands.completion].map((name) =>
    atMost(25, `${name}: over node with an empty file`, commandStart(name), explainCommandStart, ' ms'),
  ),
  below(
    1.5,
    'production, resident memory after a million requests: of plain Fastify',
    memoryRatio(production, fastify),
  ),
]

/** The targets over PostgreSQL. */
export const postgresTargets = [
  ...['list', 'bundle'].flatMap((workload) =>
    besideOthers('postgres', workload, 50, `${labels[workload]}, 50 connections`, [[8, expressPostgres]]),
  ),
  ...['list', 'bundle'].map((workload) =>
    atMost(
      0.2,
      of(`${labels[workload]}, 50 connections: CPU time of the database`, expressPostgres).replace(
        ': of',
        ', of',
      ),
      databaseTime('postgres', `${workload}-50`, production, expressPostgres),
    ),
  ),
  ...besideOthers('postgres', 'create', 64, `${labels.create}, 64 connections`, [[3.5, expressPostgres]]),
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

/** The name of a target on a page that says what all of them have in common. */
const shortName = (name) =>
  name
    .replace(/^production, /, '')
    .replace(' with better-sqlite3', '')
    .replace(', durable', '')

/** The cells of a target, and the `reason` why it is missed, where that is known. */
function rowOf(target, results, { isShort }) {
  const { name, limit, unit, measure, explain } = target
  const title = isShort ? shortName(name) : name
  const found = measure(results)
  if (!found) return { cells: [title, limit, 'not measured', '', ''] }
  const cell = (measured = {}) => withSpread(isShort ? { value: measured.value } : measured, unit)
  const met = verdict(target, found)
  const note = found.note ? ` ${found.note}` : ''
  return {
    cells: [title, limit, cell(found.wallClock) + note, cell(found.cpu), met],
    reason: met === 'no' ? explain?.(results) : undefined,
  }
}

const titles = ['', 'target', 'wall-clock time', 'CPU time', 'met']
const tableOf = (rows) => markdown(titles.map((title, i) => [title, ...rows.map(({ cells }) => cells[i])]))

/** The table of targets alone, without the spread of the rounds. */
export const shortTable = (results, shown) =>
  tableOf(shown.map((target) => rowOf(target, results, { isShort: true })))

/**
 * The table of targets, and the reasons for those that are missed.
 * @param shown the targets; by default those that are not about PostgreSQL
 */
export function targetsTable(results, shown = targets) {
  const rows = shown.map((target) => rowOf(target, results, { isShort: false }))
  const reasons = new Set(rows.flatMap(({ reason }) => reason ?? []))
  const lines = [...reasons].map((reason) => {
    const missed = rows.filter((row) => row.reason === reason).map(({ cells }) => cells[0])
    return `- ${missed.join('; ')}: ${reason}\n`
  })
  return lines.length > 0
    ? `${tableOf(rows)}\nReasons for missed targets:\n\n${lines.join('')}`
    : tableOf(rows)
}
