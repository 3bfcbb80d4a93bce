// The nodes of a drill: the built service as processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.js'
import { secret } from '../speed/dataset.js'
import { cpuMs } from './process-figures.js'

export const executable = fileURLToPath(new URL('../../bin/dashboard-api.js', import.meta.url))

/** How long a request waits for the database in a drill, in ms: shorter than the default, so that drills take less time. */
export const databaseTimeoutMs = 2_000

const settings = {
  DASHBOARD_API_SESSION_SECRET: secret,
  DASHBOARD_API_DATABASE_TIMEOUT: `${databaseTimeoutMs / 1000}s`,
  DASHBOARD_API_MAX_PROJECTS_PER_TEAM: '100000',
  DASHBOARD_API_MAX_CONNECTIONS: '10000',
  DASHBOARD_API_LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
}

const children = new Set()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Kills a child process when this process exits. */
export function endWithThis(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** The environment of a process of a drill, without the settings of the user's shell. */
const environment = (env) => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(DASHBOARD_API_|PG)/.test(name))
  return { ...Object.fromEntries(inherited), ...settings, ...env }
}

/** Starts a program, which is killed when this process exits. */
function run(program, args, { env } = {}) {
  const stdio = ['ignore', 'pipe', 'pipe']
  const child = endWithThis(spawn(program, args, { env: environment(env), stdio }))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = `${output}${text}`.slice(-1_000_000)
    })
  }
  const exit = once(child, 'close').then(([code]) => code)
  const end = (signal) => {
    child.kill(signal)
    return exit
  }
  return { child, exit, output: () => output, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

/**
 * Starts a command of the executable.
 * @returns `kill()`, and `ended`, which resolves with the exit code (null after a kill) and the output
 */
export function startCommand(args, env) {
  const { exit, output, kill } = run(process.execPath, [executable, ...args], { env })
  return { kill, ended: exit.then((code) => ({ code, output: output() })) }
}

/**
 * Starts a node of the service, and resolves when it listens.
 * @param options.database the address of the database, which may have a password
 * @param options.program the executable of another release
 * @param options.defect a defect of `defects.js`
 * @param options.preload a module in this folder that the node imports first, or a list; of several, the last receives a request first
 */
export const startNode = async ({ database, port, env, program, defect, preload }) =>
  startServer(['serve', '--port', String(port ?? (await freePort())), '--json'], {
    program,
    preload: [defect && 'defects.js', preload].flat(),
    env: {
      DASHBOARD_API_DATABASE: database,
      ...(defect && { DRILL_DEFECT: defect, DRILL_DATABASE: database }),
      ...env,
    },
  })

/** Starts a command of the executable, and resolves when it listens. */
export function startServer(args, { program = executable, preload = [], env } = {}) {
  const modules = [preload].flat().filter(Boolean)
  const imports = modules.map((name) => `--import=${new URL(name, import.meta.url)}`)
  return startProgram(process.execPath, [...imports, program, ...args], { env })
}

/** Starts a server that prints its `url` as JSON, and resolves when it listens. */
export async function startProgram(program, args, options) {
  const { child, exit, output, kill, stop } = run(program, args, options)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  let url
  while (!url) {
    await Promise.race([once(child.stdout, 'data'), exit])
    url = /"url":"(http[^"]+)"/.exec(output())?.[1]
    if (!url && !isRunning()) throw new Error(`It ended at its start: ${output()}`)
  }
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    isRunning,
    /** Resolves with the exit code. */
    ended: exit,
    kill,
    stop,
    log: output,
    /** The processor time used so far, in ms; undefined where the system does not report it. */
    cpuMs: () => (process.platform === 'linux' ? cpuMs(child.pid) : undefined),
  }
}
