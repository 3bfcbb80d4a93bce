import { answersIn, databaseIn, write } from '../files.js'
import {
  documentFor,
  httpMiddleware,
  jsonServer0,
  jsonServer1,
  mockoon,
  prism,
  resourcesOf,
} from '../peers.js'
import { startServer } from '../processes.js'
import { median, ratio } from '../statistics.js'
import { fastifyString, mock, production } from '../subjects.js'
import { readyAnswers, stateOf } from '../world.js'

export const start = {
  title: 'From the start to the first answer',
  async run({ folder, rounds }) {
    const answers = answersIn(folder)
    const openapi = write(folder, 'start-openapi', documentFor(readyAnswers()))
    const resources = write(folder, 'start-resources', resourcesOf(readyAnswers()))
    const subjects = [
      fastifyString(answers),
      production(await databaseIn(folder, 'start')),
      mock({ fixtures: write(folder, 'start-state', stateOf({})) }),
      jsonServer0(resources),
      jsonServer1(resources),
      prism(openapi),
      mockoon(openapi),
      httpMiddleware(answers),
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
    return [
      {
        id: 'start',
        what: `Each started ${rounds} times, in turn, until GET /v1/projects is answered.`,
        rows,
      },
    ]
  },
}
