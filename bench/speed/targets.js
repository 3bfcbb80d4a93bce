// The targets of the service, and the table that shows which are met. All values come from the results.
import { markdown, whole, withSpread } from './markdown-table.js'
import { names as commands } from './sections/commands.js'
import { names as sizes } from './sections/growth.js'
import { belowPeak } from './sections/latency.js'
import { loggedName } from './subjects.js'
import {
  commandStart,
  costOfRead,
  databaseTime,
  memoryRatio,
  staleResponses,
  startTime,
  tailRatio,
  throughput,
  throughputByWallClock,
} from './target-values.js'
import { labels, names, nodeNames } from './workloads.js'

const { production, mock, fastify, express, expressPostgres, floor, ungrouped } = names

const target =
  (words, isWithin) =>
  (limit, name, measure, unit = '') => ({
    name,
    limit: `${words} ${limit}${unit}`,
    unit,
    measure,
    isMet: (value) => isWithin(value, limit),
  })
const atLeast = target('at least', (value, limit) => value >= limit)
const atMost = target('at most', (value, limit) => value <= limit)
const below = target('under', (value, limit) => value < limit)

/** The names of other servers in a target. */
const short = { [fastify]: 'plain Fastify', [names.http]: 'node:http' }
const of = (name, other) => `${name}: of ${short[other] ?? other}`

/** The throughput of production compared with other servers, each with its limit. */
const besideOthers = (section, workload, connections, name, rows) =>
  rows.map(([limit, other]) =>
    atLeast(limit, of(name, other), throughput(section, `${workload}-${connections}`, production, other)),
  )

const ofReads = (workload) => {
  const name = `production, ${labels[workload]}, 50 connections`
  const logged = throughput('loggedReads', `${workload}-50`, loggedName(production), loggedName(fastify))
  return [
    atLeast(1.5, `${name}, with the request log: of plain Fastify with its own`, logged),
    ...besideOthers('reads', workload, 50, name, [
      [0.8, fastify],
      [0.55, names.http],
      [7, express],
    ]),
    ...besideOthers('concurrentCommits', workload, 50, `${name}, 50 teams, 20 commits a second`, [
      [0.75, fastify],
    ]),
  ]
}

const ofWrites = (workload) => {
  const name = `production, ${labels[workload]}, durable`
  const same = 'of the same without group commit'
  const beside = (connections, limit, other, isGiven) => {
    const all = `${name}${isGiven ? ', an fsync of 1 ms' : ''}, ${connections} connection${connections > 1 ? 's' : ''}`
    const words = other === ungrouped ? `${all}: ${same}` : of(all, other)
    // Whoever waits for the given fsync uses no CPU time.
    const [measure, section] = isGiven ? [throughputByWallClock, 'givenFsync'] : [throughput, 'writes']
    return atLeast(limit, words, measure(section, `${workload}-${connections}`, production, other))
  }
  return [
    beside(64, 6, express),
    beside(64, 3, ungrouped),
    beside(1, 0.9, ungrouped),
    beside(1, 0.9, express),
    ...(workload === 'create' ? [beside(64, 0.7, floor, true)] : []),
    beside(64, 6, express, true),
    beside(64, 6, ungrouped, true),
    beside(1, 0.9, express, true),
  ]
}

const ofMock = (workload) =>
  [
    ...[names.jsonServer0, names.prism, names.mockoon, names.httpMiddleware].map((peer) => [2, peer]),
    [workload === 'create' ? 1 : 0.75, names.jsonServer1],
  ].map(([limit, peer]) =>
    atLeast(limit, of(`mock, ${labels[workload]}`, peer), throughput('mock', `${workload}-32`, mock, peer)),
  )

const readTargets = [
  ...['list', 'bundle'].flatMap(ofReads),
  // These guard against a change that makes reads more expensive; a busy machine does not affect them.
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
    ),
  ),
  atMost(0, 'production: stale responses', staleResponses(production)),
]

const writeTargets = ['create', 'waitlist'].flatMap(ofWrites)

const growthTargets = [
  below(
    10,
    'production, reads with 10 % writes at 80 % of the peak rate: p99 / p50',
    tailRatio(belowPeak(production)),
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
  below(
    1.5,
    'production, resident memory after a million requests: of plain Fastify',
    memoryRatio(production, fastify),
  ),
]

const mockTargets = [
  ...['list', 'bundle', 'create'].flatMap(ofMock),
  ...['list', 'create'].map((workload) =>
    atLeast(
      0.7,
      `mock, ${labels[workload]}, 10,000 projects in the fixture: of 100 projects`,
      throughput('largeFixture', `${workload}-32`, '10,000 projects', '100 projects'),
    ),
  ),
]

const startTargets = [
  ...[
    [production, atMost, 2, fastify],
    [mock, atMost, 1.3, fastify],
    ...[names.prism, names.mockoon, names.httpMiddleware].map((peer) => [mock, below, 1, peer]),
  ].map(([ours, is, limit, other]) =>
    is(limit, of(`${ours}, time to the first response`, other), startTime(ours, other)),
  ),
  ...[
    [commands.help, 25],
    [commands.version, 25],
    [commands.completion, 25],
    [commands.mockLog, 120],
  ].map(([name, limit]) => atMost(limit, `${name}: over node with an empty file`, commandStart(name), ' ms')),
]

/** The targets over PostgreSQL. */
export const postgresTargets = [
  ...['list', 'bundle'].flatMap((workload) =>
    besideOthers('postgres', workload, 50, `${labels[workload]}, 50 connections`, [[8, expressPostgres]]),
  ),
  ...['list', 'bundle'].map((workload) =>
    atMost(
      0.2,
      `${labels[workload]}, 50 connections: CPU time of the database, of ${expressPostgres}`,
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

/** The tables of targets in docs/performance.md, by their headings, and the sections of a run that measure them. */
export const groups = {
  Reads: {
    targets: readTargets,
    sections: ['reads', 'loggedReads', 'cost', 'concurrentCommits', 'staleness'],
  },
  'Durable writes': { targets: writeTargets, sections: ['writes', 'givenFsync'] },
  'Latency, memory and growth': { targets: growthTargets, sections: ['latency', 'memory', 'growth'] },
  Mock: { targets: mockTargets, sections: ['mock', 'largeFixture'] },
  Start: { targets: startTargets, sections: ['start', 'commands'] },
  PostgreSQL: { targets: postgresTargets, sections: ['postgres'] },
}

/** The targets of a report, without those about PostgreSQL, which have a separate chapter. */
export const targets = [...readTargets, ...writeTargets, ...growthTargets, ...mockTargets, ...startTargets]

/** The targets whose values were measured. */
export const measuredTargets = (results) => targets.filter(({ measure }) => measure(results))

/** Whether a target is met, by both measures or by the only one. */
function verdict({ isMet }, { wallClock, cpu }) {
  const meets = (measured) => Number.isFinite(measured?.value) && isMet(measured.value)
  const byWallClock = meets(wallClock ?? cpu)
  const byCpu = meets(Number.isFinite(cpu?.value) ? cpu : wallClock)
  if (byWallClock === byCpu) return byWallClock ? 'yes' : 'no'
  return byWallClock ? 'by wall-clock time' : 'by CPU time'
}

/** The name of a target without the words that all targets of the page share. */
const shortName = (name) =>
  name
    .replace(/^production, /, '')
    .replace(' with better-sqlite3', '')
    .replace(', durable', '')

/**
 * The table of targets.
 * @param shown the targets; by default those that are not about PostgreSQL
 * @param options.isShort whether the spread of the rounds is omitted
 */
export function targetsTable(results, shown = targets, { isShort = false } = {}) {
  const rows = shown.map((target) => {
    const { limit, unit, measure } = target
    const name = isShort ? shortName(target.name) : target.name
    const found = measure(results)
    if (!found) return [name, limit, 'not measured', '', '']
    const cell = (measured = {}) => withSpread(isShort ? { value: measured.value } : measured, unit)
    const note = found.note ? ` ${found.note}` : ''
    return [name, limit, cell(found.wallClock) + note, cell(found.cpu), verdict(target, found)]
  })
  const titles = ['', 'target', 'wall-clock time', 'CPU time', 'met']
  return markdown(titles.map((title, i) => [title, ...rows.map((row) => row[i])]))
}
