// The report: docs/reliability.md. A run of some drills replaces their rows.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { markedSections } from './document.js'
import { drills } from './drills.js'
import { databaseTimeoutMs } from './processes.js'

const file = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))

const number = (value) => (value === undefined ? '-' : value.toLocaleString('en'))
const seconds = (ms) => (ms === undefined ? '-' : `${(ms / 1000).toFixed(2)} s`)
const sumOf = (others) => others && Object.values(others).reduce((sum, count) => sum + count, 0)

const drill = ({ name }) => `\`${name}\``
const verdict = ({ failures }) =>
  failures.length === 0 ? 'as promised' : `**not as promised**: ${failures.join('; ')}`

/** The tables, by title: the cells of a result. */
const tables = {
  'What became of the writes': {
    drill,
    fault: ({ fault }) => fault,
    rounds: ({ rounds }) => number(rounds),
    'writes acknowledged': ({ acknowledged }) => number(acknowledged),
    lost: ({ lost }) => number(lost),
    doubled: ({ doubled }) => number(doubled),
    'stale reads': ({ stale }) => number(stale),
    control: ({ control }) => control ?? '-',
    result: ({ skipped, ...result }) => (skipped === undefined ? verdict(result) : `not run: ${skipped}`),
  },
  'What clients saw': {
    drill,
    requests: ({ requests }) => number(requests),
    '503 with Retry-After': ({ unavailable }) => number(unavailable),
    'without a response': ({ others }) => number(sumOf(others)),
    'longest request': ({ longestMs }) => seconds(longestMs),
    'first success, median': ({ medianSuccessMs }) => seconds(medianSuccessMs),
    'first success, at most': ({ successMs }) => seconds(successMs),
    'every client served, at most': ({ allServedMs }) => seconds(allServedMs),
    run: () =>
      `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`,
  },
}

const line = (cells) => `| ${cells.join(' | ')} |`

/** Writes the report, with the rows of the drills that were run now, and the other rows and sections that are there. */
export function writeReport(results) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const old = text.split('\n')
  const sections = Object.entries(tables).map(([title, columns], i) => {
    const rows = drills.flatMap(({ name }) => {
      const result = results.find((each) => each.name === name)
      const row = result
        ? line(Object.values(columns).map((cell) => cell(result)))
        : old.filter((each) => each.startsWith(`| \`${name}\` |`))[i]
      return row ?? []
    })
    const titles = Object.keys(columns)
    return [`## ${title}`, '', line(titles), line(titles.map(() => '---')), ...rows, ''].join('\n')
  })
  writeFileSync(file, [preface, ...sections, afterword, ...markedSections(text)].join('\n'))
}

const preface = `# Reliability

Written by \`npm run drills\`. Each drill makes a fault on purpose, on one machine over loopback, against the built service
(\`node bin/dashboard-api.js serve\`) and a PostgreSQL from npm, under load: 16 clients create projects, update them and read
them, each with one request at a time. \`npm run drills -- NAME\` repeats some of them and replaces their rows; \`--quick\` makes
a few rounds and writes nothing. A control is a variant that must fail; it shows that the drill can. What has to
hold:

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
that the disk keeps what the system has accepted; a power cut is not among these drills. The later release of the rolling
upgrade is this build with one more migration each time (a column with a default, and an index). The clients of \`drain\` repeat
what was refused because nothing listened: nothing of it was sent. Its longest request waited for the restart, and may take 20 s. Without
a proxy, a request can still be reset whose client sends it after a second without one, at the moment at which the node closes
the connection.
`
