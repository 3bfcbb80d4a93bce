// Subjects side by side: all of them run, and are loaded in turn, A/B/A/B, so that what disturbs disturbs them all.
import { startLoad, startServer } from './processes.js'

export const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

/**
 * Measures subjects at one kind of work.
 * @param options.rounds how often each is loaded, for `ms` each time
 * @returns for each subject: answers a second (medians), processor time for one, p50 and p99 in ms, and its ratio
 *   to the first subject with the lowest and the highest of the rounds
 */
export async function compare(subjects, { work, connections, rounds = 5, ms = 1000 }) {
  const load = startLoad()
  const servers = []
  try {
    for (const subject of subjects) servers.push(await startServer(subject))
    const runs = subjects.map(() => [])
    for (let round = -1; round < rounds; round++) {
      for (const [i, { work: kinds }] of subjects.entries()) {
        const server = servers[i]
        const before = server.cpuMs()
        const run = await load.run({ url: server.url, work: kinds[work], connections, ms })
        // The first round warms up.
        if (round >= 0) runs[i].push({ ...run, cpuUs: ((server.cpuMs() - before) * 1000) / run.count })
      }
    }
    const [limit] = runs
    return subjects.map(({ name }, i) => {
      const of = (key) => median(runs[i].map((run) => run[key]))
      const ratios = runs[i].map(({ perSecond }, round) => perSecond / limit[round].perSecond)
      return {
        name,
        perSecond: of('perSecond'),
        cpuUs: of('cpuUs'),
        p50: of('p50'),
        p99: of('p99'),
        ratio: of('perSecond') / median(limit.map((run) => run.perSecond)),
        from: Math.min(...ratios),
        to: Math.max(...ratios),
        wrong: runs[i].reduce((sum, run) => sum + run.wrong, 0),
        startedMs: servers[i].startedMs,
        rssMb: servers[i].rssMb(),
      }
    })
  } finally {
    load.stop()
    await Promise.all(servers.map((server) => server.stop()))
  }
}
