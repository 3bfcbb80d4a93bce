// The benchmark (`npm run bench`): compares the service with its alternatives, and writes all figures to reports/performance.md and
// the tables of targets to docs/performance.md. `-- --only writes,givenFsync` measures and prints some sections; it replaces a table
// only if it has measured all of its sections. `--quick` measures for a shorter time.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createFiles } from './files.js'
import { fsyncMs } from './fsync-time.js'
import { pictures } from './pictures.js'
import { report, summaries } from './report.js'
import { sections } from './sections/index.js'
import { writePart } from './write-part.js'

const { values: flags } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean' } } })
const selected = flags.only?.split(',') ?? Object.keys(sections)
const unknown = selected.filter((name) => !(name in sections))
if (unknown.length > 0) {
  console.error(
    `Unknown section: ${unknown.join(', ')}. The sections are ${Object.keys(sections).join(', ')}.`,
  )
  process.exit(2)
}
const timing = flags.quick ? { rounds: 3, ms: 2000, isQuick: true } : { rounds: 5, ms: 2000 }

const began = performance.now()
const results = {}
const failures = {}
const conditions = {}
const folder = mkdtempSync(join(tmpdir(), 'dashboard-api-bench-'))
try {
  for (const name of selected) {
    const started = performance.now()
    conditions[name] = { fsyncMs: fsyncMs(folder) }
    mkdirSync(join(folder, name))
    try {
      results[name] = await sections[name].run({ files: createFiles(join(folder, name)), ...timing })
    } catch (error) {
      failures[name] = String(error?.message ?? error).split('\n')[0]
    }
    conditions[name].load = loadavg()[0]
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.error(`${sections[name].title}: ${failures[name] ?? `${seconds} s`}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const isWhole = flags.only === undefined
const run = { results, failures, conditions, timing, isWhole, minutes: (performance.now() - began) / 60_000 }
for (const [heading, text] of Object.entries(summaries(run)))
  writePart(new URL('../../docs/performance.md', import.meta.url), heading, text)
for (const [name, picture] of Object.entries(isWhole ? pictures(results) : {}))
  writeFileSync(new URL(`../../docs/pictures/${name}`, import.meta.url), picture)
const reports = new URL('../../reports/', import.meta.url)
mkdirSync(reports, { recursive: true })
if (isWhole) writeFileSync(new URL('performance.md', reports), report(run))
else console.log(report(run))
