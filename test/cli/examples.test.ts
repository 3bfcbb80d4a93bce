import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bin, emptyFolder, listening, run, sessionSecret, start, startProcess } from './cli-process.js'

/** The examples at the end of a command's help, as printed. */
async function examplesOf(command: string): Promise<string[]> {
  const { stdout } = await run([...command.split(' '), '--help'])
  return stdout
    .slice(stdout.indexOf('\nExamples:\n'))
    .split('\n')
    .slice(2)
    .map((line) => line.trim())
    .filter(Boolean)
}

/** A folder with a seeded database in its place, a public folder, and an `npx` that runs what is under test. */
async function workplace() {
  const cwd = emptyFolder()
  mkdirSync(`${cwd}/bin`)
  mkdirSync(`${cwd}/public`)
  writeFileSync(`${cwd}/bin/npx`, `#!/bin/sh\nshift\nexec "${process.execPath}" "${bin}" "$@"\n`)
  chmodSync(`${cwd}/bin/npx`, 0o755)
  const env = {
    PATH: `${cwd}/bin:${process.env.PATH}`,
    DASHBOARD_API_SESSION_SECRET: sessionSecret,
    // Where the example names no port, so that none is taken.
    DASHBOARD_API_PORT: '0',
  }
  await run(['seed'], { cwd })
  return { cwd, env }
}

describe('the examples of the help work as printed', () => {
  test.each([
    'seed',
    'config',
    'database',
    'database check',
    'database migrate',
    'database backup',
    'database restore',
    'database vacuum',
    'init',
    'session issue',
    'session show',
    'session revoke',
    'team',
    'team list',
    'team show',
    'team create',
    'team rename',
    'user',
    'user list',
    'user show',
    'project',
    'project list',
    'completion',
    'waitlist',
    'waitlist list',
    'waitlist add',
    'waitlist remove',
    'waitlist import',
    'waitlist stats',
    'waitlist export',
  ])('%s', async (command) => {
    const lines = await examplesOf(command)
    expect(lines.length).toBeGreaterThan(0)
    const { ended } = startProcess('/bin/sh', ['-ec', lines.join('\n')], await workplace())
    expect(await ended).toMatchObject({ code: 0 })
  })

  test('of every command to a running mock', async () => {
    const groups = {
      session: ['list', 'use', 'current'],
      scenario: ['set', 'list', 'clear'],
      delay: ['set', 'show', 'clear'],
      clock: ['set', 'show', 'clear'],
      snapshot: ['save', 'load', 'list'],
      state: ['export', 'load'],
      reset: [],
      log: [],
    }
    const commands = Object.entries(groups).flatMap(([group, names]) => [
      group,
      ...names.map((name) => `${group} ${name}`),
    ])
    const place = await workplace()
    const url = await listening(start(['dev', '--port', '0', '--json'], { cwd: place.cwd }))
    const tried = new Set<string>()
    for (const command of commands) {
      const lines = await examplesOf(command)
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines.filter((each) => !tried.has(each))) {
        tried.add(line)
        const onMock = line.includes('--database') ? line : `${line} --url ${url}`
        const running = startProcess('/bin/sh', ['-c', `exec ${onMock}`], place)
        if (line.includes('--follow')) {
          await running.until('stdout', /^Id\t/)
          running.child.kill('SIGTERM')
        }
        expect(await running.ended, line).toMatchObject({ code: 0 })
      }
    }
  }, 60_000)

  test.each(['dev', 'serve'])('%s', async (command) => {
    const place = await workplace()
    const [setUp, ...lines] = [...(command === 'dev' ? [':'] : []), ...(await examplesOf(command))]
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      const running = startProcess('/bin/sh', ['-c', `${setUp}\nexec ${line}`], place)
      await running.until(line.includes('--json') ? 'stdout' : 'stderr', /listen/)
      running.child.kill('SIGTERM')
      expect(await running.ended).toMatchObject({ code: 0 })
    }
  })
})
