import { loadOnce, warmUpMs, withServers } from '../compare.js'
import { databaseIn, each } from '../files.js'
import { median } from '../statistics.js'
import { production } from '../subjects.js'

const connections = 64
const part = 0.8
export const scheduled = '80 % of that, by schedule'

export const latency = {
  title: 'Production, latency below the peak',
  async run({ folder, rounds, ms }) {
    const subject = production(await databaseIn(folder, 'latency', { teams: 50 }))
    return withServers([subject], async ({ servers: [server], load }) => {
      const { list, update } = server.work
      const work = [...Array(9).fill({ ...list, name: 'lists' }), { ...update, name: 'updates' }]
      const measure = async (options) => {
        const round = (ms) => loadOnce({ load, server, work, connections, ...options, ms })
        await round(warmUpMs)
        return each(Array(rounds).fill(options.ms), round)
      }
      const row = (name, runs) => {
        const of = (key) => median(runs.map((run) => run[key]))
        return {
          name,
          runs,
          perSecond: of('perSecond'),
          p50: of('p50'),
          p99: of('p99'),
          cpuUs: of('cpuUs'),
          busy: median(runs.map(({ perSecond, cpuUs }) => (perSecond * cpuUs) / 10_000)),
        }
      }
      const partOf = ({ runs }, name) =>
        row(
          `${name} of these`,
          runs.map(({ byName }) => byName[name]),
        )
      const peak = row('as fast as they are answered', await measure({ ms }))
      const rate = peak.perSecond * part
      const below = row(scheduled, await measure({ rate, ms: 3 * ms }))
      const what = `Nine lists, of 50 teams in turn, to each update; connections: ${connections}. By schedule, requests come at even times, whether or not those before are answered, and an answer's time counts from when its request was due. Pinned, all threads of the server share one core: fewer writes at a time are more commits for as many, so that the core is nearly as busy below the peak.`
      return [{ id: 'latency', what, rows: [peak, below, partOf(below, 'lists'), partOf(below, 'updates')] }]
    })
  },
}
