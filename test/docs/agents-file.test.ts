import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { otherTools } from '../../src/cli/mcp/other-tools.js'
import { controlTools } from '../../src/cli/mcp/tools.js'

const [, steps = ''] =
  /^## A state that a screen must show\n(.*?)^## /ms.exec(readFileSync('AGENTS.md', 'utf8')) ?? []
/** The task that the release tests run. */
const task = readFileSync('docs/mcp.md', 'utf8')
const calls = [...task.matchAll(/^```mcp\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)
const inputOf = (text: string): unknown => JSON.parse(`{${text.replaceAll(/(\w+):/g, '"$1":')}}`)

test('AGENTS.md names tools that exist', () => {
  const tools = [...steps.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, name]) => name)
  expect(tools.length).toBeGreaterThan(5)
  expect(Object.keys({ ...controlTools, ...otherTools })).toEqual(expect.arrayContaining(tools))
})

test('the calls of tools in AGENTS.md are those of the task in docs/mcp.md', () => {
  const described = [...steps.matchAll(/`(\w+)` with\s+`([^`]+)`/g)]
  expect(described.map(([, name]) => name)).toEqual(['force_outcome', 'expect_calls'])
  for (const [, name, input = ''] of described) {
    const inputs = calls
      .filter((call) => call.startsWith(`${name} `))
      .map((call) => JSON.parse(call.replace(/^\w+ /, '')))
    expect(inputs).toContainEqual(expect.objectContaining(inputOf(input)))
  }
})

test('the statements for tests in AGENTS.md are those of the tests in docs/mcp.md', () => {
  const statements = [...steps.matchAll(/`((?:await )?mock\.\w+[^`]*)`/g)].map(([, text = '']) => text)
  expect(statements).toHaveLength(2)
  for (const statement of statements) expect(task).toContain(`${statement}\n`)
})
