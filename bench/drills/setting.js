// What a drill works with: a PostgreSQL with the data of the load, nodes of the service, and the load itself.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sqlite3 from 'sqlite3'
import { projectOf, stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { startLoad, teams } from './load.js'
import { isOk, summarize } from './outcomes.js'
import { createPostgres } from './postgres-server.js'
import { startNode } from './processes.js'
import { loadState } from './stored.js'
import { withFolder } from './with-folder.js'

/**
 * Runs a part of a drill with a new database, and ends all that it started.
 * @param use is given what it works with; its result is the result
 * @param options.settings of PostgreSQL
 */
export const withSetting = (use, { settings } = {}) =>
  withFolder(async ({ folder, onEnd }) => {
    const postgres = await createPostgres(join(folder, 'primary'), settings)
    onEnd(() => postgres.stop())
    await fill(postgres.url)
    // A control that loses writes is not to lose these.
    await postgres.query('CHECKPOINT')
    return await use({ folder, postgres, onEnd, ...startsOf(postgres.url, onEnd) })
  })

/** The same with a SQLite file in place of PostgreSQL. */
export const withFile = (use) =>
  withFolder(async ({ folder, onEnd }) => {
    const file = join(folder, 'live.db')
    await fill(file)
    return await use({ folder, onEnd, query: (sql) => queryFile(file, sql), ...startsOf(file, onEnd) })
  })

const startsOf = (database, onEnd) => ({
  async startNode(options = {}) {
    const node = await startNode({ database, ...options })
    onEnd(() => node.stop())
    return node
  },
  /** Starts the load on some nodes, taken in turn. */
  startLoad(nodes, newClient = (i) => createClient(nodes[i % nodes.length].url), options) {
    let count = 0
    const load = startLoad(() => newClient(count++), options)
    onEnd(() => load.stop())
    return load
  },
})

/** The rows of a query of a SQLite file. */
function queryFile(file, sql) {
  const db = new sqlite3.Database(file, sqlite3.OPEN_READONLY)
  return new Promise((resolve, reject) => {
    db.all(sql, (error, rows) => (error ? reject(error) : resolve(rows)))
    db.close()
  })
}

/** Loads the teams and sessions of the load. */
export async function fill(url) {
  const state = stateOf({ teams, projects: 0 })
  const projects = Array.from({ length: teams }, (_, team) => ({ ...projectOf(team, 0), status: '0' }))
  await loadState(url, { ...state, projects })
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
