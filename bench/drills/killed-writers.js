import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { median } from '../speed/statistics.js'
import { compare, problemsIn } from './compare.js'
import { overBoth, waitUntil, withDatabase } from './database.js'
import { inLanes } from './in-lanes.js'
import { killAgain } from './kill-again.js'
import { startCommand } from './processes.js'
import { readRecords } from './records.js'

/** How long the service may take to become ready, and after how long the drill gives up, in ms. */
const [readyMs, settleMs] = [2_000, 20_000]
/** Starts with a new database after this many kills, so that its checks stay fast. */
const killsOfDatabase = 25
const addresses = 2_000

/** Kills the service while a command writes too. In half of the rounds the command is killed as well. */
async function killWriters({ folder, database, postgres, startNode }, { rounds, random, defect }) {
  // In the environment, since `--database` takes no password.
  const env = { DASHBOARD_API_DATABASE: database }
  const imported = []
  const starts = []
  const late = []
  let command
  const { faults, history, acknowledged, kills } = await killAgain({
    rounds,
    async start(port) {
      const began = performance.now()
      const node = await startNode({ defect, port })
      if (!command) return node
      const isReady = async () => (await fetch(new URL('/readyz', node.url))).ok
      if ((await waitUntil(isReady, settleMs)) === undefined) late.push('it is not ready')
      const tookMs = performance.now() - began
      starts.push({ tookMs, cpuMs: node.cpuMs() ?? tookMs })
      const { code, output } = await command.ended
      if (code === 0) imported.push(...command.emails)
      else if (!command.isKilled) late.push(`the command ended with ${code}: ${output}`)
      return node
    },
    async kill(node, history, round) {
      const emails = Array.from({ length: addresses }, (_, i) => `import-${round}-${i}@example.com`)
      const file = join(folder, `import-${round}.csv`)
      writeFileSync(file, ['email', ...emails].join('\n'))
      const isKilled = random.chance(0.5)
      command = { ...startCommand(['waitlist', 'import', file], env), emails, isKilled }
      // The command needs most of its time to start.
      await sleep(100 + random.below(500))
      await Promise.all([node.kill(), isKilled && command.kill()])
      return isKilled && !postgres ? checkCrashed(folder, database, history) : []
    },
  })
  const { projects, waitlist } = await readRecords(database)
  const found = new Set(waitlist.map(({ email }) => email))
  const { lost, doubled, ...others } = compare(history, projects)
  const check = await startCommand(['database', 'check'], env).ended
  if (check.code !== 0) faults.push(`database check: ${check.output}`)
  return {
    kills,
    faults: [...faults, ...late, ...problemsIn(others)],
    lost: lost + imported.filter((email) => !found.has(email)).length,
    doubled: doubled + waitlist.length - found.size,
    acknowledged: acknowledged + imported.length,
    starts,
  }
}

/**
 * Checks a copy of a SQLite file. A copy, since the first process that opens the file recovers it.
 * @returns the problems
 */
async function checkCrashed(folder, database, history) {
  const crashed = join(folder, 'crashed')
  mkdirSync(crashed)
  const file = join(crashed, 'live.db')
  for (const end of ['', '-wal']) {
    if (existsSync(`${database}${end}`)) copyFileSync(`${database}${end}`, `${file}${end}`)
  }
  try {
    const { projects } = await readRecords(file)
    return problemsIn(compare(history, projects)).map((fault) => `after the crash ${fault}`)
  } catch (error) {
    return [error.message]
  } finally {
    rmSync(crashed, { recursive: true })
  }
}

export const killedWriters = overBoth({
  name: 'killed-writers',
  promise: 'A killed process loses no acknowledged write, and doubles none ({database}).',
  fault:
    'SIGKILL of the service while 12 clients write and a command imports; in half of the rounds the command is killed too',
  target: `0 lost, 0 doubled, \`database check\` finds nothing; half of the starts are ready within ${readyMs / 1000} s, and none needs more processor time`,
  rounds: 300,
  quickRounds: 3,
  async run({ kind, rounds, seed, defect }) {
    const { starts, ...counts } = await inLanes(rounds, killsOfDatabase, (i, kills) =>
      withDatabase({ kind }, (made) =>
        killWriters(made, { rounds: kills, random: createRandom(seed + i), defect }),
      ),
    )
    const startCpuMs = Math.max(...starts.map(({ cpuMs }) => cpuMs))
    return { ...counts, readyMs: median(starts.map(({ tookMs }) => tookMs)), startCpuMs }
  },
  mustBeZero: { lost: 'lost', doubled: 'doubled' },
  mustNotBeZero: { acknowledged: 'writes', kills: 'kills' },
  limits: { readyMs, startCpuMs: readyMs },
  controls: [
    {
      fault: 'A node that acknowledges before the commit',
      rounds: 3,
      defect: 'earlyResponse',
      caught: ['lost'],
    },
  ],
})
