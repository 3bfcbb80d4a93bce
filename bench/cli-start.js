// How long `dashboard-api --help` takes to start, beside what cannot be less: node with an empty file, and with
// commander alone. The three are run in turn, so that a busy moment meets all of them. `npm run bench:start`
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const rounds = Number(process.argv[2] ?? 41)
const limit = 1.5

const bin = fileURLToPath(new URL('../bin/dashboard-api.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cli-start-'))
const script = (name, text) => {
  writeFileSync(join(folder, name), text)
  return [join(folder, name)]
}
const runs = {
  'node, empty file': script('empty.mjs', ''),
  'node, commander alone': script(
    'commander.mjs',
    `import ${JSON.stringify(import.meta.resolve('commander'))}`,
  ),
  'dashboard-api --help': [bin, '--help'],
  'dashboard-api seed --help': [bin, 'seed', '--help'],
}

const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]))
for (let round = 0; round < rounds; round += 1) {
  for (const [name, args] of Object.entries(runs)) {
    const started = performance.now()
    const { status } = spawnSync(process.execPath, args)
    if (status !== 0) throw new Error(`${name} ended with ${status}`)
    times[name].push(performance.now() - started)
  }
}
rmSync(folder, { recursive: true })

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const base = median(times['node, commander alone'])
for (const [name, values] of Object.entries(times)) {
  const ms = median(values)
  console.log(`${name.padEnd(27)}${ms.toFixed(1).padStart(8)} ms${(ms / base).toFixed(2).padStart(8)}`)
}
const ratio = median(times['dashboard-api --help']) / base
console.log(`dashboard-api --help is ${ratio.toFixed(2)} times commander alone; the limit is ${limit}.`)
process.exitCode = ratio < limit ? 0 : 1
