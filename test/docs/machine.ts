import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../bench/free-port.js'
import { bin, cleanEnv } from '../cli/cli-process.js'
import { createServiceManager } from './service-manager.js'
import { startShell } from './start-shell.js'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const { name: packageName, peerDependencies } = JSON.parse(
  readFileSync(join(repository, 'package.json'), 'utf8'),
)

/** A program that is replaced: gets its arguments, and returns its output. */
export type StandIn = (args: string[]) => string | Promise<string>

export type MachineOptions = {
  /** Texts of the pages, such as host names, with what stands for them here. */
  replacements?: readonly (readonly [string, string])[]
  env?: Record<string, string>
  /** Programs in place of the real ones, beside those of the machine itself. */
  standIns?: Record<string, StandIn>
}

export type Machine = Awaited<ReturnType<typeof createMachine>>

/**
 * Creates a folder that stands for the root of a machine, with a shell. Its programs are the real ones, except those
 * that would change this machine or need another one.
 */
export async function createMachine({ replacements = [], env = {}, standIns = {} }: MachineOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'machine-'))
  const create = (path: string): string => {
    mkdirSync(join(root, path), { recursive: true })
    return join(root, path)
  }
  const home = create('home')
  // The progress that it would not show on a terminal.
  writeFileSync(join(home, '.curlrc'), 'silent\nshow-error\n')
  const run = create('run')
  const units = create('etc/systemd/system')
  const programs = create('usr/local/bin')
  const modules = create('usr/local/lib/node_modules')
  for (const path of ['run/secrets', 'var/lib', 'var/backups']) create(path)

  const port = await freePort()
  const metricsPort = await freePort()
  /** Makes commands, or a file, of a page those of this machine. */
  const rewrite = (commands: string): string =>
    replacements
      .reduce((all, [from, to]) => all.replaceAll(from, to), commands)
      .replaceAll('https://api.example.com', `http://127.0.0.1:${port}`)
      .replace(/(?<![\w.])\/(?=(etc|run|usr\/local|var)\/)/g, `${root}/`)
      .replace(/\b8080\b/g, `${port}`)
      .replace(/\b9090\b/g, `${metricsPort}`)

  const userFile = join(run, 'users')
  writeFileSync(userFile, '')
  const hasUser = (name: string) => readFileSync(userFile, 'utf8').split('\n').includes(name)

  const realPath = process.env.PATH ?? ''
  const settings = { PATH: `${programs}:${realPath}`, DASHBOARD_API_PORT: `${port}` }
  const services = createServiceManager({ units, run, rewrite, env: settings, hasUser })

  function installProgram(name: string, script: string): void {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }

  /** `npm install --global` of this package puts its executable on the path. */
  function npm([verb, flag, ...names]: string[]): string {
    if (flag !== '--global') throw new Error('npm is known here for global packages alone')
    if (verb === 'root') return `${modules}\n`
    if (verb !== 'install') throw new Error(`npm ${verb} is not known here`)
    const unknown = names.filter((name) => name !== packageName && !(name in peerDependencies))
    if (unknown.length > 0) throw new Error(`${unknown.join(' ')}: neither this package nor a peer of it`)
    rmSync(join(modules, packageName), { force: true })
    symlinkSync(repository, join(modules, packageName))
    const announce = `[ -z "\${FOREGROUND-}" ] || [ "$1" != serve ] || echo $$ >"$FOREGROUND"`
    installProgram(packageName, `${announce}\nexec "${process.execPath}" "${bin}" "$@"`)
    return `added ${names.length} packages\n`
  }

  function useradd(args: string[]): string {
    const name = args.at(-1) ?? ''
    if (hasUser(name)) throw new Error(`the user ${name} exists already`)
    appendFileSync(userFile, `${name}\n`)
    return ''
  }

  /** The log of a unit, with what the service writes before it responds to another request. */
  async function journalctl([flag, unit = '', ...args]: string[]): Promise<string> {
    if (flag !== '-u' || args.join(' ') !== '-o cat')
      throw new Error('journalctl is known here as -u UNIT -o cat')
    await fetch(`http://127.0.0.1:${port}/healthz`)
    return services.logFrom(unit)
  }

  const known: Record<string, StandIn> = {
    npm,
    useradd,
    journalctl,
    systemctl: services.control,
    ...standIns,
  }
  const control = createServer(async (request, response) => {
    const args = (await text(request)).split('\n').slice(0, -1)
    const name = request.url?.slice(1) ?? ''
    try {
      response.end(await known[name]?.(args))
    } catch (error) {
      response.writeHead(500).end(`${name}: ${error instanceof Error ? error.message : error}\n`)
    }
  })
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
  const controlUrl = `http://127.0.0.1:${(control.address() as AddressInfo).port}`
  for (const name of Object.keys(known)) {
    const request = `curl --silent --show-error --fail-with-body --data-binary @- ${controlUrl}/${name}`
    installProgram(name, `for argument do printf '%s\\n' "$argument"; done | ${request}`)
  }
  // Runs the command as the user of this process, if the other one was made.
  const isUser = (name: string) => `grep -qx -- "${name}" ${userFile}`
  installProgram('runuser', `[ "$1" = -u ] && ${isUser('$2')} && [ "$3" = -- ] && shift 3 && exec "$@"`)
  // Without "-o USER", if that user was made.
  installProgram(
    'install',
    `n=$#
    while [ $n -gt 0 ]; do
      if [ "$1" = -o ]; then ${isUser('$2')} || exit 1; shift 2; n=$((n - 2))
      else set -- "$@" "$1"; shift; n=$((n - 1)); fi
    done
    PATH='${realPath}' exec install "$@"`,
  )

  const shell = startShell({
    cwd: home,
    folder: run,
    env: { ...(cleanEnv({ HOME: home, ...env, ...settings }) as Record<string, string>) },
  })

  return {
    root,
    url: `http://127.0.0.1:${port}`,
    rewrite,
    services,
    /** Runs commands of a page. @returns what they wrote. @throws if one failed */
    run: (commands: string, shown: readonly string[] = []) =>
      shell.run(rewrite(commands), shown.map(rewrite)),
    async close() {
      await shell.close()
      await services.close()
      control.closeAllConnections()
      control.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
