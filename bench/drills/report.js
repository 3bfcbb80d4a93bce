// The report: a short table in docs/reliability.md, and the same with more columns in reports/reliability.md. A run of some
// drills replaces their rows in both.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourceCommit } from '../../scripts/commit.js'
import { drills } from './drills.js'
import { databaseTimeoutMs } from './processes.js'

const found = (figure, faults) =>
  faults.length === 0 ? figure : `**Not as promised**: ${faults.slice(0, 3).join('; ')}`
const commit = () => sourceCommit().slice(0, 8)

/** The cells of a row. The first finds the row again. */
const drill = ({ name }) => `\`${name}\``
const promise = ({ promise }) => promise
const shortColumns = {
  drill,
  promise,
  found: ({ figure, faults }) => found(figure?.split(';')[0], faults),
  commit,
}
const longColumns = {
  drill,
  promise,
  'what was done': ({ fault }) => fault,
  'figure to reach': ({ target }) => target,
  figure: ({ figure, faults }) => found(figure, faults),
  control: ({ control }) => control ?? '-',
  command: ({ command }) => `\`${command}\``,
  run: () => `${new Date().toISOString().slice(0, 10)}, ${commit()}, Node ${process.version}`,
}

/** A cell is one line, and has no vertical bar of its own. */
const line = (cells) =>
  `| ${cells.map((cell) => String(cell).replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`

/** The table with the rows of the drills that were made now, and the other rows of an earlier report. */
function tableOf(columns, results, earlier) {
  const kept = new Map([...earlier.matchAll(/^\| `([\w-]+)` \|.*$/gm)].map(([row, name]) => [name, row]))
  const rows = drills.flatMap(({ name }) => {
    const result = results.find((each) => each.name === name)
    if (result === undefined) return kept.get(name) ?? []
    return line(Object.values(columns).map((cell) => cell(result)))
  })
  const titles = Object.keys(columns)
  return [line(titles), line(titles.map(() => '---')), ...rows, ''].join('\n')
}

/** The long form. */
export const reportOf = (results, earlier) =>
  [preface, rules, heading, tableOf(longColumns, results, earlier)].join('\n')

/** The short form. */
const summaryOf = (results, earlier) =>
  [preface, shortNote, heading, tableOf(shortColumns, results, earlier)].join('\n')

/** Writes both forms. */
export function writeReport(results) {
  for (const [name, textOf] of Object.entries({
    'docs/reliability.md': summaryOf,
    'reports/reliability.md': reportOf,
  })) {
    const file = fileURLToPath(new URL(`../../${name}`, import.meta.url))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, textOf(results, existsSync(file) ? readFileSync(file, 'utf8') : ''))
  }
}

const preface = `# Reliability

Written by \`npm run drills\` on ${cpus().length} × ${cpus()[0]?.model}. Each drill makes a fault on purpose, on one machine over loopback, against the built
service (\`node bin/dashboard-api.js serve\`), and counts. \`npm run drills -- --only NAME\` repeats a drill and replaces its
rows, \`--seed N\` its random choices; \`--quick\` makes a few rounds of each and writes nothing, as CI does.
`
const heading = '## What was promised, and what was found\n'
const shortNote = `\`reports/reliability.md\` has what was done, the whole figures and the controls.
Each row has the commit of its run: newer code was tried by \`--quick\` only.
`
const rules = `A control is a variant that must fail; it shows that the drill can find a fault.

Of what is written down by a process that is killed, the disk keeps what the system has accepted. Only \`power-cut\` goes
further: a library that is loaded before the service (\`bench/drills/keep-flushed.c\`) copies each of its files when it is flushed,
and a cut is made up from the copies, as the least that a disk holds which does what a flush promises.

Writes are judged by one rule: there is a moment such that everything that was acknowledged before it is there, nothing that
was sent after it, and nothing twice. What was sent and not acknowledged may be there, once. A read is stale if it does not
show an update that was acknowledged before it was sent, by whichever node. While the database cannot be used, the response
is 503 with \`Retry-After\`. No request takes longer than twice the time limit (\`DASHBOARD_API_DATABASE_TIMEOUT\`, here
${databaseTimeoutMs / 1000} s), and a second and a half for the client and the machine. Times are those from the end of the fault (PostgreSQL accepts
connections, was promoted, or the fault is undone) until a creation, an update and a read have succeeded.
`
