import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stateOf } from '../dataset.js'
import { startServer } from '../processes.js'
import { difference, median } from '../statistics.js'
import { mock } from '../subjects.js'

const bin = fileURLToPath(new URL('../../../bin/dashboard-api.js', import.meta.url))

/** The commands, and two lower limits: node with an empty file, and node with commander alone. */
export const names = {
  empty: 'node, empty file',
  commander: 'node, commander alone',
  help: 'dashboard-api --help',
  version: 'dashboard-api --version',
  completion: 'dashboard-api completion bash',
  mockLog: 'dashboard-api mock log',
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

export const commands = {
  title: 'Commands',
  async run({ files, rounds }) {
    const { folder } = files
    const running = await startServer(mock({ fixtures: files.json(stateOf({})) }))
    const count = 4 * rounds
    const script = (name, text) => {
      writeFileSync(join(folder, name), text)
      return [join(folder, name)]
    }
    const runs = Object.entries({
      empty: script('empty.mjs', ''),
      commander: script('commander.mjs', `import ${JSON.stringify(import.meta.resolve('commander'))}`),
      help: [bin, '--help'],
      version: [bin, '--version'],
      completion: [bin, 'completion', 'bash'],
      mockLog: [bin, 'mock', 'log', '--url', running.url],
    }).map(([key, args]) => ({ name: names[key], args, times: [], cpuTimes: [] }))
    try {
      for (let i = 0; i < count; i += 1) {
        for (const { name, args, times, cpuTimes } of runs) {
          const [started, cpu] = [performance.now(), childCpuMs()]
          const { status } = spawnSync(process.execPath, args)
          if (status !== 0) throw new Error(`${name} exited with ${status}`)
          times.push(performance.now() - started)
          cpuTimes.push(childCpuMs() - cpu)
        }
      }
    } finally {
      await running.stop()
    }
    const [empty] = runs
    const mean = (numbers) => numbers.reduce((sum, number) => sum + number) / numbers.length
    const rows = runs.map(({ name, times, cpuTimes }) => ({
      name,
      commandMs: median(times),
      overEmpty: difference(times, empty.times),
      commandCpuMs: mean(cpuTimes),
      // The system counts CPU time in steps of 10 ms: only the mean of many runs is meaningful.
      overEmptyCpu: mean(cpuTimes) - mean(empty.cpuTimes),
    }))
    return [
      { id: 'commands', caption: `Each command was run ${count} times, in turn, until it exited.`, rows },
    ]
  },
}
