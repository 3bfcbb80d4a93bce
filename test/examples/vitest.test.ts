import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startProcess } from '../cli/cli-process.js'
import { findBrowser } from '../programs/find-browser.js'

type Report = {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[]
}

it('adds the mock to 200 custom handlers in Node, jsdom and a browser, and to TanStack Query', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-api-vitest-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const report = join(folder, 'report.json')
  const browser = await findBrowser()
  const { code, stdout, stderr } = await startProcess(
    'node_modules/.bin/vitest',
    ['run', '--root', 'examples/vitest', '--reporter=json', '--outputFile', report],
    { env: { ...browser.env, CHROME_PATH: browser.path } },
  ).ended
  expect(code, stdout + stderr).toBe(0)
  const { testResults }: Report = JSON.parse(await readFile(report, 'utf8'))
  const passed = testResults.map(({ name, assertionResults }) => [
    basename(name),
    assertionResults.filter(({ status }) => status === 'passed').length,
  ])
  const inEach = ['requests.test.ts', 4]
  const inPages = ['projects.test.tsx', 4]
  expect(passed.sort()).toEqual([inPages, inPages, inEach, inEach, inEach])
})
