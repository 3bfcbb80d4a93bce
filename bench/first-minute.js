// A newcomer's first minute (`npm run bench:first-minute`): how long a clone takes, `npm ci`, the first answer of `npm run dev`,
// and that of a second start. `-- COMMIT ...` measures other commits too, in turn; by default the last one. npm's cache is used.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from './free-port.js'

const { positionals } = parseArgs({ allowPositionals: true })
const folder = mkdtempSync(join(tmpdir(), 'dashboard-api-first-minute-'))

/** Runs a step. @returns its seconds */
async function timed(step) {
  const started = performance.now()
  await step()
  return (performance.now() - started) / 1000
}

const run = (cwd, program, ...args) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

/** Starts `npm run dev` until it answers, and ends it. @returns the seconds until the answer */
async function firstAnswer(checkout) {
  const port = await freePort()
  const args = ['run', 'dev', '--', '--strict-port', '--port', String(port)]
  // A group of its own: npm does not pass on every signal.
  const dev = spawn('npm', args, { cwd: checkout, stdio: 'ignore', detached: true })
  const exit = once(dev, 'exit')
  const isAnswered = () => fetch(`http://127.0.0.1:${port}/v1/projects`).then(Boolean, () => false)
  try {
    return await timed(async () => {
      while (!(await isAnswered())) {
        if (dev.exitCode !== null) throw new Error(`npm run dev exited with ${dev.exitCode}`)
        await setTimeout(20)
      }
    })
  } finally {
    process.kill(-dev.pid)
    await exit
  }
}

try {
  const rows = {}
  for (const commit of positionals.length > 0 ? positionals : ['HEAD']) {
    const id = execFileSync('git', ['rev-parse', '--short', commit], { encoding: 'utf8' }).trim()
    const checkout = join(folder, id)
    const clone = await timed(async () => {
      run('.', 'git', 'clone', '--quiet', '--no-hardlinks', '.', checkout)
      run(checkout, 'git', 'checkout', '--quiet', id)
    })
    const install = await timed(async () => run(checkout, 'npm', 'ci', '--no-audit', '--no-fund', '--silent'))
    const [first, second] = [await firstAnswer(checkout), await firstAnswer(checkout)]
    const installed = readFileSync(join(checkout, 'node_modules/.package-lock.json'), 'utf8')
    const packages = Object.keys(JSON.parse(installed).packages).length
    const size = execFileSync('du', ['-sm', 'node_modules'], { cwd: checkout, encoding: 'utf8' })
    rows[id] = { clone, install, first, second, packages, MB: Number(size.split('\t')[0]) }
    for (const [step, value] of Object.entries(rows[id])) rows[id][step] = Number(value.toFixed(1))
  }
  console.table(rows)
  console.log(`Seconds, packages and megabytes of node_modules. Load average: ${loadavg()[0].toFixed(1)}.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
