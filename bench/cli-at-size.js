// The command line with much data: seeds a million projects; imports, counts and exports a million addresses. Prints
// the time and the peak memory of each command. `npm run bench:cli [count]`
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const count = Number(process.argv[2] ?? 1_000_000)
const bin = fileURLToPath(new URL('../bin/dashboard-api.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cli-at-size-'))
const database = join(folder, 'size.db')

// Each command prints its peak memory in KiB when it exits.
const peak = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))`
const hook = `data:text/javascript,${encodeURIComponent(peak)}`

function measure(label, ...args) {
  const started = performance.now()
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', hook, bin, ...args, '--database', database],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`${label} exited with ${status}: ${stderr}`)
  const seconds = (performance.now() - started) / 1000
  const mib = Number(stderr.match(/peak (\d+)/)[1]) / 1024
  console.log(`${label.padEnd(44)}${seconds.toFixed(1).padStart(8)} s${mib.toFixed(0).padStart(7)} MiB`)
}

try {
  const teams = Math.ceil(count / 1000)
  const sizes = ['--projects', '1000', '--users', '5', '--seed', '42']
  measure(
    `seed ${Math.ceil(teams / 10)} teams of 1000 projects`,
    'seed',
    '--teams',
    `${Math.ceil(teams / 10)}`,
    ...sizes,
  )
  measure(`seed ${teams} teams of 1000 projects`, 'seed', '--teams', `${teams}`, ...sizes)
  measure(`seed ${teams} teams again: nothing to add`, 'seed', '--teams', `${teams}`, ...sizes)

  const file = join(folder, 'addresses.csv')
  const handle = openSync(file, 'w')
  writeSync(handle, 'email,createdAt\n')
  for (let i = 0; i < count; i += 1) {
    const at = new Date(Date.UTC(2026, 0, 1) + (i % 90) * 86_400_000).toISOString()
    writeSync(handle, `person${i}@d${i % 37}.example,${at}\n`)
  }
  closeSync(handle)
  measure(`waitlist import of ${count}`, 'waitlist', 'import', file)
  measure('waitlist stats', 'waitlist', 'stats')
  measure('waitlist list --json', 'waitlist', 'list', '--json')
  for (const format of ['csv', 'json', 'ndjson']) {
    measure(
      `waitlist export --format ${format}`,
      'waitlist',
      'export',
      '--format',
      format,
      '--output',
      `${file}.out`,
    )
  }
  measure('waitlist export of a day', 'waitlist', 'export', '--since', '2026-03-01', '--until', '2026-03-01')
} finally {
  rmSync(folder, { recursive: true })
}
