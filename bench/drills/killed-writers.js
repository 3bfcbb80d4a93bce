import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { median } from '../speed/statistics.js'
import { compare, wrongIn } from './compare.js'
import { overBoth, waitUntil, withDatabase } from './database.js'
import { inLanes } from './in-lanes.js'
import { killAgain } from './kill-again.js'
import { startCommand } from './processes.js'
import { storedIn } from './stored.js'

/** How long the service may take to be ready again after its start, in ms, and how long it is waited for. */
const [readyMs, settleMs] = [2_000, 20_000]
/** After so many kills a new database is begun, so that its checks stay short. */
const killsOfDatabase = 25
/** How many addresses a command imports. */
const addresses = 2_000

/** Kills the service, beside a command that writes and in half of the rounds is killed too. */
async function killWriters({ folder, database, postgres, startNode }, { rounds, random, defect }) {
  // A flag takes no password.
  const env = { DASHBOARD_API_DATABASE: database }
  const imported = []
  const starts = []
  const late = []
  /** The command of the round. */
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
      // Most of the command's time is its start.
      await sleep(100 + random.below(500))
      await Promise.all([node.kill(), isKilled && command.kill()])
      return isKilled && !postgres ? checkCrashed(folder, database, history) : []
    },
  })
  const { projects, waitlist } = await storedIn(database)
  const found = new Set(waitlist.map(({ email }) => email))
  const { lost, doubled, ...others } = compare(history, projects)
  const check = await startCommand(['database', 'check'], env).ended
  if (check.code !== 0) faults.push(`database check: ${check.output}`)
  return {
    kills,
    faults: [...faults, ...late, ...wrongIn(others)],
    lost: lost + imported.filter((email) => !found.has(email)).length,
    doubled: doubled + waitlist.length - found.size,
    acknowledged: acknowledged + imported.length,
    starts,
  }
}

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
    return wrongIn(compare(history, projects)).map((fault) => `after the crash ${fault}`)
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
    'SIGKILL of the service under 12 clients that write, beside a command that imports and in half of the rounds is killed too',
  target: `0 lost, 0 doubled, \`database check\` finds nothing, ready within ${readyMs / 1000} s (half of the starts; each by its processor time, since others use the machine)`,
  rounds: 300,
  quickRounds: 3,
  async make({ kind, rounds, seed, defect }) {
    const { starts, ...counts } = await inLanes(rounds, killsOfDatabase, (i, kills) =>
      withDatabase({ kind }, (made) =>
        killWriters(made, { rounds: kills, random: createRandom(seed + i), defect }),
      ),
    )
    const startCpuMs = Math.max(...starts.map(({ cpuMs }) => cpuMs))
    return { ...counts, readyMs: median(starts.map(({ tookMs }) => tookMs)), startCpuMs }
  },
  none: { lost: 'lost', doubled: 'doubled' },
  some: { acknowledged: 'writes', kills: 'kills' },
  limits: { readyMs, startCpuMs: readyMs },
  controls: [
    { fault: 'A node that acknowledges before the commit', rounds: 3, defect: 'early', caught: ['lost'] },
  ],
})
