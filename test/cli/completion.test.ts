import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.js'
import { bin, emptyFolder, run, startProcess } from './cli-process.js'
import { runningMock } from './mock/running-mock.js'

const hasBash = spawnSync('bash', ['--version']).status === 0

/** The completions of a command line, whose last word is being typed. */
async function completed(words: string[], cwd = emptyFolder()): Promise<string[]> {
  const { code, stdout, stderr } = await run(['complete', '--', ...words], { cwd })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.pop()).toMatch(/^:\d+$/)
  return lines.map((line) => line.split('\t')[0] ?? '')
}

describe('completion', () => {
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
    [['mock', 'sc'], ['scenario']],
    [['mock', 'data', 'list', 'te'], ['teams']],
    [['seed', '--from', 'stat'], ['state.json']],
    [['waitlist', 'import', 'folder/s'], ['folder/sub/']],
    [['team', 'list', '--qu'], ['--quiet']],
    [['nonsense', '--form'], []],
  ])('of %j is %j', async (words, expected) => {
    const cwd = emptyFolder()
    writeFileSync(`${cwd}/state.json`, '{}')
    mkdirSync(`${cwd}/folder/sub`, { recursive: true })
    expect(await completed(words, cwd)).toEqual(expected)
  })

  test('has every command and option', async () => {
    const program = await createProgram()
    for (const command of program.commands) {
      expect(await completed([command.name().slice(0, -1)])).toContain(command.name())
      for (const each of command.commands) {
        expect(await completed([command.name(), ''])).toContain(each.name())
        const options = await completed([command.name(), each.name(), '--'])
        const names = each.createHelp().visibleOptions(each)
        expect(options).toEqual(expect.arrayContaining(names.map(({ long }) => long)))
      }
    }
  })

  test('has the personas, operations, outcomes and snapshots of a running mock', async () => {
    const { cli, url } = await runningMock()
    await cli('mock', 'snapshot', 'save', 'before')
    const of = (...words: string[]) => {
      const depth = words[0] === 'mock' ? 3 : 2
      return completed([...words.slice(0, depth), '--url', url, ...words.slice(depth)])
    }
    expect(await of('session', 'use', 'acme-v')).toEqual(['acme-viewer'])
    expect(await of('mock', 'scenario', 'set', 'create')).toEqual(['createProject'])
    expect(await of('mock', 'scenario', 'set', 'createProject', 'PROJ')).toEqual(['PROJECT_NAME_TAKEN'])
    expect(await of('mock', 'scenario', 'set', 'createProject', '503', '--session', 'no-')).toEqual([
      'no-organization',
      'no-team',
    ])
    expect(await of('mock', 'delay', 'set', '300', 'list')).toEqual(['listProjects'])
    expect(await of('mock', 'snapshot', 'load', '')).toEqual(['before'])
  })

  test.each(['bash', 'zsh', 'fish', 'powershell'])('has a script for %s', async (shell) => {
    const { code, stdout, stderr } = await run(['completion', shell])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/dashboard-api complete '?--/)
  })

  test.skipIf(!hasBash)('completes in bash (needs bash)', async () => {
    const cwd = emptyFolder()
    writeFileSync(`${cwd}/dashboard-api`, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
    chmodSync(`${cwd}/dashboard-api`, 0o755)
    // The function of the package bash-completion that the script calls.
    const script = `_get_comp_words_by_ref() { words=(dashboard-api waitlist ex); cword=2; cur=ex; prev=waitlist; }
      eval "$(dashboard-api completion bash)"
      "$(complete -p dashboard-api | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const ended = startProcess('bash', ['-c', script], {
      cwd,
      env: { PATH: `${cwd}:${process.env.PATH}` },
    }).ended
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^export\b/) })
  })

  test('refuses an unknown shell', async () => {
    const { code, stderr } = await run(['completion', 'csh'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/Allowed choices are bash, zsh, fish, powershell/)
  })
})
