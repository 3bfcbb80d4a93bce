// Writes docs/reliability.md: a row for each drill. A run of some drills replaces only their rows.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { sourceCommit } from '../../scripts/commit.js'
import { drills } from './drills.js'
import { databaseTimeoutMs } from './processes.js'

const file = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))

/** The cells of a row. The first identifies the row. */
const columns = {
  drill: ({ name }) => `\`${name}\``,
  fault: ({ fault }) => fault,
  promise: ({ promise }) => promise,
  result: ({ figure, faults }) =>
    faults.length === 0 ? figure : `**Not as promised**: ${faults.slice(0, 3).join('; ')}`,
  commit: () => sourceCommit().slice(0, 8),
}

/** A row. Each cell becomes one line, with its vertical bars escaped. */
const line = (cells) =>
  `| ${cells.map((cell) => String(cell).replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`

/** The table with the new rows, and the other rows of the earlier report. */
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

Written by \`npm run drills\` on ${cpus().length} × ${cpus()[0]?.model}. Each drill makes a fault on purpose, against the built service
(\`node bin/dashboard-api.js serve\`) on one machine over loopback, and counts the consequences. \`npm run drills -- --only NAME\`
repeats a drill, prints all its figures and its controls, and replaces its row. \`--seed N\` repeats its random choices. \`--quick\`
runs a few rounds of each drill and writes nothing, as CI does. Each row has the commit of its run; later commits were tried with
\`--quick\` only.

## The rules

A control is a variant that must fail. It shows that the drill can find a fault.

When a process is killed, the disk keeps the writes that the system has accepted. Only \`power-cut\` goes further. A library that is
loaded before the service (\`bench/drills/keep-flushed.c\`) copies each file when it is flushed. A cut leaves these copies, and
loses some or all of the later writes.

Writes are judged by one rule. There is a moment such that every write acknowledged before it is there, no write sent after it is
there, and none is there twice. A write that was sent but not acknowledged may be there, once. A read is stale if it does not show
an update that any node had acknowledged before the read was sent. While the database cannot be used, the response is 503 with
\`Retry-After\`. No request takes longer than twice the time limit (\`DASHBOARD_API_DATABASE_TIMEOUT\`, here ${databaseTimeoutMs / 1000} s), plus a second
and a half for the client and the machine. Recovery times begin at the end of the fault (PostgreSQL accepts connections, or the
fault is undone), and end when a creation, an update and a read have succeeded.

## Promises and results
`
