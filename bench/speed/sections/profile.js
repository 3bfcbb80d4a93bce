import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadOnce, withServers } from '../compare.js'
import { answersIn, databaseIn, each } from '../files.js'
import { partsOf } from '../profile.js'
import { fastifyString, unbundled } from '../subjects.js'

const connections = 50

/** The same server, which writes a profile when it ends. */
const profiled = (subject, folder) => ({
  ...subject,
  command(port) {
    const [node, args, env] = subject.command(port)
    mkdirSync(folder)
    return [node, ['--cpu-prof', '--cpu-prof-interval', '250', '--cpu-prof-dir', folder, ...args], env]
  },
})

export const profile = {
  title: 'Production, where the time of a read goes',
  async run({ folder, ms }) {
    const subjects = [fastifyString(answersIn(folder)), unbundled(await databaseIn(folder, 'profile'))]
    const folders = subjects.map((_, i) => join(folder, `profile-${i}`))
    const measured = 4 * ms
    const columns = await each(subjects.entries(), async ([i, subject]) => {
      const [run] = await withServers(
        [profiled(subject, folders[i])],
        async ({ servers: [server], load }) => {
          const options = { load, server, work: server.work.list, connections }
          await loadOnce({ ...options, ms: measured })
          return [await loadOnce({ ...options, ms: measured })]
        },
      )
      return partsOf(folders[i], measured).map(({ name, part }) => ({ name, us: part * run.cpuUs }))
    })
    const [theirs, ours] = columns
    const rows = ours.map(({ name, us }, i) => ({
      name,
      profileUs: { fastify: theirs[i].us, production: us },
    }))
    const sum = (key) => rows.reduce((all, { profileUs }) => all + profileUs[key], 0)
    rows.push({ name: 'all of it', profileUs: { fastify: sum('fastify'), production: sum('production') } })
    const what = `GET /v1/projects, 20 projects, connections: ${connections}. Processor µs of an answer, by the samples of Node's profiler, which makes both slower. Beside what a plain Fastify does, production looks whether there was a commit, once for all who ask in one turn of its loop, finds the session's answer, counts and times it, keeps track of its connection, and sends more headers.`
    return [{ id: 'profile', what, rows }]
  },
}
