// The report of a run, as docs/performance.md has it.
import { cpus } from 'node:os'
import { isPinned } from './processes.js'
import { sections } from './sections/index.js'
import { table } from './table.js'
import { targetsTable } from './targets.js'
import { names } from './work.js'

/** What the load took of each answer of the fastest server: where it took more, that was not the limit. */
function shareOfTheLoad(results) {
  const fastest = results.reads
    ?.find(({ id }) => id === 'list-50')
    ?.rows.find(({ name }) => name === names.http)
  if (!fastest) return ''
  const { loadUs, cpuUs } = fastest
  const took = `Beside node:http at 50 connections the load took ${loadUs.toFixed(1)} µs of its core for an answer, the server ${cpuUs.toFixed(1)} of its own`
  return loadUs < cpuUs
    ? `${took}: it is the servers that are measured.\n`
    : `${took}: the load was the limit there, and ratios to the fastest are too good.\n`
}

function preface(results, { rounds, ms, isQuick }, minutes) {
  const [cpu] = cpus()
  return `# Performance

Written by \`npm run bench${isQuick ? ' -- --quick' : ''}\`, which runs all of it again (this time it took ${minutes.toFixed(1)} minutes): ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpu?.model}, server and load ${isPinned ? 'on a core each' : 'not pinned'}.
In each table all rows ran at once and were loaded in turn, ${rounds} times for ${ms} ms unless it says otherwise. Answers a second are medians; a ratio is that of the medians, with the lowest and the highest of the rounds. Processor time is that of the server for one answer, its threads included: where others use the machine too, it is what can be compared. What waits, for a disk or for its turn, is seen by the clock alone.
${shareOfTheLoad(results)}
## Targets

Ratios of what the service does to what it is compared with. By the clock they are those of answers a second, or of times; by processor time, of how many answers the same time makes, or of the times. Where the two disagree it says which of them reaches the target.

${targetsTable(results)}`
}

/** The text of the report: the targets, then the sections that were measured. */
export function report({ results, faults, pace, minutes }) {
  const texts = Object.entries(sections).flatMap(([name, { title }]) => {
    if (faults[name]) return [`## ${title}\n`, `Not measured: ${faults[name]}\n`]
    if (!results[name]) return []
    return [`## ${title}\n`, ...results[name].flatMap(({ what, rows }) => [`${what}\n`, table(rows)])]
  })
  return [preface(results, pace, minutes), ...texts].join('\n')
}
