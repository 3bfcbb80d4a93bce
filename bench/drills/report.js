// docs/reliability.md: a row for each drill. A run of some drills replaces their rows.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { sourceCommit } from '../../scripts/commit.js'
import { drills } from './drills.js'
import { databaseTimeoutMs } from './processes.js'

const file = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))

/** The cells of a row. The first finds the row again. */
const columns = {
  drill: ({ name }) => `\`${name}\``,
  'what was done': ({ fault }) => fault,
  promise: ({ promise }) => promise,
  found: ({ figure, faults }) =>
    faults.length === 0 ? figure : `**Not as promised**: ${faults.slice(0, 3).join('; ')}`,
  commit: () => sourceCommit().slice(0, 8),
}

/** A cell is one line, and has no vertical bar of its own. */
const line = (cells) =>
  `| ${cells.map((cell) => String(cell).replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`

/** The table with the rows of the drills that were made now, and the other rows of an earlier report. */
function tableOf(results, earlier) {
  const kept = new Map([...earlier.matchAll(/^\| `([\w-]+)` \|.*$/gm)].map(([row, name]) => [name, row]))
  const rows = drills.flatMap(({ name }) => {
    const result = results.find((each) => each.name === name)
    if (result === undefined) return kept.get(name) ?? []
    return line(Object.values(columns).map((cell) => cell(result)))
  })
  const titles = Object.keys(columns)
  return [line(titles), line(titles.map(() => '---')), ...rows, ''].join('\n')
}

export const reportOf = (results, earlier) => `${text}\n${tableOf(results, earlier)}`

export const writeReport = (results) =>
  writeFileSync(file, reportOf(results, existsSync(file) ? readFileSync(file, 'utf8') : ''))

const text = `# Reliability

Written by \`npm run drills\` on ${cpus().length} × ${cpus()[0]?.model}. Each drill makes a fault on purpose, on one machine over loopback, against the built
service (\`node bin/dashboard-api.js serve\`), and counts. \`npm run drills -- --only NAME\` repeats a drill, prints its whole figures
and its controls, and replaces its row; \`--seed N\` repeats its random choices; \`--quick\` makes a few rounds of each and writes
nothing, as CI does. Each row has the commit of its run: newer code was tried by \`--quick\` only.

## The rules

A control is a variant that must fail; it shows that the drill can find a fault.

When a process is killed, the disk keeps what the system has accepted of its writes. Only \`power-cut\` goes further: a library
that is loaded before the service (\`bench/drills/keep-flushed.c\`) copies each of its files when it is flushed, and a cut is made
up from the copies: the least that a disk holds which does what a flush promises.

Writes are judged by one rule: there is a moment such that everything that was acknowledged before it is there, nothing that
was sent after it, and nothing twice. A write that was sent and not acknowledged may be there, once. A read is stale if it does
not show an update that was acknowledged before it was sent, by whichever node. While the database cannot be used, the response
is 503 with \`Retry-After\`. No request takes longer than twice the time limit (\`DASHBOARD_API_DATABASE_TIMEOUT\`, here
${databaseTimeoutMs / 1000} s), and a second and a half for the client and the machine. Times are those from the end of the fault (PostgreSQL accepts
connections, or the fault is undone) until a creation, an update and a read have succeeded.

## What was promised, and what was found
`
