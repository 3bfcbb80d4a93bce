import { busyIn, loadOnce, warmUpMs, withServers } from '../compare.js'
import { answersIn, databaseIn, each } from '../files.js'
import { median, ratio } from '../statistics.js'
import { fastifyString, httpBuffer, production } from '../subjects.js'

const connections = 64
const part = 0.8
export const unscheduled = (name) => `${name}: as fast as they are answered`
export const scheduled = (name) => `${name}: 80 % of that, by schedule`

/** Nine lists to each update, where there are updates. */
const workOf = ({ list, update }, isWritten) =>
  isWritten
    ? [...Array(9).fill({ ...list, name: 'lists' }), { ...update, name: 'updates' }]
    : [{ ...list, name: 'lists' }]

function row(name, runs) {
  const all = (key) => runs.map((run) => run[key])
  return {
    name,
    runs,
    perSecond: median(all('perSecond')),
    cpuUs: median(all('cpuUs')),
    busy: busyIn(runs),
    p50: median(all('p50')),
    p99: median(all('p99')),
    tail: ratio(all('p99'), all('p50')),
  }
}

const partOf = (runs, name) =>
  row(
    `${name} of these`,
    runs.map(({ byName }) => byName[name]),
  )

export const latency = {
  title: 'Production, latency below the peak',
  async run({ folder, rounds, ms }) {
    const answers = answersIn(folder)
    const ours = production(await databaseIn(folder, 'latency', { teams: 50 }))
    const subjects = [ours, fastifyString(answers), httpBuffer(answers)]
    return withServers(subjects, async ({ servers, load }) => {
      const measured = servers.map((server) => ({
        server,
        options: { load, server, work: workOf(server.work, server.name === ours.name), connections },
        peaks: [],
        below: [],
      }))
      await each(measured, ({ options }) => loadOnce({ ...options, ms: warmUpMs }))
      // Each peak right before what is measured below it: on a shared machine the next one is another.
      for (let round = 0; round < rounds; round += 1) {
        await each(measured, async ({ options, peaks, below }) => {
          const peak = await loadOnce({ ...options, ms })
          peaks.push(peak)
          below.push(await loadOnce({ ...options, rate: peak.perSecond * part, ms: 3 * ms }))
        })
      }
      const rows = measured.flatMap(({ server: { name }, peaks, below }) => [
        row(unscheduled(name), peaks),
        row(scheduled(name), below),
        ...(name === ours.name ? [partOf(below, 'lists'), partOf(below, 'updates')] : []),
      ])
      const what = `Production: nine lists, of 50 teams in turn, to each update; the others: lists alone. Connections: ${connections}. By schedule, requests come at even times, whether or not those before are answered, and an answer's time counts from when its request was due. Pinned, all threads of a server share one core: fewer writes at a time are more commits for as many, so that the core is nearly as busy below the peak.`
      return [{ id: 'latency', what, rows }]
    })
  },
}
