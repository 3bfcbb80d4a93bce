import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder } from '../cli/cli-process.js'
import { missingLines, shellBlocksOf } from './shell-blocks.js'
import { startShell } from './start-shell.js'

const fence = '```'

test('the blocks of a page have their commands, and the output below them', () => {
  const page = join(emptyFolder(), 'page.md')
  const output = `\n\n${fence}text\na …\n${fence}`
  writeFileSync(
    page,
    `# One\n\n${fence}sh\necho a\n${fence}${output}\n\n## Two\n\n${fence}sh\nls\n${fence}\n`,
  )
  expect(shellBlocksOf(page)).toEqual([
    { line: 3, heading: 'One', commands: 'echo a', shown: ['a …'] },
    { line: 13, heading: 'Two', commands: 'ls', shown: [] },
  ])
  writeFileSync(page, output)
  expect(() => shellBlocksOf(page)).toThrow('page.md:3')
})

test('shown lines are compared as a whole, in their order', () => {
  const output = 'one\ntwo (2)\r\nthree\n'
  expect(missingLines(['one', 'two (…)', '…'], output)).toEqual([])
  expect(missingLines(['on', 'two (2', 'thre.'], output)).toEqual(['on', 'two (2', 'thre.'])
  expect(missingLines(['three', 'one'], output)).toEqual(['one'])
})

test('a shell goes on from block to block, until a command fails', async () => {
  const folder = emptyFolder()
  const shell = startShell({ cwd: folder, folder, env: { PATH: process.env.PATH ?? '' } })
  onTestFinished(shell.close)
  expect(await shell.run('name=value')).toBe('')
  expect(await shell.run('echo "$name"; echo error >&2')).toBe('value\nerror\n')
  await expect(shell.run('echo first\nfalse\necho second')).rejects.toThrow('ended with 1:\nfirst\n')
  await expect(shell.run(':')).rejects.toThrow('ended with 1')
})

test('a program in the foreground is interrupted when it has written the shown lines', async () => {
  const folder = emptyFolder()
  const shell = startShell({ cwd: folder, folder, env: { PATH: process.env.PATH ?? '' } })
  onTestFinished(shell.close)
  const wait = `sh -c 'trap "echo stopped; exit" INT; echo $$ >"$FOREGROUND"; echo ready; while :; do sleep 0.1; done'`
  expect(await shell.run(`${wait}\necho next`, ['ready'])).toBe('ready\nstopped\nnext\n')
})
