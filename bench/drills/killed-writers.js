import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { compare } from './compare.js'
import { waitUntil, withDatabase } from './database.js'
import { inLanes } from './in-lanes.js'
import { busyFactor } from './judge.js'
import { startWriters } from './load.js'
import { startCommand } from './processes.js'
import { storedIn } from './stored.js'

/** How long the service may take to be ready again after its start, in ms. */
const readyMs = 2_000
/** How long it is waited for, in ms. */
const settleMs = 20_000
/** After so many kills a new database is begun, so that its checks stay short. */
const killsOfDatabase = 25
/** How many addresses a command imports. */
const addresses = 2_000

const range = (length, make) => Array.from({ length }, (_, i) => make(i))

/**
 * Kills the service again and again under clients, beside a command that writes and in half of the rounds is killed too.
 */
async function killWriters({ folder, database, postgres, startNode }, { rounds, random, defect }) {
  // A flag takes no password.
  const env = { DASHBOARD_API_DATABASE: database }
  let node = await startNode({ defect })
  const { port } = node
  const writers = startWriters(node.url)
  const faults = []
  const imported = []
  let interrupted = 0
  const starts = []
  for (let round = 1; round <= rounds; round += 1) {
    const emails = range(addresses, (i) => `import-${round}-${i}@example.com`)
    const file = join(folder, `import-${round}.csv`)
    writeFileSync(file, ['email', ...emails].join('\n'))
    const command = startCommand(['waitlist', 'import', file], env)
    const isKilled = random.chance(0.5)
    // Most of the command's time is its start.
    await sleep(100 + random.below(500))
    const killed = [node.kill(), isKilled && command.kill()]
    await Promise.all(killed)
    if (isKilled && !postgres) {
      const wrong = await checkCrashed(folder, database, writers.history)
      faults.push(...wrong.map((fault) => `round ${round}: ${fault}`))
    }
    const began = performance.now()
    node = await startNode({ defect, port })
    const isReady = async () => (await fetch(new URL('/readyz', node.url))).ok
    if ((await waitUntil(isReady, settleMs)) === undefined) faults.push(`round ${round}: it is not ready`)
    const tookMs = performance.now() - began
    starts.push({ tookMs, cpuMs: node.cpuMs() ?? tookMs })
    const { code, output } = await command.ended
    if (code === 0) imported.push(...emails)
    else if (isKilled) interrupted += 1
    else faults.push(`round ${round}: the command ended with ${code}: ${output}`)
  }
  await writers.stop()
  await node.kill()
  const { projects, waitlist } = await storedIn(database)
  const found = new Set(waitlist.map(({ email }) => email))
  const { lost, doubled, ...others } = compare(writers.history, projects)
  const check = await startCommand(['database', 'check'], env).ended
  if (check.code !== 0) faults.push(`database check: ${check.output}`)
  for (const [name, value] of Object.entries(others)) if (value) faults.push(`${name}: ${value}`)
  return {
    faults,
    lost: lost + imported.filter((email) => !found.has(email)).length,
    doubled: doubled + waitlist.length - found.size,
    acknowledged: writers.acknowledged() + imported.length,
    interrupted,
    starts,
  }
}

/** Kills over several databases. */
const killOver = (kind, { rounds, seed, defect }) =>
  inLanes(rounds, killsOfDatabase, (i, kills) =>
    withDatabase({ kind }, (made) =>
      killWriters(made, { rounds: kills, random: createRandom(seed + i), defect }),
    ),
  )

/**
 * Looks at a copy of a SQLite file: the first process that opens the file completes what the killed processes left.
 * @returns what is wrong
 */
async function checkCrashed(folder, database, history) {
  const crashed = join(folder, 'crashed')
  mkdirSync(crashed)
  const file = join(crashed, 'live.db')
  for (const end of ['', '-wal']) {
    if (existsSync(`${database}${end}`)) copyFileSync(`${database}${end}`, `${file}${end}`)
  }
  try {
    const { projects } = await storedIn(file)
    const wrong = Object.entries(compare(history, projects)).filter(([, value]) => value)
    return wrong.map(([name, value]) => `after the crash ${name}: ${value}`)
  } catch (error) {
    return [error.message]
  } finally {
    rmSync(crashed, { recursive: true })
  }
}

const drillOver = (kind, database, more) => ({
  name: `killed-writers-${kind}`,
  promise: `A killed process loses no acknowledged write, and doubles none (${database}).`,
  fault:
    'SIGKILL of the service under 12 clients that write, beside a command that imports and in half of the rounds is killed too',
  target: `0 lost, 0 doubled, \`database check\` finds nothing, ready within ${readyMs / 1000} s (half of the starts; each by its processor time, since others use the machine)`,
  rounds: 300,
  quickRounds: 6,
  ...more,
  async run({ rounds, seed, isQuick }) {
    const { faults, lost, doubled, starts, ...counts } = await killOver(kind, { rounds, seed })
    const ascending = (name) => starts.map((start) => start[name]).toSorted((a, b) => a - b)
    const half = ascending('tookMs')[starts.length >> 1]
    const longest = ascending('tookMs').at(-1)
    const cpu = ascending('cpuMs').at(-1)
    if (half > readyMs * (isQuick ? busyFactor : 1)) faults.push(`half of the starts took ${half} ms`)
    if (cpu > readyMs) faults.push(`a start took ${cpu} ms of processor time`)
    if (lost + doubled > 0) faults.push(`${lost} lost, ${doubled} doubled`)
    const seconds = (ms) => (ms / 1000).toFixed(2)
    const ready = `half of the starts ready within ${seconds(half)} s, all within ${seconds(longest)} s (${seconds(cpu)} s of processor time)`
    const writes = `${lost} lost, ${doubled} doubled of ${counts.acknowledged.toLocaleString('en')}`
    return { figure: `${writes} in ${rounds} kills; ${ready}`, faults, lost, doubled, ...counts }
  },
  async control({ seed }) {
    const { lost } = await killOver(kind, { rounds: 3, seed, defect: 'early' })
    return { isCaught: lost > 0, figure: `acknowledging before the commit loses ${lost} writes in 3 kills` }
  },
})

export const killedOverSqlite = drillOver('sqlite', 'SQLite')
export const killedOverPostgres = drillOver('postgres', 'PostgreSQL', { needsPostgres: true })
