import { startInTurn } from '../../cli-start.js'
import { difference, median } from '../statistics.js'

export const commands = {
  title: 'Help, version and completion',
  async run({ rounds }) {
    const count = 4 * rounds
    const starts = startInTurn(count)
    const [empty] = starts
    const mean = (numbers) => numbers.reduce((sum, number) => sum + number) / numbers.length
    const rows = starts.map(({ name, times, cpuTimes }) => ({
      name,
      commandMs: median(times),
      overEmpty: difference(times, empty.times),
      commandCpuMs: mean(cpuTimes),
      // The system counts CPU time in steps of 10 ms, so only the mean of many runs is meaningful.
      overEmptyCpu: mean(cpuTimes) - mean(empty.cpuTimes),
    }))
    return [
      { id: 'commands', caption: `Each command was run ${count} times, in turn, until it exited.`, rows },
    ]
  },
}
