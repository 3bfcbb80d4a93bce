import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadOnce, withServers } from '../compare.js'
import { categoryShares } from '../cpu-profile.js'
import { mapInSeries } from '../files.js'
import { fastifyFixed, productionModules } from '../subjects.js'

const connections = 50

export const profile = {
  title: 'Production: CPU profile of a read',
  async run({ files, ms }) {
    const subjects = {
      fastify: fastifyFixed(files.responses),
      production: productionModules(await files.database()),
    }
    const columns = await mapInSeries(Object.entries(subjects), async ([key, subject]) => {
      const folder = join(files.folder, `profile-${key}`)
      mkdirSync(folder)
      // Node writes the profile when it exits.
      const profiling = ['--cpu-prof', '--cpu-prof-interval', '250', '--cpu-prof-dir', folder]
      const profiled = { ...subject, args: [...profiling, ...subject.args] }
      const { cpuUs } = await withServers([profiled], async ({ servers: [server], load }) => {
        const options = { load, server, workload: server.workloads.list, connections, ms }
        await loadOnce(options)
        return loadOnce(options)
      })
      return categoryShares(folder, ms).map(({ name, share }) => ({ name, us: share * cpuUs }))
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
