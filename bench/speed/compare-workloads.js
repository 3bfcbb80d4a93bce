// Tables of the report: subjects under several workloads, at several numbers of connections.
import { compareRunning, withServers } from './compare.js'
import { mapInSeries } from './files.js'
import { labels } from './workloads.js'

/**
 * Compares subjects under each workload in turn. The servers run throughout, so the earlier workloads warm them up.
 * @param kinds each with its `workload` and `connections`
 * @param options.data whose projects are requested, for the caption
 * @returns tables; a table's `id` is its workload and connections, such as `list-50`
 */
export const compareWorkloads = (subjects, kinds, { data = '20 projects', ...options }) =>
  withServers(subjects, (running) =>
    mapInSeries(kinds, async ({ workload, connections }) => ({
      id: `${workload}-${connections}`,
      caption: [
        labels[workload],
        ...(workload === 'waitlist' ? [] : [data]),
        `connections: ${connections}`,
      ].join(', '),
      rows: await compareRunning(running, { workload, connections, ...options }),
    })),
  )
