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

/**
 * Loads a server once. Returns the load generator's result, with the CPU time per request in µs of the server, and of
 * the database if it is a process of its own.
 */
export async function loadOnce({ load, server, workload, ...options }) {
  const { url, cpuMs, databaseCpuMs = () => Number.NaN } = server
  const before = [cpuMs(), databaseCpuMs()]
  const run = await load.run({ url, workload, ...options })
  const [cpuUs, databaseUs] = [cpuMs(), databaseCpuMs()].map((ms, i) => ((ms - before[i]) * 1000) / run.count)
  return { ...run, cpuUs, databaseUs }
}

/** The share of a core that a server used during runs, in %. */
export const coreUse = (runs) => median(runs.map(({ perSecond, cpuUs }) => (perSecond * cpuUs) / 10_000))

/** Sends a number of requests to a server, or to each of several. */
async function warmUp(load, urls, workload, count) {
  for (const url of [urls].flat()) {
    await load.run({ url, workload, connections: 50, count, ms: 60_000 })
  }
}

/** Like `compare`, for servers that are already running. A server may have options of its own, such as `connections`. */
export async function compareRunning(
  { servers, load },
  { workload, rounds = 5, ms = 1000, warmUpRequests = 0, ...options },
) {
  const runs = servers.map(() => [])
  if (warmUpRequests > 0) {
    for (const { url, workloads } of servers) await warmUp(load, url, workloads[workload], warmUpRequests)
  }
  for (let round = -1; round < rounds; round++) {
    for (const [i, server] of servers.entries()) {
      const durationMs = round < 0 ? warmUpMs : ms
      const run = await loadOnce({
        load,
        server,
        workload: server.workloads[workload],
        ms: durationMs,
        ...options,
        ...server.options,
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
    databaseUs: median(all(i, 'databaseUs')),
    loadCpuUs: median(all(i, 'loadCpuUs')),
    p50: median(all(i, 'p50')),
    p99: median(all(i, 'p99')),
    unexpected: all(i, 'unexpected').reduce((sum, count) => sum + count),
  }))
}

/**
 * Compares subjects under one workload.
 * @param options.rounds how often each is loaded, for `ms` each time
 * @param options.warmUpRequests how many requests each gets before, so that its caches are full; the rest is passed to
 *   the load generator
 * @returns for each subject its `runs` and their medians: requests per second and their ratio to the first subject's,
 *   CPU time per request of the server and of the load generator in µs, p50 and p99 in ms
 */
export const compare = (subjects, options) =>
  withServers(subjects, (running) => compareRunning(running, options))
