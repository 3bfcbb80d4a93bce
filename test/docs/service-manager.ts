import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseEnvironment, parseUnit, type Unit, wordsOf } from './unit-file.js'

export type ServiceManagerOptions = {
  /** The folder of the units, and of what the manager itself writes. */
  units: string
  run: string
  /** Makes an absolute path one of the folder that stands for the root. */
  rewrite(text: string): string
  /** What every service gets beside the variables of its unit. */
  env: Record<string, string>
  hasUser(name: string): boolean
}

/**
 * Stands for systemd: starts the processes of units with their environment, credentials and state directory.
 * It does not change the user, confine a process, or restart one that failed.
 */
export function createServiceManager({ units, run, rewrite, env, hasUser }: ServiceManagerOptions) {
  const processes = new Map<string, ChildProcess>()

  const fileOf = (name: string) => (/\.\w+$/.test(name) ? name : `${name}.service`)
  const logOf = (name: string) => join(run, `${fileOf(name)}.log`)

  function read(name: string): Unit {
    const file = join(units, fileOf(name))
    const dropIns = existsSync(`${file}.d`) ? readdirSync(`${file}.d`).sort() : []
    const files = [file, ...dropIns.map((dropIn) => join(`${file}.d`, dropIn))]
    return parseUnit(...files.map((each) => rewrite(readFileSync(each, 'utf8'))))
  }

  /** The folder of the service's credentials, which are copied when it starts. */
  function loadCredentials(name: string, unit: Unit): string {
    const folder = join(run, 'credentials', fileOf(name))
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const credential of unit.get('Service.LoadCredential') ?? []) {
      const [id = '', path = ''] = credential.split(/:(.*)/s)
      copyFileSync(path, join(folder, id))
    }
    return folder
  }

  /** Variables of the unit, which those of its files override. */
  function environmentOf(unit: Unit): Record<string, string> {
    const assigned = (unit.get('Service.Environment') ?? []).flatMap(wordsOf).join('\n')
    const files = (unit.get('Service.EnvironmentFile') ?? []).map((file) => readFileSync(file, 'utf8'))
    return Object.assign({}, ...[assigned, ...files].map(parseEnvironment))
  }

  async function start(name: string): Promise<void> {
    if (isRunning(name)) return
    const unit = read(name)
    const triggered = unit.get('Timer.OnCalendar') && fileOf(name).replace(/timer$/, 'service')
    if (triggered) return void read(triggered)
    const [user = 'root'] = unit.get('Service.User') ?? []
    if (user !== 'root' && !hasUser(user)) throw new Error(`${name}: there is no user ${user}`)
    for (const directory of unit.get('Service.StateDirectory') ?? []) {
      mkdirSync(rewrite(`/var/lib/${directory}`), { recursive: true, mode: 0o700 })
    }
    const credentials = loadCredentials(name, unit)
    const specifiers: Record<string, string> = { '%%': '%', '%d': credentials }
    const expand = (value: string) =>
      value.replace(/%./g, (each) => {
        if (specifiers[each] === undefined) throw new Error(`${each} is no specifier that is known here`)
        return specifiers[each]
      })
    const variables = Object.entries(environmentOf(unit)).map(([key, value]) => [key, expand(value)])
    const [umask = '0022'] = unit.get('Service.UMask') ?? []
    const [command = ''] = unit.get('Service.ExecStart') ?? []
    const log = openSync(logOf(name), 'a')
    const child = spawn('/bin/sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', ...wordsOf(expand(command))], {
      cwd: '/',
      env: { ...env, ...Object.fromEntries(variables) },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    processes.set(name, child)
    if (unit.get('Service.Type')?.at(-1) !== 'oneshot') return
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${logFrom(name)}`)
  }

  function isRunning(name: string): boolean {
    const child = processes.get(name)
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  async function stop(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = processes.get(name)
    if (!child || !isRunning(name)) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  const logFrom = (name: string) => (existsSync(logOf(name)) ? readFileSync(logOf(name), 'utf8') : '')

  return {
    /** What services have written. */
    logFrom,
    /** `systemctl` with these arguments. @returns its output */
    async control([verb, ...args]: string[]): Promise<string> {
      const now = args[0] === '--now'
      const names = args.slice(Number(now))
      for (const name of names) {
        if (verb === 'enable' && !read(name).has('Install.WantedBy')) {
          throw new Error(`${name} has no [Install]`)
        }
        if (verb === 'stop' || verb === 'restart') await stop(name)
        if (verb === 'start' || verb === 'restart' || (verb === 'enable' && now)) await start(name)
      }
      if (verb === 'status') return `Active: ${names.every(isRunning) ? 'active (running)' : 'inactive'}\n`
      if (!['enable', 'start', 'stop', 'restart', 'daemon-reload'].includes(verb ?? '')) {
        throw new Error(`${verb} is not known here`)
      }
      return ''
    },
    async close() {
      for (const name of processes.keys()) await stop(name, 'SIGKILL')
    },
  }
}
