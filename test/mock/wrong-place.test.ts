import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { startProcess } from '../cli/cli-process.js'

// An entry point that is imported in the wrong environment names the right one.

const project = new URL('../../', import.meta.url).pathname

test.each([
  "import { startMockApi } from 'dashboard-api/browser'; startMockApi()",
  "import 'dashboard-api/browser'",
  "await import('dashboard-api/browser')",
])('in Node: %s', async (code) => {
  const args = ['--input-type=module', '--eval', code]
  const { code: exit, stderr } = await startProcess(process.execPath, args, { cwd: project }).ended
  expect(exit).toBe(1)
  expect(stderr).toContain('runs in a page. In Node, in tests too, import dashboard-api/node.')
})

test.each([
  ["import { createMockServer } from 'dashboard-api/node'; createMockServer()", 'runs in Node.'],
  ["import 'dashboard-api/node'", 'runs in Node.'],
  ["import { dashboardApi } from 'dashboard-api/vite'; dashboardApi()", 'is for vite.config'],
])('in a page: %s', async (code, sentence) => {
  const script = await bundleForPage(code)
  const page = createContext({})
  expect(() => runInContext(script, page)).toThrow(
    new RegExp(`dashboard-api/\\w+ ${sentence}.* In a page, import dashboard-api/browser\\.`),
  )
})

/** Bundles a script as for a browser. */
async function bundleForPage(code: string): Promise<string> {
  const entry = `${project}wrong-place-entry.js`
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        load: (id) => (id === entry ? code : undefined),
        resolveId: (id) => (id === entry ? id : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'iife' })
  return output[0].code
}
