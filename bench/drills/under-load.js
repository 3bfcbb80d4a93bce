// The drills of PostgreSQL and of nodes, which are made under the load of `load.js`, as drills of `drills.js`.
import { setTimeout as sleep } from 'node:timers/promises'
import { withDatabase } from './database.js'
import { judge } from './judge.js'
import { figuresOf, isOk } from './outcomes.js'

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`

/**
 * A drill that resolves with the figures of its load (`figuresOf` in `outcomes.js`), judged by `judge.js`.
 * @param drill.limits what its figures may be at most, beside those of every such drill
 * @param drill.isExpected(outcome) which outcomes beside success and 503 its fault explains; none, if left out
 */
export function underLoad({ limits, isExpected, run, ...drill }) {
  return {
    promise: 'Over PostgreSQL, what was acknowledged is kept and seen, and the service recovers by itself.',
    target: [
      '0 lost, 0 doubled, 0 stale',
      ...(limits.successMs ? [`success again within ${seconds(limits.successMs)}`] : []),
    ].join('; '),
    needsPostgres: true,
    ...drill,
    async run(options) {
      const load = await run(options)
      const { acknowledged, lost, doubled, stale, successMs } = load
      const counts = `${acknowledged.toLocaleString('en')} writes: ${lost} lost, ${doubled} doubled; ${stale} stale reads`
      return {
        figure: successMs === undefined ? counts : `${counts}; success again within ${seconds(successMs)}`,
        faults: judge({ limits, isExpected, isBusy: options.isQuick }, load),
        load,
      }
    },
  }
}

/**
 * A drill that makes one fault several times.
 * @param drill.settings of PostgreSQL
 * @param drill.setUp is given what `withDatabase` gives, and the variant; resolves with the fault (see `makeFaults`), and with
 *   `node`, the options of two nodes, or other `nodes`; `newClient`, see `startLoad`; and `server`, which gives the server that
 *   holds the writes in the end
 * @param drill.control(make) resolves with what a control does; `make` makes so many rounds of a variant
 */
export function faultDrill({ setUp, settings, control, ...drill }) {
  const make = (rounds, variant = {}) =>
    withDatabase({ settings: { ...settings, ...variant.settings } }, async (setting) => {
      const { postgres, startNode, startLoad } = setting
      const made = await setUp(setting, variant)
      const { node, newClient, server = () => postgres, ...fault } = made
      const nodes = made.nodes ?? [await startNode(node), await startNode(node)]
      const load = startLoad(nodes, newClient)
      const result = await makeFaults(load, rounds, fault)
      return { faults: result.faults, ...(await figuresOf(load, server(), result)) }
    })
  return underLoad({
    ...drill,
    run: ({ rounds }) => make(rounds),
    ...(control && { control: () => control(make) }),
  })
}

/** How long the load may take to succeed where nothing is wrong, in ms. */
const settleMs = 20_000

/**
 * Makes a fault several times under load.
 * @param fault.inject makes it
 * @param fault.heal ends it, and resolves when the database can be used
 * @param fault.holdMs how long it lasts
 * @param fault.duringFault is given the load, and checks what holds meanwhile; returns what does not
 * @returns for each round the time from the end of the fault: `successMs` to the first success of each kind of request,
 *   `allServedMs` to the first success of every client
 */
async function makeFaults(
  load,
  rounds,
  { inject, heal = () => {}, holdMs = 300, duringFault, afterRound, pauseMs = 300 },
) {
  const successMs = []
  const allServedMs = []
  const faults = []
  for (let round = 1; round <= rounds; round += 1) {
    if (!(await load.firstOfClients(isOk, settleMs)))
      throw new Error(`Round ${round}: a client is not served`)
    await sleep(pauseMs)
    await inject(round)
    if (duringFault) faults.push(...(await duringFault(load, round)))
    else await sleep(holdMs)
    await heal(round)
    const healed = performance.now()
    const isSuccess = (entry) => isOk(entry) && entry.end >= healed
    const all = load.firstOfClients(isSuccess, settleMs)
    const first = await load.firstOf(['create', 'update', 'read'], isSuccess, settleMs)
    const latest = (entries) => Math.max(...entries.map(({ end }) => end - healed))
    if (first) successMs.push(latest(first))
    const served = await all
    if (served) allServedMs.push(latest(served))
    else faults.push(`round ${round}: a client is not served again within ${settleMs} ms`)
    await afterRound?.(round)
  }
  return { successMs, allServedMs, faults }
}
