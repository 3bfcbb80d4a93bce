import { withServers } from '../compare.js'
import { answersIn, databaseIn } from '../files.js'
import { fastifyString, production } from '../subjects.js'

const parts = 10
/** How long a part may take, in ms. */
const longest = 20_000

export const memory = {
  title: 'Production, resident memory',
  async run({ folder, isQuick }) {
    const count = (isQuick ? 100_000 : 1_000_000) / parts
    const subjects = [fastifyString(answersIn(folder)), production(await databaseIn(folder, 'memory'))]
    const rows = await withServers(subjects, async ({ servers, load }) => {
      const rows = servers.map(({ name, rssMb }) => ({ name, startMb: rssMb(), requests: 0 }))
      for (let part = 0; part < parts; part++) {
        for (const [i, { url, work }] of servers.entries()) {
          const kinds = [work.list, work.bundle]
          const run = await load.run({ url, work: kinds, connections: 50, count, ms: longest })
          rows[i].requests += run.count
        }
      }
      return rows.map((row, i) => ({ ...row, rssMb: servers[i].rssMb() }))
    })
    const what = 'Lists and session bundles of 20 projects, connections: 50.'
    return [{ id: 'memory', what, rows: rows.map((row) => ({ ...row, runs: [row] })) }]
  },
}
