import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commandNodes } from '../../src/cli/completion/command-nodes.js'
import { createProgram } from '../../src/cli/program.js'
import { emptyFolder, run, startProcess } from './cli-process.js'

const hasBash = await startable('bash')

async function startable(program: string): Promise<boolean> {
  const { spawnSync } = await import('node:child_process')
  return spawnSync(program, ['--version']).status === 0
}

describe.skipIf(!hasBash)('completion in bash (needs bash)', () => {
  test.each([
    [['wait'], ['waitlist']],
    [['waitlist', 'ex'], ['export']],
    [['waitlist', 'export', '--for'], ['--format']],
    [
      ['waitlist', 'export', '--format', ''],
      ['csv', 'json', 'ndjson'],
    ],
    [['waitlist', 'export', '--output', 'o.csv', '--format', 'n'], ['ndjson']],
    [['completion', 'f'], ['fish']],
    [
      ['session', 'revoke', '--all'],
      ['--all-of-user', '--all-of-organization'],
    ],
    [['seed', '--from', 'stat'], ['state.json']],
    [['waitlist', 'import', 'stat'], ['state.json']],
    [['team', 'list', '--qu'], ['--quiet']],
    [['nonsense', '--form'], []],
  ])('of %j is %j', async (words, expected) => {
    const cwd = emptyFolder()
    writeFileSync(`${cwd}/completion.bash`, (await run(['completion', 'bash'])).stdout)
    writeFileSync(`${cwd}/state.json`, '{}')
    const script = `source completion.bash
      COMP_WORDS=(dashboard-api "$@"); COMP_CWORD=$#
      "$(complete -p dashboard-api | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const { code, stdout, stderr } = await startProcess('bash', ['-c', script, 'bash', ...words], { cwd })
      .ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n').filter(Boolean)).toEqual(expected)
  })
})

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('for %s contains every command, option and choice', async (shell) => {
    const { code, stdout, stderr } = await run(['completion', shell])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const nodes = commandNodes(await createProgram())
    expect(nodes.length).toBeGreaterThan(30)
    for (const { path, options, commands } of nodes) {
      const names = [
        ...commands.map(({ name }) => name),
        ...options.flatMap(({ name, choices }) => [name, ...choices]),
      ]
      for (const name of names) {
        expect(stdout, `${path}: ${name}`).toContain(shell === 'fish' ? name.replace(/^--/, '-l ') : name)
      }
    }
  })

  test('refuses an unknown shell', async () => {
    const { code, stderr } = await run(['completion', 'csh'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/Allowed choices are bash, zsh, fish/)
  })
})
