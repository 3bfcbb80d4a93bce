// The reports of a run: the targets go to docs/performance.md, all figures to reports/performance.md.
import { cpus } from 'node:os'
import { sourceCommit } from '../../scripts/commit.js'
import { table } from './markdown-table.js'
import { isPinned } from './processes.js'
import { sections } from './sections/index.js'
import { findRow } from './target-values.js'
import { groups, measuredTargets, targets, targetsTable } from './targets.js'
import { names } from './workloads.js'

/** A sentence that tells whether the load generator was the bottleneck with the fastest server. */
function loadGeneratorNote(results) {
  const fastest = findRow(results, 'reads', 'list-50', names.http)
  if (!fastest) return ''
  const { loadCpuUs, cpuUs } = fastest
  const times = `With node:http at 50 connections, the load generator used ${loadCpuUs.toFixed(1)} µs of its core per request, and the server ${cpuUs.toFixed(1)} µs of its own`
  return loadCpuUs < cpuUs
    ? `${times}: the servers are the bottleneck.\n`
    : `${times}: the load generator was the bottleneck there, so ratios to the fastest servers are too high.\n`
}

/** The lowest and highest of some numbers. */
const range = (numbers) =>
  [...new Set([Math.min(...numbers), Math.max(...numbers)].map((number) => number.toFixed(2)))].join(' to ')

/**
 * The commit, date, machine and method of the measurement.
 * @param conditions of each section: the time of an fsync before it, and the load average of its last minute
 */
function origin(command, { isQuick }, minutes, conditions) {
  const [cpu] = cpus()
  const [date] = new Date().toISOString().split('T')
  return `Written by \`${command}${isQuick ? `${command.includes(' -- ') ? '' : ' --'} --quick` : ''}\` in ${minutes.toFixed(1)} minutes on ${date}, of commit ${sourceCommit().slice(0, 8)}, with Node ${process.version} on ${cpus().length} × ${cpu?.model}; servers and load generator ${isPinned ? 'pinned to a core each' : 'not pinned'}; an fsync took ${range(conditions.map(({ fsyncMs }) => fsyncMs))} ms; the load average was ${range(conditions.map(({ load }) => load))}.`
}

function preface(results, timing, { minutes, isWhole, conditions }) {
  const { rounds, ms } = timing
  return `# Performance

${origin('npm run bench', timing, minutes, Object.values(conditions))}

The servers of a table run at the same time and are loaded in turn, ${rounds} times for ${ms} ms unless noted otherwise. Requests per second are medians. A ratio is the ratio of medians, followed by the lowest and highest ratio of a round. CPU time is that of the server process per request, all threads included; it can be compared even if other processes use the machine. Waiting, for the disk or in a queue, shows in wall-clock time only.

${loadGeneratorNote(results)}
## Targets

Each value compares the service with another server: by wall-clock time, the ratio of requests per second or of durations; by CPU time, the ratio of what the same CPU time yields. If only one of the two meets the target, the last column says which.

${targetsTable(results, isWhole ? targets : measuredTargets(results))}`
}

/**
 * The text of the report: the targets, then the sections that were measured.
 * @param run.isWhole whether all sections were selected; otherwise targets that were not measured are left out
 */
export function report({ results, failures, timing, ...run }) {
  const texts = Object.entries(sections).flatMap(([name, { title, text }]) => {
    if (failures[name]) return [`## ${title}\n`, `Not measured: ${failures[name]}\n`]
    if (!results[name]) return []
    if (text) return [`## ${title}\n`, text(results)]
    return [`## ${title}\n`, ...results[name].flatMap(({ caption, rows }) => [`${caption}\n`, table(rows)])]
  })
  return [preface(results, timing, run), ...texts].join('\n')
}

/**
 * The parts of docs/performance.md that a run can write, by heading. A table of targets needs a run that measured all of its
 * sections.
 */
export function summaries({ results, timing, minutes, isWhole, conditions }) {
  const originOf = (measured) =>
    origin(
      isWhole ? 'npm run bench' : `npm run bench -- --only ${measured.join(',')}`,
      timing,
      minutes,
      measured.map((name) => conditions[name]),
    )
  const tables = Object.entries(groups)
    .filter(([, group]) => group.sections.every((name) => results[name]))
    .map(([heading, group]) => [
      heading,
      `${originOf(group.sections)}\n\n${targetsTable(results, group.targets, { isShort: true })}`,
    ])
  const hooks = results.cost?.find(({ id }) => id === 'hooks')
  return {
    ...(hooks && {
      'What each hook costs a read': `${originOf(['cost'])}\n\n${hooks.caption}\n\n${table(hooks.rows)}`,
    }),
    ...Object.fromEntries(tables),
  }
}
