import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { freePort } from '../../bench/free-port.js'
import { bin, cleanEnv } from '../cli/cli-process.js'

const standIn = resolve('test/docs/stand-in.sh')
const programs = ['dashboard-api', 'npm', 'npx', 'systemctl', 'journalctl']

/** The reason why a program cannot be used; undefined if it is installed. */
export const notInstalled = (program: string): string | undefined =>
  spawnSync(program, ['--version']).error && `${program} is not installed`

/** The reason why the commands of pages cannot be run here. */
export const noShell = notInstalled('curl') ?? notInstalled('install')

/** Replacements for the texts of a page on this machine: paths in a folder, and free ports. */
export async function rewriteForFolder(root: string): Promise<(text: string) => string> {
  const ports: Record<string, number> = {}
  for (const port of ['8080', '9090', '4010']) ports[port] = await freePort()
  return (text) =>
    text
      .replaceAll('https://api.example.com', `http://127.0.0.1:${ports['8080']}`)
      .replace(/(?<![\w.])\/(?=(etc|usr\/local|var)\/)/g, `${root}/`)
      .replace(/\b(8080|9090|4010)\b/g, (port) => `${ports[port]}`)
}

/**
 * Runs the commands of a page in one `sh -eu`: variables, aliases and functions are kept between blocks.
 * @param root the folder that replaces the root of a machine
 * @returns the output of each block; undefined for blocks after a failed command
 */
export async function runBlocks(
  root: string,
  blocks: readonly string[],
  env: Record<string, string> = {},
): Promise<(string | undefined)[]> {
  const [home, path] = [join(root, 'home'), join(root, 'usr/local/bin')]
  for (const folder of [
    home,
    path,
    'etc/systemd/system',
    'usr/local/lib/node_modules',
    'var/lib',
    'var/backups',
  ])
    mkdirSync(resolve(root, folder), { recursive: true })
  for (const program of programs) symlinkSync(standIn, join(path, program))
  symlinkSync(resolve('.'), join(root, 'usr/local/lib/node_modules/dashboard-api'))
  // curl shows progress only where its output is not a terminal: readers do not see it.
  writeFileSync(join(home, '.curlrc'), 'silent\nshow-error\n')
  const end = '--- the end of a block'
  const script = join(root, 'blocks.sh')
  writeFileSync(
    script,
    ["trap 'systemctl stop dashboard-api' EXIT", ...blocks.flatMap((block) => [block, `echo '${end}'`])].join(
      '\n',
    ),
  )
  const settings = { HOME: home, ROOT: root, NODE: process.execPath, BIN: bin }
  const paths = [path, dirname(process.execPath), process.env.PATH].join(':')
  const shell = spawn('/bin/sh', ['-euc', `exec 2>&1; . ${script}`], {
    cwd: home,
    env: cleanEnv({ ...settings, ...env, PATH: paths }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await once(shell, 'close')
  const written = output.split(`${end}\n`)
  if (written.length <= blocks.length) console.error(`A command has failed:\n${written.at(-1)}`)
  return blocks.map((_, i) => (i < written.length - 1 ? written[i] : undefined))
}
