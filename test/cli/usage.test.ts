import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.js'
import { knownVersion as knownPostgresVersion } from '../../src/store/postgres/schema-version.js'
import { knownVersion } from '../../src/store/sqlite/schema-version.js'
import { chunksIn, sourcesOf } from '../package/executable-chunks.js'
import { bin, emptyFolder, run, start, startProcess } from './cli-process.js'

const program = await createProgram()
/** The words of every command and group. */
const pathsOf = (command: Command, path: string[]): string[][] => [
  path,
  ...command.commands.flatMap((each) => pathsOf(each, [...path, each.name()])),
]
const commands = pathsOf(program, [])

/** The packages that a command loads, bundled or not. */
async function packagesOf(args: string[]): Promise<Set<string>> {
  const hook = new URL('./imports-hook.js', import.meta.url).href
  const { code, stderr } = await startProcess(process.execPath, ['--import', hook, bin, ...args]).ended
  expect(code).toBe(0)
  const loaded = [...chunksIn(stderr).flatMap(sourcesOf), ...stderr.split('\n')]
  const names = loaded.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
  return new Set(names.filter((name) => name !== undefined))
}

describe('the command line', () => {
  test.each([['--version'], ['-V'], ['serve', '--version']])(
    'prints the version of the package, the commit and the schema versions for %j',
    async (...args) => {
      const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
      const { stdout, ...ended } = await run(args)
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      const [version, commit, schema, ...rest] = stdout.split('\n')
      expect(version).toBe(manifest.version)
      expect(commit).toMatch(/^commit: (unknown|[0-9a-f]{7,40}(-dirty)?)$/)
      expect(schema).toBe(`schema: SQLite ${knownVersion}, PostgreSQL ${knownPostgresVersion}`)
      expect(rest).toEqual([''])
    },
  )

  test('has help with an example for every command', async () => {
    for (const command of commands) {
      const name = ['dashboard-api', ...command].join(' ')
      const { code, stdout, stderr } = await run([...command, '--help'])
      expect({ code, stderr }, name).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(`Usage: ${name}`)
      if (command.length === 0) continue
      expect(stdout, name).toContain(`\nExamples:\n`)
      expect(stdout).toContain(`  npx ${name}`)
    }
  })

  test('lists all commands on one screen', async () => {
    const { stdout } = await run(['--help'])
    expect(stdout.trimEnd().split('\n').length).toBeLessThan(32)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('names its commands without npx where it is installed globally', async () => {
    const folder = `${emptyFolder()}/lib/node_modules/dashboard-api`
    for (const part of ['bin', 'dist/executable', 'fixtures', 'migrations', 'package.json']) {
      cpSync(new URL(`../../${part}`, import.meta.url), `${folder}/${part}`, { recursive: true })
    }
    mkdirSync(`${folder}/node_modules`)
    for (const name of ['lru-cache']) {
      symlinkSync(
        fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)),
        `${folder}/node_modules/${name}`,
      )
    }
    const runGlobal = (...args: string[]) =>
      startProcess(process.execPath, [`${folder}/bin/dashboard-api.js`, ...args], { cwd: folder }).ended
    const help = await runGlobal('team', 'list', '--help')
    expect(help.stdout).toContain('\n  dashboard-api team list')
    const [unknown, noDriver] = await Promise.all([
      runGlobal('team', 'lost'),
      runGlobal('seed', '--database', 'x.db'),
    ])
    expect(unknown.stderr).toContain('hint: "dashboard-api team --help"')
    expect(noDriver.stderr).toContain('Install it with: npm install --global sqlite3')
    for (const { stdout, stderr } of [help, unknown, noDriver]) expect(stdout + stderr).not.toContain('npx')
  })

  // The commands of a running mock are generated from the schemas of its controls.
  const ofMock = ['mock', 'session', 'state', 'reset', 'undo', 'redo']
  const names = program.commands.map((command) => command.name())
  test.each([
    [['--help'], []],
    [['--version'], []],
    [['completion', 'bash'], ['@bomb.sh/tab']],
    ...names.map((name) => [[name, '--help'], ofMock.includes(name) ? ['zod'] : []]),
  ])('loads only commander for %j, and %j', async (args, others) => {
    const loaded = await packagesOf(args)
    for (const name of others) loaded.delete(name)
    expect(loaded).toEqual(new Set(['commander']))
  })

  test('loads only the packages that a command uses', async () => {
    const folder = emptyFolder()
    const loaded = await packagesOf(['seed', '--database', `${folder}/seeded.db`])
    // sqlite3 is loaded with require(), which the hook does not see.
    expect(loaded).toEqual(new Set(['commander', 'zod', 'lru-cache']))
  })

  test.each([
    [['dve'], /unknown command 'dve'\n\(Did you mean dev\?\)/],
    [['dev', '--prot', '1'], /unknown option '--prot'\n\(Did you mean --port\?\)/],
    [['session', 'isue'], /Did you mean issue\?/],
    [['waitlist', 'add'], /missing required argument 'email'/],
    [['waitlist', 'export', '--format', 'xml'], /Allowed choices are csv, json, ndjson/],
    [['session', 'issue'], /required option '--user <user>' not specified/],
    [['session', 'issue', '--user', 'a@b.example'], /required option '--permissions <list>' not specified/],
    [['session', 'issue', '--user', 'a@b.example', '--ttl', 'soon'], /expected a length of time/i],
    [['session', 'use', 'acme-owner', '--url', 'nowhere'], /Expected an address such as/],
    [['session', 'list', '--url', 'http://127.0.0.1:1'], /unknown option '--url'/],
    [['mock', 'project', 'list', '--database', 'x.db'], /unknown option '--database'/],
    [
      ['dev', '--port', '65536'],
      /^error: --port <number> cannot be "65536"\. Expected a whole number from 0 to 65535\.\nhint: /,
    ],
    [['undo', 'abc'], /^error: \[id\] cannot be "abc"\. Expected a whole number from 1\.\nhint: /],
    [['mock', 'scenario', 'set', 'createProject', '500', '--times', '0'], /whole number from 1/],
    [['mock', 'log', '--curl', '1', '--follow'], /cannot be used with/],
  ])("exits with 2 and a hint for a user's mistake: %j", async (args, message) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/hint: .*--help/)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test('prints its help as an error without a command', async () => {
    const { code, stdout, stderr } = await run([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Usage: dashboard-api')
  })

  test('ends without an error if its output is closed', async () => {
    const { child, ended } = start(['--help'])
    child.stdout?.destroy()
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('prints how to build it if it has not been built', async () => {
    const folder = emptyFolder()
    cpSync(bin, `${folder}/bin/dashboard-api.js`)
    cpSync(fileURLToPath(new URL('../../package.json', import.meta.url)), `${folder}/package.json`)
    const ended = await startProcess(process.execPath, [`${folder}/bin/dashboard-api.js`]).ended
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('npm run build') })
  })
})
