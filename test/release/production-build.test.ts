import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const project = fileURLToPath(new URL('../../', import.meta.url))

// Texts of the entry point, MSW, its worker, the fixtures, the library of the store, and the persona switch.
const mockTexts = [
  'The mock could not start its service worker',
  'mockServiceWorker',
  '[MSW]',
  'INTEGRITY_CHECK_REQUEST',
  'acme-owner',
  'ada@acme.example',
  'primaryKey',
  'persona',
  'dashboard-api-panel',
]

describe('a front end that guards the mock with import.meta.env.DEV', () => {
  let folder: string
  let production: Map<string, string>
  let development: Map<string, string>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-example-'))
    production = await build('production')
    development = await build('development')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Builds the example in a separate process, as a developer does. @returns the text of each file */
  async function build(mode: 'production' | 'development'): Promise<Map<string, string>> {
    const out = join(folder, mode)
    await run(
      process.execPath,
      ['node_modules/vite/bin/vite.js', 'build', 'examples/dashboard', '--mode', mode, '--outDir', out],
      { cwd: project, env: { ...process.env, NODE_ENV: mode, VITE_API_URL: '' } },
    )
    const entries = await readdir(out, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    return new Map(
      await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
    )
  }

  const found = (files: Map<string, string>) =>
    mockTexts.filter((text) => [...files.values()].some((file) => file.includes(text)))

  it('contains nothing of the mock in its production build', () => {
    expect(found(production)).toEqual([])
    // One page, one script and one style sheet: no chunk is loaded later.
    expect([...production.keys()].map((file) => file.split('.').at(-1)).sort()).toEqual(['css', 'html', 'js'])
    // The files contain the example.
    expect([...production.values()].some((text) => text.includes('Join the waitlist'))).toBe(true)
  })

  it('has the mock in its development build, where the same search finds every text', () => {
    expect(found(development)).toEqual(mockTexts)
  })
})
