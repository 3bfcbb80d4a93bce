import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.js'
import { certify } from '../cli/certify.js'
import { bin, emptyFolder, listening, sessionSecret, start, startProcess } from '../cli/cli-process.js'

const program = await createProgram()

/** The examples at the end of the help of a command. usage.test.ts checks that the help prints them. */
function examplesOf(path: string): string[] {
  let help = ''
  const print = {
    writeOut: (text: string) => {
      help += text
    },
  }
  path
    .split(' ')
    .reduce((parent, name) => parent.commands.find((each) => each.name() === name) as Command, program)
    .configureOutput(print)
    .outputHelp()
  return help
    .slice(help.indexOf('\nExamples:\n'))
    .split('\n')
    .slice(2)
    .map((line) => line.trim())
    .filter(Boolean)
}

const seeded = mkdtempSync(join(tmpdir(), 'dashboard-api-'))
beforeAll(() => void execFileSync(process.execPath, [bin, 'seed'], { cwd: seeded }))
afterAll(() => rmSync(seeded, { recursive: true }))

/** Creates a folder with a seeded database, a public folder, custom handlers, and an `npx` that runs the tested executable. */
function createFolder() {
  const cwd = emptyFolder()
  cpSync(`${seeded}/data`, `${cwd}/data`, { recursive: true })
  mkdirSync(`${cwd}/bin`)
  mkdirSync(`${cwd}/public`)
  mkdirSync(`${cwd}/mocks`)
  writeFileSync(`${cwd}/projects.json`, '{ "projects": [] }')
  writeFileSync(`${cwd}/db.json`, '{ "projects": [{ "id": 1, "name": "Apollo" }], "posts": [{ "id": 1 }] }')
  writeFileSync(`${cwd}/page.html`, '<h1>Bad gateway</h1>')
  certify(cwd, 'localhost')
  writeFileSync(`${cwd}/mocks/handlers.ts`, 'export const handlers: object[] = []\n')
  writeFileSync(`${cwd}/bin/npx`, `#!/bin/sh\nshift\nexec "${process.execPath}" "${bin}" "$@"\n`)
  chmodSync(`${cwd}/bin/npx`, 0o755)
  const env = {
    PATH: `${cwd}/bin:${process.env.PATH}`,
    DASHBOARD_API_SESSION_SECRET: sessionSecret,
    // A free port for the examples without --port.
    DASHBOARD_API_PORT: '0',
  }
  return { cwd, env }
}

// The help of a group has the first example of each of its commands.
describe('the examples of the help work as printed', () => {
  test.each([
    'seed',
    'config',
    'database check',
    'database migrate',
    'database backup',
    'database restore',
    'database vacuum',
    'init',
    'state from-database',
    'session issue',
    'session list',
    'session show',
    'session revoke',
    'team list',
    'team show',
    'team create',
    'team rename',
    'team remove',
    'user list',
    'user show',
    'user export',
    'user remove',
    'completion',
    'waitlist list',
    'waitlist add',
    'waitlist remove',
    'waitlist import',
    'waitlist stats',
    'waitlist export',
  ])('%s', async (command) => {
    const lines = examplesOf(command)
    expect(lines.length).toBeGreaterThan(0)
    const { ended } = startProcess('/bin/sh', ['-ec', lines.join('\n')], createFolder())
    expect(await ended).toMatchObject({ code: 0 })
  })

  test('of every command for a running mock', async () => {
    const groups = {
      'session use': [],
      'session current': [],
      'mock scenario': ['set', 'list', 'clear'],
      'mock delay': ['set', 'show', 'clear'],
      'mock chaos': ['set', 'show', 'clear'],
      'mock clock': ['set', 'show', 'clear'],
      'mock snapshot': ['save', 'load', 'list', 'delete'],
      state: ['save', 'export', 'load'],
      'mock persona': ['list', 'add', 'remove'],
      'mock project': ['add', 'set', 'list', 'remove'],
      'mock data': ['add', 'set', 'list', 'remove'],
      'mock handlers': ['list', 'export'],
      reset: [],
      'mock log': [],
    }
    const commands = Object.entries(groups).flatMap(([group, names]) => [
      group,
      ...names.map((name) => `${group} ${name}`),
    ])
    const folder = createFolder()
    const url = await listening(start(['dev', '--port', '0', '--json'], { cwd: folder.cwd }))
    const ran = new Set<string>()
    for (const command of commands) {
      const lines = examplesOf(command)
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines.filter((each) => !ran.has(each))) {
        ran.add(line)
        const onMock = /database| state import /.test(line) ? line : `${line} --url ${url}`
        const running = startProcess('/bin/sh', ['-c', `exec ${onMock}`], folder)
        if (line.includes('--follow')) {
          await running.until('stdout', /^Id\t/)
          running.child.kill('SIGTERM')
        }
        expect(await running.ended, line).toMatchObject({ code: 0 })
      }
    }
  })

  test.each(['dev', 'serve'])('%s', async (command) => {
    const folder = createFolder()
    const [setUp, ...lines] = [...(command === 'dev' ? [':'] : []), ...examplesOf(command)]
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const running = startProcess('/bin/sh', ['-c', `${setUp}\nexec ${line}`], folder)
      await running.until(line.includes('--json') ? 'stdout' : 'stderr', /listen/)
      running.child.kill('SIGTERM')
      expect(await running.ended).toMatchObject({ code: 0 })
    }
  })
})
