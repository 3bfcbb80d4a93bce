// Runs a drill in a separate process group, so that nothing of it is left, however it ends.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const script = new URL('run-drill.js', import.meta.url)

/** How long an aborted drill may take to end its processes, in ms. */
const endMs = 5_000

/**
 * Starts a drill.
 * @param options.timeLimitMs the drill fails if it takes longer
 * @param options.env additions to the environment of its process
 * @returns `result`, which resolves with its `figure`, its `faults`, and `control`, the figures of its controls; and `abort()`,
 *   which ends it
 */
export function startDrill({ name }, { timeLimitMs, env = {}, ...options }) {
  const folder = mkdtempSync(join(tmpdir(), `drill-${name}-`))
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755)
  const child = fork(script, [name, JSON.stringify(options)], {
    env: { ...process.env, ...env, TMPDIR: folder },
    // A new process group, which includes all processes that the drill starts.
    detached: true,
    silent: true,
  })
  let result
  let output = ''
  child.once('message', (message) => {
    result = message
  })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output = `${output}${text}`.slice(-2_000)
    })
  const exit = once(child, 'exit')
  const abort = async () => {
    child.kill('SIGTERM')
    await Promise.race([exit, sleep(endMs, undefined, { ref: false })])
    killGroup(child.pid)
    await exit
  }
  const run = async () => {
    const timer = setTimeout(() => {
      result ??= { faults: [`it did not end within ${timeLimitMs / 1000} s`] }
      void abort()
    }, timeLimitMs)
    const [code] = await exit
    clearTimeout(timer)
    killGroup(child.pid)
    remove(folder)
    return result ?? { faults: [`its process ended with ${code}: ${output}`] }
  }
  return { result: run(), abort }
}

function killGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    // The group has ended already.
    if (error.code !== 'ESRCH') throw error
  }
}

/** Unmounts the disks in a folder, and removes it. */
function remove(folder) {
  const mounts = process.platform === 'linux' ? readFileSync('/proc/mounts', 'utf8').split('\n') : []
  for (const [, target] of mounts.map((line) => line.split(' ')))
    if (target?.startsWith(`${folder}/`)) execFileSync('umount', ['-l', target])
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
