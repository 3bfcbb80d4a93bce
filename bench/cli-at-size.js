// The command line with much data: seeds a million projects; imports, counts and exports a million addresses. Prints
// the time and the peak memory of each command. `npm run bench:cli [count]`
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure } from './measured-command.js'

const count = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'cli-at-size-'))
const database = join(folder, 'size.db')

try {
  const run = (label, ...args) => measure(label, [...args, '--database', database])
  const teams = Math.ceil(count / 1000)
  const seed = (label, teams) =>
    run(label, 'seed', '--teams', String(teams), '--projects', '1000', '--users', '5', '--seed', '42')
  const few = Math.ceil(teams / 10)
  seed(`seed ${few} teams of 1000 projects`, few)
  seed(`seed ${teams} teams of 1000 projects`, teams)
  seed(`seed ${teams} teams again: nothing to add`, teams)

  const file = join(folder, 'addresses.csv')
  const handle = openSync(file, 'w')
  writeSync(handle, 'email,createdAt\n')
  for (let i = 0; i < count; i += 1) {
    const at = new Date(Date.UTC(2026, 0, 1) + (i % 90) * 86_400_000).toISOString()
    writeSync(handle, `person${i}@d${i % 37}.example,${at}\n`)
  }
  closeSync(handle)
  run(`waitlist import of ${count}`, 'waitlist', 'import', file)
  run('waitlist stats', 'waitlist', 'stats')
  run('waitlist list --json', 'waitlist', 'list', '--json')
  const exportTo = ['waitlist', 'export', '--output', `${file}.out`]
  for (const format of ['csv', 'json', 'ndjson'])
    run(`waitlist export --format ${format}`, ...exportTo, '--format', format)
  run('waitlist export of a day', 'waitlist', 'export', '--since', '2026-03-01', '--until', '2026-03-01')
} finally {
  rmSync(folder, { recursive: true })
}
