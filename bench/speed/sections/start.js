import { stateOf } from '../dataset.js'
import { startServer } from '../processes.js'
import { median, ratio } from '../statistics.js'
import { fastifyFixed, mock, otherMocks, production } from '../subjects.js'

export const start = {
  title: 'Time to the first response',
  async run({ files, rounds }) {
    const subjects = [
      fastifyFixed(files.responses),
      production(await files.database()),
      mock({ fixtures: files.json(stateOf({})) }),
      ...otherMocks(files),
    ]
    const runs = subjects.map(() => [])
    for (let round = -1; round < rounds; round++) {
      for (const [i, subject] of subjects.entries()) {
        const { startedMs, cpuMs, rssMb, stop } = await startServer(subject)
        const run = { startedMs, startedCpuMs: cpuMs(), rssMb: rssMb() }
        await stop()
        // The first round fills the system's caches.
        if (round >= 0) runs[i].push(run)
      }
    }
    const all = (i, key) => runs[i].map((run) => run[key])
    const rows = subjects.map(({ name }, i) => ({
      name,
      runs: runs[i],
      startedMs: median(all(i, 'startedMs')),
      ratio: ratio(all(i, 'startedMs'), all(0, 'startedMs')),
      startedCpuMs: median(all(i, 'startedCpuMs')),
      rssMb: median(all(i, 'rssMb')),
    }))
    const caption = `Each server was started ${rounds} times, in turn, until it responded to GET /v1/projects.`
    return [{ id: 'start', caption, rows }]
  },
}
