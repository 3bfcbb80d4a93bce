import { withServers } from '../compare.js'
import { fastifyFixed, production } from '../subjects.js'

const parts = 10
/** How long a part may take, in ms. */
const partTimeoutMs = 20_000

export const memory = {
  title: 'Production: resident memory',
  async run({ files, isQuick }) {
    const count = (isQuick ? 100_000 : 1_000_000) / parts
    const subjects = [fastifyFixed(files.responses), production(await files.database())]
    const rows = await withServers(subjects, async ({ servers, load }) => {
      const rows = servers.map(({ name, rssMb }) => ({ name, startMb: rssMb(), requests: 0 }))
      for (let part = 0; part < parts; part++) {
        for (const [i, { url, workloads }] of servers.entries()) {
          const workload = [workloads.list, workloads.bundle]
          const run = await load.run({ url, workload, connections: 50, count, ms: partTimeoutMs })
          rows[i].requests += run.count
        }
      }
      return rows.map((row, i) => ({ ...row, rssMb: servers[i].rssMb() }))
    })
    const caption = 'Lists and session bundles of 20 projects, connections: 50'
    return [{ id: 'memory', caption, rows: rows.map((row) => ({ ...row, runs: [row] })) }]
  },
}
