import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../bench/free-port.js'
import { bin, cleanEnv } from '../cli/cli-process.js'
import { createServiceManager } from './service-manager.js'
import { installStandIns, type StandIn, writeProgram } from './stand-ins.js'
import { startShell } from './start-shell.js'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const { name: packageName, peerDependencies } = JSON.parse(
  readFileSync(join(repository, 'package.json'), 'utf8'),
)

/** Why a program cannot be used; undefined where it is installed. */
export const notInstalled = (program: string): string | undefined =>
  spawnSync(program, ['--version']).error && `${program} is not installed`

/** Why the commands of pages cannot be run here. */
export const noMachine = notInstalled('curl') ?? notInstalled('install')

export type MachineOptions = {
  /** Texts of the pages, such as host names, with what stands for them here. */
  replacements?: readonly (readonly [string, string])[]
  env?: Record<string, string>
  /** Programs in place of the real ones, beside those of every machine. */
  standIns?: Record<string, StandIn>
}

export type Machine = Awaited<ReturnType<typeof createMachine>>

/**
 * Creates a folder that stands for the root of a machine, with a shell. Its programs are the real ones, except those
 * that would change this machine, need its root, or download.
 */
export async function createMachine({ replacements = [], env = {}, standIns = {} }: MachineOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'machine-'))
  const create = (path: string): string => {
    mkdirSync(join(root, path), { recursive: true })
    return join(root, path)
  }
  const home = create('home')
  const run = create('run')
  const units = create('etc/systemd/system')
  const programs = create('usr/local/bin')
  const modules = create('usr/local/lib/node_modules')
  create('var/lib')
  create('var/backups')
  // On a terminal curl shows no progress.
  writeFileSync(join(home, '.curlrc'), 'silent\nshow-error\n')

  const ports = { '8080': await freePort(), '9090': await freePort(), '4010': await freePort() }
  const url = `http://127.0.0.1:${ports['8080']}`
  const mockUrl = `http://127.0.0.1:${ports['4010']}`
  /** Replaces the paths, ports and names of a page, or of a file, with those of this machine. */
  const rewrite = (page: string): string =>
    replacements
      .reduce((all, [from, to]) => all.replaceAll(from, to), page.replaceAll(root, ''))
      .replaceAll('https://api.example.com', url)
      .replace(/(?<![\w.])\/(?=(etc|run|usr\/local|var)\/)/g, `${root}/`)
      .replace(/\b(8080|9090|4010)\b/g, (port) => `${ports[port as keyof typeof ports]}`)

  const realPath = process.env.PATH ?? ''
  const settings = { PATH: `${programs}:${realPath}`, DASHBOARD_API_PORT: `${ports['8080']}` }
  const users = join(run, 'users')
  writeFileSync(users, '')
  const hasUser = (name: string) => readFileSync(users, 'utf8').split('\n').includes(name)
  const services = createServiceManager({ units, run, rewrite, env: settings, hasUser })

  const removeStandIns = await installStandIns(programs, {
    /** Downloads nothing: the executable of this package is on the path afterwards. */
    npm([verb, flag, ...names]) {
      if (flag !== '--global') throw new Error('it is known here for global packages alone')
      if (verb === 'root') return `${modules}\n`
      if (verb === 'prefix') return `${root}/usr/local\n`
      if (verb !== 'install') throw new Error(`${verb} is not known here`)
      const unknown = names.filter((name) => name !== packageName && !(name in peerDependencies))
      if (unknown.length > 0) throw new Error(`${unknown.join(' ')}: neither this package nor a peer of it`)
      rmSync(join(modules, packageName), { force: true })
      symlinkSync(repository, join(modules, packageName))
      const announce = `[ -z "\${FOREGROUND-}" ] || [ "$1" != serve ] || echo $$ >"$FOREGROUND"`
      writeProgram(programs, packageName, `${announce}\nexec "${process.execPath}" "${bin}" "$@"`)
      return `added ${names.length} packages\n`
    },
    /** Makes a user that exists for this machine alone. */
    useradd(args) {
      const name = args.at(-1) ?? ''
      if (hasUser(name)) throw new Error(`the user ${name} exists already`)
      appendFileSync(users, `${name}\n`)
      return ''
    },
    systemctl: services.control,
    /** Prints the log of a unit, with what the service writes before it responds to another request. */
    async journalctl(args) {
      const [, unit] = /^-u (\S+) -o cat$/.exec(args.join(' ')) ?? []
      if (unit === undefined) throw new Error('it is known here as -u UNIT -o cat')
      await fetch(`${url}/healthz`)
      return services.logFrom(unit)
    },
    ...standIns,
  })
  // Runs what is installed, without looking for it in the registry.
  writeProgram(programs, 'npx', 'exec "$@"')
  const isUser = (name: string) => `grep -qx -- "${name}" '${users}'`
  // Runs the command as the user of this process, if the other one was made.
  writeProgram(
    programs,
    'runuser',
    `[ "$1" = -u ] && ${isUser('$2')} && [ "$3" = -- ] && shift 3 && exec "$@"`,
  )
  // Drops "-o USER", if that user was made.
  writeProgram(
    programs,
    'install',
    `n=$#
    while [ $n -gt 0 ]; do
      if [ "$1" = -o ]; then ${isUser('$2')} || exit 1; shift 2; n=$((n - 2))
      else set -- "$@" "$1"; shift; n=$((n - 1)); fi
    done
    PATH='${realPath}' exec install "$@"`,
  )

  const shell = startShell({ cwd: home, folder: run, env: cleanEnv({ HOME: home, ...env, ...settings }) })

  return {
    rewrite,
    /** Runs commands of a page. @returns what they wrote. @throws if one failed */
    run: (commands: string, shown: readonly string[] = []) =>
      shell.run(rewrite(commands), shown.map(rewrite)),
    /** Starts the mock, which pages expect at port 4010. */
    async startMock(): Promise<void> {
      const command = '/usr/local/bin/dashboard-api dev --strict-port --port 4010 --json'
      writeFileSync(join(units, 'mock.service'), `[Service]\nExecStart=${command}\n`)
      await services.control(['start', 'mock'])
      await shell.run(`export DASHBOARD_API_URL=${mockUrl}`)
      await shell.run(`curl --retry 9 --retry-connrefused ${mockUrl}/v1/projects`)
    },
    async close() {
      await shell.close()
      await services.close()
      removeStandIns()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
