import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { findBrowser } from '../programs/find-browser.js'

const { PLAYWRIGHT_WORKERS = '2' } = process.env

it("runs Playwright's tests of the example and of the fixture, isolated from each other", async () => {
  const { path, env } = await findBrowser()
  const [PAGE_PORT, MOCK_PORT] = [String(await freePort()), String(await freePort())]
  const config = 'test/mock/playwright.config.ts'
  const args = ['test', '--config', config, '--workers', PLAYWRIGHT_WORKERS]
  const child = spawn('node_modules/.bin/playwright', args, {
    env: { ...process.env, ...env, CHROME_PATH: path, PAGE_PORT, MOCK_PORT },
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  expect({ code, problems: code === 0 ? '' : output + errors }).toEqual({ code: 0, problems: '' })
  expect(output).toMatch(/\d+ passed/)
  expect(output).not.toMatch(/\d+ (failed|flaky|did not run)/)
  if (process.env.PLAYWRIGHT_WORKERS) console.log(output)
})
