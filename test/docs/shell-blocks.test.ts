import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../cli/cli-process.js'
import { missingLines, shellBlocksOf } from './shell-blocks.js'

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

test('shown lines are compared completely and in order', () => {
  const output = 'one\ntwo (2)\r\nthree\n'
  expect(missingLines(['one', 'two (…)', '…'], output)).toEqual([])
  expect(missingLines(['on', 'two (2', 'thre.'], output)).toEqual(['on', 'two (2', 'thre.'])
  expect(missingLines(['three', 'one'], output)).toEqual(['one'])
})
