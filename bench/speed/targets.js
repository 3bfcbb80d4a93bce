// What the service is to reach, and the table that says whether it does. No number in it is typed by hand.
import { names as commands } from '../cli-start.js'
import { memoryOf, rowOf, speed, speedByClock, staleOf, startOfCommand, startTime, tail } from './measures.js'
import { names as sizes } from './sections/growth.js'
import { scheduled, unscheduled } from './sections/latency.js'
import { markdown, short, whole, withSpread } from './table.js'
import { names, titles } from './work.js'

const { production, mock, fastify, express, ungrouped } = names

// Each may have a `why`, which says from what was measured what is in the way, where it is not reached.
const atLeast = (limit, what, measure, why) => ({
  what,
  limit: `at least ${limit}`,
  measure,
  why,
  holds: (value) => value >= limit,
})
const atMost = (limit, what, measure, { unit = '', why } = {}) => ({
  what,
  limit: `at most ${limit}${unit}`,
  unit,
  measure,
  why,
  holds: (value) => value <= limit,
})
const below = (limit, what, measure, why) => ({
  what,
  limit: `under ${limit}`,
  measure,
  why,
  holds: (value) => value < limit,
})

const moreThanReady = (results) => {
  if (!results.profile) return 'measure the section profile too.'
  const took = (name) => {
    const { profileUs } = rowOf(results, 'profile', 'profile', name)
    return `${short(profileUs.production)} µs instead of ${short(profileUs.fastify)}`
  }
  return `the table of where the time of a read goes has ${took('the service itself')} for what Fastify with a string that is ready does not do, and ${took('heads of answers')} for heads with more headers.`
}

const otherThread = () =>
  'better-sqlite3 writes on the thread that answers, sqlite3 on another: each statement is a way there and back, two for a project, whose name is looked up first, and one for a sign-up. Several at once share it.'

const busyCore = (work) => (results) => {
  const { busy, cpuUs } = rowOf(results, 'slowDisk', `${work}-64`, production)
  return `what is left is the processor: an answer takes ${whole(cpuUs)} µs of it, commits included, which kept its core busy for ${whole(busy)} % of the time.`
}

const limitOfTail = (results) => {
  const of = (name) => short(rowOf(results, 'latency', 'latency', name).tail.value)
  return `of node:http with bytes that are ready it is ${of(scheduled(names.http))}, and of plain Fastify ${of(scheduled(fastify))}: by schedule, a pause of a few milliseconds, of the machine or to collect garbage, is counted for all that was due meanwhile, and p50 is that of answers that are kept. As fast as they are answered it is ${of(unscheduled(production))} here.`
}

const startOfNode = (results) => {
  const [empty, commander] = [commands.empty, commands.commander].map((name) =>
    rowOf(results, 'commands', 'commands', name),
  )
  return `Node takes ${whole(empty.commandMs)} ms here for an empty file, and ${short(commander.over.value)} ms more to load commander alone.`
}

const forEach = (works, targets) => works.flatMap(targets)

export const targets = [
  ...forEach(['list', 'bundle'], (work) => {
    const what = `production, ${titles[work]}, 50 connections`
    const beside = (theirs) => speed('reads', `${work}-50`, production, theirs)
    return [
      atLeast(0.85, `${what}: of plain Fastify`, beside(fastify), moreThanReady),
      atLeast(0.55, `${what}: of node:http`, beside(names.http)),
      atLeast(7, `${what}: of Express with better-sqlite3`, beside(express)),
      atLeast(
        0.75,
        `${what}, 50 teams, 20 commits a second: of plain Fastify`,
        speed('changing', `${work}-50`, production, fastify),
      ),
    ]
  }),
  atMost(0, 'production, the same: stale answers', staleOf(production)),
  ...forEach(['create', 'waitlist'], (work) => {
    const what = `production, ${titles[work]}, durable`
    const beside = (connections, theirs) => speed('writes', `${work}-${connections}`, production, theirs)
    return [
      atLeast(6, `${what}, 64 connections: of Express with better-sqlite3`, beside(64, express)),
      atLeast(3, `${what}, 64 connections: of the same without grouping`, beside(64, ungrouped)),
      atLeast(0.9, `${what}, 1 connection: of the same without grouping`, beside(1, ungrouped)),
      atLeast(0.9, `${what}, 1 connection: of Express with better-sqlite3`, beside(1, express), otherThread),
      atLeast(
        20,
        `${what}, 2 ms more for each fsync, 64 connections: of the same without grouping`,
        speedByClock('slowDisk', `${work}-64`, production, ungrouped),
        busyCore(work),
      ),
    ]
  }),
  below(
    10,
    'production, 80 % of its peak, reads with 10 % writes: p99 of p50',
    tail(scheduled(production)),
    limitOfTail,
  ),
  ...[20, 1000].map((size) =>
    atLeast(
      0.95,
      `production, the list of ${size} projects among a million: of one team alone`,
      speed('growth', `million-${size}`, sizes.million, sizes.one),
    ),
  ),
  ...forEach(['list', 'create'], (work) => {
    const what = `mock, ${titles[work]}`
    const beside = (theirs) => speed('mock', `${work}-32`, mock, theirs)
    return [
      ...[names.jsonServer0, names.prism, names.mockoon, names.httpMiddleware].map((peer) =>
        atLeast(2, `${what}: of ${peer}`, beside(peer)),
      ),
      atLeast(1, `${what}: of ${names.jsonServer1}`, beside(names.jsonServer1)),
      atLeast(
        0.7,
        `${what}, 10,000 projects in the fixture: of the same with 100`,
        speed('fixture', `${work}-32`, '10,000 projects', '100 projects'),
      ),
    ]
  }),
  ...[production, mock].map((ours) =>
    atMost(1.3, `${ours}, start to first answer: of plain Fastify`, startTime(ours, fastify)),
  ),
  ...[names.prism, names.mockoon, names.httpMiddleware].map((peer) =>
    below(1, `mock, start to first answer: of ${peer}`, startTime(mock, peer)),
  ),
  ...[commands.help, commands.version, commands.completion].map((name) =>
    atMost(25, `${name}: over node with an empty file`, startOfCommand(name), {
      unit: ' ms',
      why: startOfNode,
    }),
  ),
  below(
    1.5,
    'production, resident memory after a million requests: of plain Fastify',
    memoryOf(production, fastify),
  ),
]

/** Whether a target is reached: by the clock and by processor time, or by one of them alone. */
function verdict({ holds }, { clock, processor }) {
  const byClock = holds(clock.value)
  const byProcessor = Number.isFinite(processor?.value) ? holds(processor.value) : byClock
  if (byClock === byProcessor) return byClock ? 'yes' : 'no'
  return byClock ? 'by the clock' : 'by processor time'
}

/** The table of the targets, from the results of the sections, and what is in the way of those not reached. */
export function targetsTable(results) {
  const reasons = new Map()
  const rows = targets.map((target) => {
    const { what, limit, unit, why } = target
    const found = target.measure(results)
    // What was not measured says so.
    if (!found) return [what, limit, 'not measured', '', '']
    const note = found.note ? ` ${found.note}` : ''
    const reached = verdict(target, found)
    if (reached === 'no' && why) {
      const reason = why(results)
      reasons.set(reason, [...(reasons.get(reason) ?? []), what])
    }
    return [what, limit, withSpread(found.clock, unit) + note, withSpread(found.processor, unit), reached]
  })
  const titles = ['', 'target', 'measured', 'by processor time', 'reached']
  const table = markdown(titles.map((title, i) => [title, ...rows.map((row) => row[i])]))
  const lines = [...reasons].map(([reason, whats]) => `- ${whats.join('; ')}: ${reason}\n`)
  return lines.length > 0 ? `${table}\nNot reached, and what is in the way:\n\n${lines.join('')}` : table
}
