import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, sessionSecret, startProcess } from '../cli/cli-process.js'

const read = (page: string) => readFileSync(page, 'utf8')
const blocks = ['README.md', 'docs/operations.md'].flatMap((page) =>
  [...read(page).matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block),
)
const lines = blocks.flatMap((block) => block.split('\n')).map((line) => line.replace(/ +#.*/, ''))
const [, installed] = /the program is `([^`]+)`/.exec(read('README.md')) ?? []
const commands = new Set([
  // test/release/opentelemetry.test.ts runs the command with OpenTelemetry.
  ...lines.filter((line) => /\bdashboard-api(\.js)? serve$/.test(line) && !line.includes('--import')),
  `${installed} serve`,
])

/** A folder in which the program can be run from a checkout, as an installed package, and as a global one. */
function folderWithProgram(): { cwd: string; path: string } {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, 'node_modules'))
  mkdirSync(join(cwd, 'global'))
  symlinkSync(resolve('bin'), join(cwd, 'bin'))
  symlinkSync(resolve('.'), join(cwd, 'node_modules/dashboard-api'))
  symlinkSync(resolve('bin/dashboard-api.js'), join(cwd, 'global/dashboard-api'))
  return { cwd, path: [join(cwd, 'global'), process.env.PATH].join(delimiter) }
}

describe('the commands of the pages that start production', () => {
  it('are those of a checkout, of an installed package and of a global one', () => {
    expect([...commands].sort()).toEqual([
      'dashboard-api serve',
      'node bin/dashboard-api.js serve',
      'node node_modules/dashboard-api/bin/dashboard-api.js serve',
    ])
  })

  // As a service manager does: start the program without a shell, and send the signal only to it.
  it.each([...commands])('%s gets a SIGTERM', async (command) => {
    const [program = '', ...args] = command.split(' ')
    const { cwd, path } = folderWithProgram()
    const env = { PATH: path, DASHBOARD_API_SESSION_SECRET: sessionSecret, DASHBOARD_API_PORT: '0' }
    const { child, until, ended } = startProcess(program, args, { cwd, env })
    const [, url = ''] = await until('stderr', /The service listens at (\S+)/)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: expect.stringContaining('SIGTERM') })
    await expect(fetch(url)).rejects.toThrow()
  })
})
