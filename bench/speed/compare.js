// Compares servers side by side: all of them run, and are loaded in turn, so that a disturbance affects all of them.
import { startLoadGenerator, startServer } from './processes.js'
import { median, ratio } from './statistics.js'

/** Starts a load generator and the servers of subjects, and stops them after `use`. */
export async function withServers(subjects, use) {
  const load = startLoadGenerator()
  const servers = []
  try {
    for (const subject of subjects) servers.push({ ...subject, ...(await startServer(subject)) })
    return await use({ servers, load })
  } finally {
    load.stop()
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** How long a server is loaded before it is measured, in ms, so that its hot code has been compiled. */
export const warmUpMs = 1_800

/** Loads a server once. Returns the load generator's result, with the server's CPU time per request in µs. */
export async function loadOnce({ load, server, workload, ...options }) {
  const before = server.cpuMs()
  const run = await load.run({ url: server.url, workload, ...options })
  return { ...run, cpuUs: ((server.cpuMs() - before) * 1000) / run.count }
}

/** The share of a core that a server used during runs, in %. */
export const coreUse = (runs) => median(runs.map(({ perSecond, cpuUs }) => (perSecond * cpuUs) / 10_000))

/** Like `compare`, for servers that are already running. */
export async function compareRunning({ servers, load }, { workload, rounds = 5, ms = 1000, ...options }) {
  const runs = servers.map(() => [])
  for (let round = -1; round < rounds; round++) {
    for (const [i, server] of servers.entries()) {
      const durationMs = round < 0 ? warmUpMs : ms
      const run = await loadOnce({
        load,
        server,
        workload: server.workloads[workload],
        ms: durationMs,
        ...options,
      })
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
    loadCpuUs: median(all(i, 'loadCpuUs')),
    p50: median(all(i, 'p50')),
    p99: median(all(i, 'p99')),
    unexpected: all(i, 'unexpected').reduce((sum, count) => sum + count),
  }))
}

/**
 * Compares subjects under one workload.
 * @param options.rounds how often each is loaded, for `ms` each time; the rest is passed to the load generator
 * @returns for each subject its `runs` and their medians: requests per second and their ratio to the first subject's,
 *   CPU time per request of the server and of the load generator in µs, p50 and p99 in ms
 */
export const compare = (subjects, options) =>
  withServers(subjects, (running) => compareRunning(running, options))
