// The report: a short table in docs/reliability.md, everything in reports/reliability.md. A run of some drills replaces
// their rows in both.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { sourceCommit } from '../../scripts/commit.js'
import { drills } from './drills.js'
import { databaseTimeoutMs } from './processes.js'

const pathTo = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

const number = (value) => (value === undefined ? '-' : value.toLocaleString('en'))
const seconds = (ms) => (ms === undefined ? '-' : `${(ms / 1000).toFixed(2)} s`)
const sumOf = (others) => others && Object.values(others).reduce((sum, count) => sum + count, 0)
const drill = ({ name }) => `\`${name}\``
const promise = ({ promise }) => promise
const found = (figure, faults) =>
  faults.length === 0 ? figure : `**Not as promised**: ${faults.slice(0, 3).join('; ')}`
const run = () =>
  `${new Date().toISOString().slice(0, 10)}, ${sourceCommit().slice(0, 8)}, Node ${process.version}`

/** The tables of the short form. The first cell finds the row again. */
const shortTables = {
  'What was promised, and what was found': {
    hasRow: () => true,
    columns: {
      drill,
      promise,
      found: ({ figure, faults }) => found(figure.split(';')[0], faults),
      run: () => run().replace(/, Node.*/, ''),
    },
  },
}

/** The tables of the long form, by title: which results have a row, and its cells. */
const longTables = {
  'What was promised, and what was found': {
    hasRow: () => true,
    columns: {
      drill,
      promise,
      'what was done': ({ fault }) => fault,
      'figure to reach': ({ target }) => target,
      figure: ({ figure, faults }) => found(figure, faults),
      control: ({ control }) => control ?? '-',
      command: ({ command }) => `\`${command}\``,
      run,
    },
  },
  'What became of the writes': {
    hasRow: ({ load }) => load !== undefined,
    columns: {
      drill,
      rounds: ({ rounds }) => number(rounds),
      'writes acknowledged': ({ load }) => number(load.acknowledged),
      lost: ({ load }) => number(load.lost),
      doubled: ({ load }) => number(load.doubled),
      'stale reads': ({ load }) => number(load.stale),
    },
  },
  'What clients saw': {
    hasRow: ({ load }) => load !== undefined,
    columns: {
      drill,
      requests: ({ load }) => number(load.requests),
      '503 with Retry-After': ({ load }) => number(load.unavailable),
      'without a response': ({ load }) => number(sumOf(load.others)),
      'longest request': ({ load }) => seconds(load.longestMs),
      'first success, median': ({ load }) => seconds(load.medianSuccessMs),
      'first success, at most': ({ load }) => seconds(load.successMs),
      'every client served, at most': ({ load }) => seconds(load.allServedMs),
    },
  },
}

/** A cell is one line, and has no vertical bar of its own. */
const line = (cells) =>
  `| ${cells.map((cell) => String(cell).replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`

/** The rows of a table of a report, by the drill's name. */
function rowsOf(text, title) {
  const section = text.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  return new Map([...section.matchAll(/^\| `([\w-]+)` \|.*$/gm)].map(([row, name]) => [name, row]))
}

/** The tables of a report with the rows of the drills that were made now, and the other rows of an earlier report. */
const tablesOf = (tables, results, earlier) =>
  Object.entries(tables).map(([title, { hasRow, columns }]) => {
    const kept = rowsOf(earlier, title)
    const rows = drills.flatMap(({ name }) => {
      const result = results.find((each) => each.name === name)
      if (result === undefined) return kept.get(name) ?? []
      return hasRow(result) ? line(Object.values(columns).map((cell) => cell(result))) : []
    })
    const titles = Object.keys(columns)
    return [`## ${title}\n`, line(titles), line(titles.map(() => '---')), ...rows, ''].join('\n')
  })

/** The long form. */
export function reportOf(results, earlier) {
  const [summary, ...ofLoad] = tablesOf(longTables, results, earlier)
  return [preface, rules, summary, underLoad, ...ofLoad, afterword].join('\n')
}

/** The short form. */
export const summaryOf = (results, earlier) =>
  [preface, shortNote, ...tablesOf(shortTables, results, earlier)].join('\n')

/** Writes both forms. */
export function writeReport(results) {
  mkdirSync(pathTo('reports'), { recursive: true })
  for (const [name, textOf] of [
    ['docs/reliability.md', summaryOf],
    ['reports/reliability.md', reportOf],
  ]) {
    const file = pathTo(name)
    writeFileSync(file, textOf(results, existsSync(file) ? readFileSync(file, 'utf8') : ''))
  }
}

const preface = `# Reliability

Written by \`npm run drills\` on ${cpus().length} × ${cpus()[0]?.model}. Each drill makes a fault on purpose, on one machine over loopback, against the built
service (\`node bin/dashboard-api.js serve\`), and counts. A control is a variant that must fail; it shows that the drill can
find a fault. \`npm run drills -- --only NAME\` repeats a drill and replaces its rows, \`--seed N\` its random choices; \`--quick\`
makes a few rounds of every drill in less than five minutes and writes nothing, as CI does.
`
const shortNote = `The same run writes \`reports/reliability.md\`: what was done, the figures to reach, the controls, what became of the writes and
what clients saw. Each row has the date and the commit of its run: code that is newer than that was tried by \`--quick\` only.
`
const rules = `Of what is written down by a process that is killed, the disk keeps what the system has accepted. Only \`power-cut\` goes
further: a library that is loaded before the service (\`bench/drills/record-writes.c\`) records each write and each flush of its
files, and a cut is made up from the record, as the least that a disk holds which does what a flush promises. What a disk or a
file system does beside that, such as to acknowledge a flush early, is not tried.

Writes over SQLite, backups and the state of the mock are judged by one rule: there is a moment such that everything that was
acknowledged before it is there, nothing that was sent after it, and nothing twice. What was sent and not acknowledged may be
there, once.
`
const underLoad = `## Under load

The drills of PostgreSQL and of nodes are made under load: 16 clients create projects, update them and read them, each with
one request at a time. What has to hold:

- No acknowledged write is lost, and none is there twice. Every project that was acknowledged is looked up afterwards.
- No read is stale: it shows every update that was acknowledged before it was sent, by whichever node.
- While the database cannot be used, the response is 503 with \`Retry-After\`. There is no other failure.
- No request takes longer than twice the time limit (\`DASHBOARD_API_DATABASE_TIMEOUT\`, here ${databaseTimeoutMs / 1000} s), and
  a second and a half for the client and the machine.
- After the fault the service works again by itself. The time is that from the end of the fault (PostgreSQL accepts
  connections, was promoted, or the fault is undone) until a creation, an update and a read have succeeded; and until each
  client has had a success.
`
const afterword = `"Without a response" are requests whose connection ended: those that were in flight on a node that was killed. Whether such a
write had an effect is not known to its client, and it counts neither as acknowledged nor as lost. A balancer sends to another
node what was not sent, and reads; the drills do the same with a client of their own. PostgreSQL is killed as a process, so
that the disk keeps what the system has accepted. The later release of the rolling
upgrade is this build with one more migration each time (a column with a default, and an index).

The clients of \`drain\` repeat what was refused because nothing listened: nothing of it was sent. Without a proxy, a request can
still be reset whose client sends it after a second without one, at the moment at which the node closes the connection; such
requests are not judged. \`slow-clients\` tells the p99 where the service waits for a processor for more than half of the time, as
on a busy machine, but does not judge it. \`long-run\` judges the p99 in runs of a quarter of an hour or more.
`
