// Subjects side by side: all of them run, and are loaded in turn, A/B/A/B, so that what disturbs disturbs them all.
import { startLoad, startServer } from './processes.js'
import { median, ratio } from './statistics.js'

/** Starts a load and the servers of subjects, and ends them after `use`. */
export async function withServers(subjects, use) {
  const load = startLoad()
  const servers = []
  try {
    for (const subject of subjects) servers.push({ ...subject, ...(await startServer(subject)) })
    return await use({ servers, load })
  } finally {
    load.stop()
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** How long a server is loaded before it is measured, in ms: what runs often is compiled for it first. */
export const warmUpMs = 1_800

/** Loads a server once: what the load reports, and the processor time of the server for one answer in µs. */
export async function loadOnce({ load, server, work, ...options }) {
  const before = server.cpuMs()
  const run = await load.run({ url: server.url, work, ...options })
  return { ...run, cpuUs: ((server.cpuMs() - before) * 1000) / run.count }
}

/** How much of a core a server used while it was loaded, in %. */
export const busyIn = (runs) => median(runs.map(({ perSecond, cpuUs }) => (perSecond * cpuUs) / 10_000))

/** Measures servers at one kind of work; the same as `compare`, where they run already. */
export async function compareRunning({ servers, load }, { work, rounds = 5, ms = 1000, ...options }) {
  const runs = servers.map(() => [])
  for (let round = -1; round < rounds; round++) {
    for (const [i, server] of servers.entries()) {
      const lasts = round < 0 ? warmUpMs : ms
      const run = await loadOnce({ load, server, work: server.work[work], ms: lasts, ...options })
      if (round >= 0) runs[i].push(run)
    }
  }
  const all = (i, key) => runs[i].map((run) => run[key])
  return servers.map(({ name }, i) => ({
    name,
    runs: runs[i],
    perSecond: median(all(i, 'perSecond')),
    ratio: ratio(all(i, 'perSecond'), all(0, 'perSecond')),
    cpuUs: median(all(i, 'cpuUs')),
    loadUs: median(all(i, 'loadUs')),
    p50: median(all(i, 'p50')),
    p99: median(all(i, 'p99')),
    wrong: all(i, 'wrong').reduce((sum, wrong) => sum + wrong),
  }))
}

/**
 * Measures subjects at one kind of work.
 * @param options.rounds how often each is loaded, for `ms` each time; the rest as `load` takes it
 * @returns for each subject its `runs`, and medians of them: answers a second, their ratio to those of the first
 *   subject, processor time for one of the server and of the load in µs, p50 and p99 in ms
 */
export const compare = (subjects, options) =>
  withServers(subjects, (running) => compareRunning(running, options))
