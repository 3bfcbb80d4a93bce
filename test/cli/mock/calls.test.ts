import { expect, test } from 'vitest'
import { start } from '../cli-process.js'
import { runningMock } from './running-mock.js'

test('a mock that is stopped ends the waits for requests', async () => {
  const { dev, url, cli } = await runningMock()
  const waiting = start(['mock', 'log', 'wait', 'listProjects', '--timeout', '300000', '--url', url])
  // It starts at the same time as this command, which is answered after it.
  await cli('mock', 'log', 'wait', 'createProject', '--timeout', '500')
  dev.child.kill('SIGTERM')
  expect(await dev.ended).toMatchObject({ code: 0 })
  expect((await waiting.ended).code).not.toBe(0)
})
