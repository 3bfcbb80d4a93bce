// The nodes of a drill: the built service as processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { secret } from '../speed/dataset.js'

const executable = fileURLToPath(new URL('../../bin/dashboard-api.js', import.meta.url))

/** How long a request waits for the database in a drill, in ms: a shorter time than the default shows what exceeds it. */
export const databaseTimeoutMs = 2_000

const settings = {
  DASHBOARD_API_SESSION_SECRET: secret,
  DASHBOARD_API_DATABASE_TIMEOUT: `${databaseTimeoutMs / 1000}s`,
  DASHBOARD_API_MAX_PROJECTS_PER_TEAM: '100000',
  DASHBOARD_API_MAX_CONNECTIONS_PER_ADDRESS: '1000',
  DASHBOARD_API_LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
}

const children = new Set()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Ends a process with this one, if it did not end before. */
export function endWithThis(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/**
 * Starts a node of the service, and resolves when it listens.
 * @param options.database its address, which may have a password
 * @param options.program another release of the executable
 */
export async function startNode({ database, port, env, program = executable }) {
  const own = Object.entries(process.env).filter(([name]) => !/^(DASHBOARD_API_|PG)/.test(name))
  const child = endWithThis(
    spawn(process.execPath, [program, 'serve', '--port', String(port ?? 0), '--json'], {
      env: { ...Object.fromEntries(own), ...settings, DASHBOARD_API_DATABASE: database, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = `${output}${text}`.slice(-1_000_000)
    })
  }
  const exit = once(child, 'exit')
  const end = async (signal) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exit
    return child.exitCode
  }
  for (;;) {
    const url = /"url":"(http[^"]+)"/.exec(output)?.[1]
    if (url)
      return {
        url,
        port: Number(new URL(url).port),
        kill: () => end('SIGKILL'),
        stop: () => end('SIGTERM'),
        log: () => output,
      }
    const hasEnded = await Promise.race([once(child.stdout, 'data').then(() => false), exit.then(() => true)])
    if (hasEnded) throw new Error(`The node ended at its start: ${output}`)
  }
}
