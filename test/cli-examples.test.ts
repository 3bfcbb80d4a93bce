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
    'init',
    'session issue',
    'session revoke',
    'waitlist',
    'waitlist list',
    'waitlist add',
    'waitlist remove',
    'waitlist export',
  ])('%s', async (command) => {
    const lines = await examplesOf(command)
    expect(lines.length).toBeGreaterThan(0)
    const { ended } = startProcess('/bin/sh', ['-ec', lines.join('\n')], await workplace())
    expect(await ended).toMatchObject({ code: 0 })
  })

  test.each(['session', 'session list', 'session use', 'session current'])(
    '%s, on a running mock',
    async (command) => {
      const url = await listening(start(['dev', '--port', '0', '--json']))
      const place = await workplace()
      for (const line of await examplesOf(command)) {
        const onMock = line.includes('--database') ? line : `${line} --url ${url}`
        expect(await startProcess('/bin/sh', ['-c', onMock], place).ended).toMatchObject({ code: 0 })
      }
    },
  )

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
