import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadOnce, withServers } from '../compare.js'
import { categoryShares } from '../cpu-profile.js'
import { createDatabase, mapInSeries, writeResponses } from '../files.js'
import { fastifyFixed, productionModules } from '../subjects.js'

const connections = 50

/** The same server, which writes a profile when it exits. */
const profiled = (subject, folder) => ({
  ...subject,
  command(port) {
    const [node, args, env] = subject.command(port)
    mkdirSync(folder)
    return [node, ['--cpu-prof', '--cpu-prof-interval', '250', '--cpu-prof-dir', folder, ...args], env]
  },
})

export const profile = {
  title: 'Production: CPU profile of a read',
  async run({ folder, ms }) {
    const subjects = [
      fastifyFixed(writeResponses(folder)),
      productionModules(await createDatabase(folder, 'profile')),
    ]
    const folders = subjects.map((_, i) => join(folder, `profile-${i}`))
    const measuredMs = 4 * ms
    const columns = await mapInSeries(subjects.entries(), async ([i, subject]) => {
      const [run] = await withServers(
        [profiled(subject, folders[i])],
        async ({ servers: [server], load }) => {
          const options = { load, server, workload: server.workloads.list, connections }
          await loadOnce({ ...options, ms: measuredMs })
          return [await loadOnce({ ...options, ms: measuredMs })]
        },
      )
      return categoryShares(folders[i], measuredMs).map(({ name, share }) => ({
        name,
        us: share * run.cpuUs,
      }))
    })
    const [theirs, ours] = columns
    const rows = ours.map(({ name, us }, i) => ({
      name,
      profileUs: { fastify: theirs[i].us, production: us },
    }))
    const sum = (key) => rows.reduce((total, { profileUs }) => total + profileUs[key], 0)
    rows.push({ name: 'total', profileUs: { fastify: sum('fastify'), production: sum('production') } })
    const caption = `GET /v1/projects, 20 projects, connections: ${connections}. CPU time per request in µs, by the samples of Node's profiler, which slows both servers down. In addition to what a plain Fastify does, production checks for commits, looks up the response in its cache, runs its hooks (request id, metrics, security headers), tracks its connections, and sends more headers.`
    return [{ id: 'profile', caption, rows }]
  },
}
