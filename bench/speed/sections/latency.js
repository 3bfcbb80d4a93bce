import { coreUse, loadOnce, warmUp, withServers } from '../compare.js'
import { mapInSeries } from '../files.js'
import { median, ratio } from '../statistics.js'
import { fastifyFixed, production } from '../subjects.js'

const connections = 64
const partOfPeak = 0.8
/** Shares of the peak rate. */
const shares = [0.2, 0.4, 0.6, 0.8, 0.9]
export const atPeak = (name) => `${name}: at the peak rate`
const atShare = (name, share) => `${name}: at ${share * 100} % of the peak rate`
export const belowPeak = (name) => atShare(name, partOfPeak)

/** Nine lists for each update, if the server supports updates. */
const workloadOf = ({ list, update }, hasUpdates) =>
  hasUpdates
    ? [...Array(9).fill({ ...list, name: 'lists' }), { ...update, name: 'updates' }]
    : [{ ...list, name: 'lists' }]

function row(name, runs) {
  const all = (key) => runs.map((run) => run[key])
  return {
    name,
    runs,
    perSecond: median(all('perSecond')),
    cpuUs: median(all('cpuUs')),
    core: coreUse(runs),
    p50: median(all('p50')),
    p99: median(all('p99')),
    tail: ratio(all('p99'), all('p50')),
  }
}

const rowOfPart = (below, name) =>
  row(
    `of these at 80 %, ${name}`,
    below.find(({ share }) => share === partOfPeak).runs.map(({ byName }) => byName[name]),
  )

export const latency = {
  title: 'Production: latency below the peak rate',
  async run({ files, rounds, ms }) {
    const ours = production(await files.database({ teams: 50 }))
    const subjects = [ours, fastifyFixed(files.responses)]
    return withServers(subjects, async ({ servers, load }) => {
      const measured = servers.map((server) => ({
        server,
        options: {
          load,
          server,
          workload: workloadOf(server.workloads, server.name === ours.name),
          connections,
        },
        peak: [],
        below: shares.map((share) => ({ share, runs: [] })),
      }))
      await warmUp({ servers, load }, 'list')
      // Each peak is measured right before its run, since it changes on a shared machine.
      for (let round = 0; round < rounds; round += 1) {
        await mapInSeries(measured, async ({ options, peak, below }) => {
          const run = await loadOnce({ ...options, ms })
          peak.push(run)
          await mapInSeries(below, async ({ share, runs }) => {
            const longer = share === partOfPeak ? 3 * ms : ms
            runs.push(await loadOnce({ ...options, rate: run.perSecond * share, ms: longer }))
          })
        })
      }
      const rows = measured.flatMap(({ server: { name }, peak, below }) => [
        row(atPeak(name), peak),
        ...below.map(({ share, runs }) => ({ subject: name, share, ...row(atShare(name, share), runs) })),
        ...(name === ours.name ? ['lists', 'updates'].map((part) => rowOfPart(below, part)) : []),
      ])
      const caption = `Production: nine lists, of 50 teams in turn, for each update; plain Fastify: lists only. Connections: ${connections}. At the peak rate, each connection sends its next request when it has a response. Below it, requests are due at even intervals, whether or not earlier ones have a response, and latency counts from when a request was due. All threads of a server share one core if pinned. At a lower rate, a commit groups fewer writes, so there are more commits per write, and the core is nearly as busy as at the peak rate.`
      return [{ id: 'latency', caption, rows }]
    })
  },
}
