import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('runs the example of Jest with the packed package: CommonJS in jsdom, stopped timers, ES modules in Node', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['examples/check.js', 'jest'])
  expect(`${stdout}${stderr}`.match(/^Tests: +\d+ passed/gm)).toHaveLength(3)
})
