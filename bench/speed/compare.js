// Compares servers: all of them run and are loaded in turn, so that a disturbance affects all.
import { mapInSeries } from './files.js'
import { startLoadGenerator, startServer } from './processes.js'
import { median, ratio } from './statistics.js'
import { labels } from './workloads.js'

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

/**
 * Loads each server before it is measured, until its hot code is compiled and its caches are full: with a number of requests of
 * the measured kind, for 30 s at most.
 */
export async function warmUp({ servers, load }, workload, count = 20_000) {
  for (const { url, workloads } of servers) {
    for (const each of [url].flat())
      await load.run({ url: each, workload: workloads[workload], connections: 50, count, ms: 30_000 })
  }
}

/**
 * Loads a server once.
 * @returns the result of the load generator, and the CPU time per request, in µs, of the server and of a separate database
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

/**
 * Loads running servers in turn, `rounds` times for `ms`. Each server may have its own options, such as `connections`.
 * @param options passed to the load generator
 * @returns for each server its `runs` and their medians: requests per second, and their ratio to those of the first server;
 *   CPU time per request, in µs, of the server and of the load generator; p50 and p99 in ms
 */
export async function compareRunning({ servers, load }, { workload, rounds, ...options }) {
  const runs = servers.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, server] of servers.entries()) {
      const of = { load, server, workload: server.workloads[workload], ...options, ...server.options }
      runs[i].push(await loadOnce(of))
    }
  }
  const all = (i, key) => runs[i].map((run) => run[key])
  const medians = (i, ...keys) => Object.fromEntries(keys.map((key) => [key, median(all(i, key))]))
  return servers.map(({ name }, i) => ({
    name,
    runs: runs[i],
    ...medians(i, 'perSecond', 'cpuUs', 'databaseUs', 'loadCpuUs', 'p50', 'p99'),
    ratio: ratio(all(i, 'perSecond'), all(0, 'perSecond')),
    unexpected: all(i, 'unexpected').reduce((sum, count) => sum + count),
  }))
}

/**
 * Compares subjects under each workload in turn, each with several numbers of connections.
 * @param subjectsOf returns the subjects of a workload, which run during all its measurements
 * @param options.data the requested data, for the caption
 * @param options.warmUpRequests how many requests each server receives first
 * @returns tables; the `id` of a table is its workload and number of connections, such as `list-50`
 */
export async function compareWorkloads(
  workloads,
  connections,
  subjectsOf,
  { data = '20 projects', warmUpRequests, ...options },
) {
  const tables = await mapInSeries(workloads, async (workload) =>
    withServers(await subjectsOf(workload), async (running) => {
      await warmUp(running, workload, warmUpRequests)
      return mapInSeries(connections, async (count) => ({
        id: `${workload}-${count}`,
        caption: [labels[workload], workload !== 'waitlist' && data, `connections: ${count}`]
          .filter(Boolean)
          .join(', '),
        rows: await compareRunning(running, { workload, connections: count, ...options }),
      }))
    }),
  )
  return tables.flat()
}
