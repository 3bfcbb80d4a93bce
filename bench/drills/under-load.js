// Drills of PostgreSQL and of nodes, which run under the load of `load.js`.
import { setTimeout as sleep } from 'node:timers/promises'
import { withDatabase } from './database.js'
import { figuresOf, isOk } from './outcomes.js'
import { databaseTimeoutMs } from './processes.js'

/** A request may wait twice for the database, to read and to write; the rest is for the client and a busy machine. */
const longestMs = 2 * databaseTimeoutMs + 1_500

/** A drill whose figures are those of `figuresOf` (`outcomes.js`). */
export const loadDrill = ({ mustBeZero, limits, ...drill }) => ({
  promise: 'Acknowledged writes are kept and visible, and the service recovers (PostgreSQL).',
  target: `0 lost, 0 doubled, 0 stale${limits?.successMs ? `; success again within ${limits.successMs / 1000} s` : ''}`,
  needsPostgres: true,
  mustBeZero: {
    lost: 'lost',
    doubled: 'doubled',
    stale: 'stale reads',
    failed: 'requests failed',
    ...mustBeZero,
  },
  mustNotBeZero: { acknowledged: 'writes', requests: 'requests' },
  limits: { longestMs, ...limits },
  ...drill,
})

/**
 * A drill that makes one fault several times.
 * @param drill.options the options of `withDatabase`
 * @param drill.isExpected see `figuresOf`
 * @param drill.setUp receives the set-up of `withDatabase`, and the options of the run. It resolves with
 *   - the fault: see `makeFaults`
 *   - `nodes`, or `node`, the options of the two default nodes
 *   - `newClient` and `load`, the arguments of `startLoad`
 *   - `settle()`, which waits until all writes of the load have taken effect
 */
export const faultDrill = ({ setUp, options, isExpected, limits, ...drill }) =>
  loadDrill({
    limits: { successMs: 1_000, allServedMs: longestMs, ...limits },
    run: ({ rounds, settings, ...given }) =>
      withDatabase({ ...options, ...(settings && { settings }) }, async (setting) => {
        const { postgres, startNode, startLoad } = setting
        const made = await setUp(setting, given)
        const { node, newClient, settle, ...fault } = made
        const nodes = made.nodes ?? [await startNode(node), await startNode(node)]
        const load = startLoad(nodes, newClient, made.load)
        const { faults, ...times } = await makeFaults(load, rounds, fault)
        await load.stop()
        await settle?.()
        const figures = await figuresOf(load, postgres, isExpected)
        return { ...figures, ...times, faults: [...faults, ...figures.faults] }
      }),
    ...drill,
  })

/** How long the drill waits for the load to succeed, in ms. */
const settleMs = 20_000

/**
 * Makes a fault several times under load.
 * @param fault.inject begins the fault
 * @param fault.heal ends the fault, and resolves when the database can be used
 * @param fault.holdMs how long the fault lasts
 * @param fault.duringFault checks the load during the fault, and resolves with its failures
 * @returns the longest times from the end of the fault: `successMs` to the first success of each kind of request, `allServedMs` to
 *   the first success of every client
 */
export async function makeFaults(load, rounds, { inject, heal = () => {}, holdMs = 300, duringFault }) {
  const longest = { successMs: 0, allServedMs: 0 }
  const faults = []
  for (let round = 1; round <= rounds; round += 1) {
    if (!(await load.firstOfClients(isOk, settleMs)))
      throw new Error(`Round ${round}: a client is not served`)
    await sleep(300)
    await inject(round)
    if (duringFault) faults.push(...(await duringFault(load, round)))
    else await sleep(holdMs)
    await heal(round)
    const healed = performance.now()
    const isSuccess = (entry) => isOk(entry) && entry.end >= healed
    const [all, first] = await Promise.all([
      load.firstOfClients(isSuccess, settleMs),
      load.firstOf(['create', 'update', 'read'], isSuccess, settleMs),
    ])
    const note = (name, entries = [{ end: Number.POSITIVE_INFINITY }]) => {
      longest[name] = Math.max(longest[name], ...entries.map(({ end }) => end - healed))
    }
    note('successMs', first)
    note('allServedMs', all)
  }
  return { ...longest, faults }
}
