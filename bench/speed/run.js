// Measures the service beside the limits and its peers, and writes docs/performance.md: `npm run bench`.
// `-- --only reads,writes` measures some sections and prints them; `--quick` measures each for a shorter time.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isPinned } from './processes.js'
import { sections } from './sections.js'
import { table } from './table.js'

const { values: flags } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean' } } })
const wanted = flags.only?.split(',') ?? Object.keys(sections)
const pace = flags.quick ? { rounds: 3, ms: 400 } : { rounds: 5, ms: 600 }

const peers = new URL('../peers/', import.meta.url).pathname
if (!existsSync(join(peers, 'node_modules'))) {
  console.error('Installing the peers into bench/peers …')
  spawnSync('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund'], {
    cwd: peers,
    stdio: 'inherit',
  })
}

const [cpu] = cpus()
const texts = [
  `# Performance

Written by \`npm run bench\`, which runs all of it again: ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpu?.model}, server and load ${isPinned ? 'on a core each' : 'not pinned'}.
In each table all rows ran at once and were loaded in turn, ${pace.rounds} times for ${pace.ms} ms. Answers a second are medians; a ratio is that of the medians, with the lowest and the highest of the rounds. Processor time is that of the server for one answer, its threads included: where others use the machine too, it is what can be compared.
`,
]
const folder = mkdtempSync(join(tmpdir(), 'dashboard-api-bench-'))
try {
  for (const name of wanted) {
    const { title, run } = sections[name]
    console.error(`${title} …`)
    try {
      texts.push(
        `## ${title}\n`,
        ...(await run({ folder, ...pace })).flatMap(({ what, rows }) => [`${what}\n`, table(rows)]),
      )
    } catch (error) {
      texts.push(`Not measured: ${String(error?.message ?? error).split('\n')[0]}\n`)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

if (flags.only === undefined)
  writeFileSync(new URL('../../docs/performance.md', import.meta.url), texts.join('\n'))
else console.log(texts.slice(1).join('\n'))
