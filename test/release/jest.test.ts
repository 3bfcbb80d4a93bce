import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('runs the example of Jest with the packed package: CommonJS in jsdom, stopped timers, ES modules in Node', async () => {
  // Packed without a build, which would remove the executable under concurrent tests.
  const env = { ...process.env, npm_config_ignore_scripts: 'true' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['examples/check.js', 'jest'], {
    env,
  })
  expect(`${stdout}${stderr}`.match(/^Tests: +\d+ passed/gm)).toHaveLength(3)
})
