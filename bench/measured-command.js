// Runs commands of the command line, and prints how long each took, and its peak memory.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../bin/dashboard-api.js', import.meta.url))

// Each command prints its peak memory in KiB when it exits.
const peak = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))`
const hook = `data:text/javascript,${encodeURIComponent(peak)}`

/**
 * Runs a command, and prints its time and its memory.
 * @param options.env of the command, beside that of this process
 * @param options.reference the seconds of a command to compare it with
 * @returns seconds
 */
export function measure(label, args, { env = {}, reference } = {}) {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, bin, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (status !== 0) throw new Error(`${label} exited with ${status}: ${stderr}`)
  const seconds = (performance.now() - started) / 1000
  const mib = Number(stderr.match(/peak (\d+)/)[1]) / 1024
  const ratio = reference ? `  ${(reference / seconds).toFixed(2)} times as fast as the seeding` : ''
  console.log(
    `${label.padEnd(44)}${seconds.toFixed(1).padStart(8)} s${mib.toFixed(0).padStart(7)} MiB${ratio}`,
  )
  return seconds
}
