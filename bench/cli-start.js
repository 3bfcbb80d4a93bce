// The run time of help, version and completion, compared with the lower limits: node with an empty file, and node
// with commander alone. The commands run in turn, so that a disturbance affects all of them.
// `npm run bench:start [rounds]`
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './speed/statistics.js'

const limit = 1.5
const bin = fileURLToPath(new URL('../bin/dashboard-api.js', import.meta.url))

export const names = {
  empty: 'node, empty file',
  commander: 'node, commander alone',
  help: 'dashboard-api --help',
  version: 'dashboard-api --version',
  completion: 'dashboard-api completion bash',
  seedHelp: 'dashboard-api seed --help',
}

/** The CPU time of all child processes that have exited, in ms; NaN if the system does not report it. */
function childCpuMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return Number.NaN
  }
}

/** Runs each command `rounds` times. Returns their times and CPU times in ms; the latter are counted in steps of 10 ms. */
export function startInTurn(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'cli-start-'))
  const script = (name, text) => {
    writeFileSync(join(folder, name), text)
    return [join(folder, name)]
  }
  const commander = `import ${JSON.stringify(import.meta.resolve('commander'))}`
  const runs = [
    { name: names.empty, args: script('empty.mjs', '') },
    { name: names.commander, args: script('commander.mjs', commander) },
    { name: names.help, args: [bin, '--help'] },
    { name: names.version, args: [bin, '--version'] },
    { name: names.completion, args: [bin, 'completion', 'bash'] },
    { name: names.seedHelp, args: [bin, 'seed', '--help'] },
  ].map((run) => ({ ...run, times: [], cpuTimes: [] }))
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, args, times, cpuTimes } of runs) {
        const [started, cpu] = [performance.now(), childCpuMs()]
        const { status } = spawnSync(process.execPath, args)
        if (status !== 0) throw new Error(`${name} exited with ${status}`)
        times.push(performance.now() - started)
        cpuTimes.push(childCpuMs() - cpu)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return runs
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const runs = startInTurn(Number(process.argv[2] ?? 41))
  const base = median(runs.find(({ name }) => name === names.commander).times)
  for (const { name, times } of runs) {
    const ms = median(times)
    console.log(`${name.padEnd(31)}${ms.toFixed(1).padStart(8)} ms${(ms / base).toFixed(2).padStart(8)}`)
  }
  const ratio = median(runs.find(({ name }) => name === names.help).times) / base
  console.log(
    `${names.help} takes ${ratio.toFixed(2)} times as long as commander alone. The limit is ${limit}.`,
  )
  process.exitCode = ratio < limit ? 0 : 1
}
