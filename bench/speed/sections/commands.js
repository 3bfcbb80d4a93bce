import { startInTurn } from '../../cli-start.js'
import { difference, median } from '../statistics.js'

export const commands = {
  title: 'Commands that only say something',
  async run({ rounds }) {
    const count = 4 * rounds
    const starts = startInTurn(count)
    const [empty] = starts
    const mean = (numbers) => numbers.reduce((sum, number) => sum + number) / numbers.length
    const rows = starts.map(({ name, times, cpuTimes }) => ({
      name,
      commandMs: median(times),
      over: difference(times, empty.times),
      commandCpuMs: mean(cpuTimes),
      // Processor time is counted in steps as long as what is measured: only the mean of many says something.
      overCpu: mean(cpuTimes) - mean(empty.cpuTimes),
    }))
    return [{ id: 'commands', what: `Each started ${count} times, in turn, until it ended.`, rows }]
  },
}
