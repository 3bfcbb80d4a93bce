// The load over a database, and the faults that are made under it.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { withDatabase } from './database.js'
import { startLoad, teams } from './load.js'
import { isOk, summarize } from './outcomes.js'

/** The teams and sessions of the load. */
export const stateOfLoad = () => ({
  ...stateOf({ teams, projects: 0 }),
  projects: Array.from({ length: teams }, (_, team) => ({ ...projectOf(team, 0), status: '0' })),
})

/**
 * Runs a part of a drill with a new database for the load: see `withDatabase`.
 * @param use is given `startLoad` too
 */
export const withSetting = (use, { kind = 'postgres', settings } = {}) =>
  withDatabase({ kind, settings, state: stateOfLoad() }, async (made) => {
    // A control that loses writes is not to lose these.
    await made.postgres?.query('CHECKPOINT')
    return use({
      ...made,
      /** Starts the load on some nodes, taken in turn. */
      startLoad(nodes, newClient = (i) => createClient(nodes[i % nodes.length].url), options) {
        let count = 0
        const load = startLoad(() => newClient(count++), options)
        made.onEnd(() => load.stop())
        return load
      },
    })
  })

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
export async function makeFaults(
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

/** Ends the load, and gives the figures of a drill. */
export async function figuresOf(load, { query }, { successMs = [], allServedMs = [] } = {}) {
  await load.stop()
  const { others, ...counts } = summarize(load.history)
  const found = await load.verify((sql) => query(sql))
  const ascending = successMs.toSorted((a, b) => a - b)
  return {
    ...counts,
    others,
    ...found,
    ...(successMs.length > 0 && {
      successMs: Math.round(ascending.at(-1)),
      medianSuccessMs: Math.round(ascending[ascending.length >> 1]),
      allServedMs: Math.round(Math.max(...allServedMs)),
    }),
  }
}
