import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const project = fileURLToPath(new URL('../../', import.meta.url))

// Of the entry point, of MSW, of its worker, of the fixtures, of the library behind the store, of the persona switch.
const marks = [
  'The mock could not start its service worker',
  'mockServiceWorker',
  '[MSW]',
  'INTEGRITY_CHECK_REQUEST',
  'acme-owner',
  'ada@acme.example',
  'primaryKey',
  'persona',
  '.mock',
]

describe('a front end that guards the mock with import.meta.env.DEV', { timeout: 120_000 }, () => {
  let folder: string
  let production: Map<string, string>
  let development: Map<string, string>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-example-'))
    production = await build('production')
    development = await build('development')
  }, 120_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Builds the example as its developer does, in a process of its own; gives the text of each file. */
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
    marks.filter((mark) => [...files.values()].some((text) => text.includes(mark)))

  it('has no byte of the mock in its production build', () => {
    expect(found(production)).toEqual([])
    // Nothing is left to load later: the page, one script, one style sheet.
    expect([...production.keys()].map((file) => file.split('.').at(-1)).sort()).toEqual(['css', 'html', 'js'])
    // What was looked through is the example.
    expect([...production.values()].some((text) => text.includes('Join the waitlist'))).toBe(true)
  })

  it('has all of the mock where the guard lets it in, so that the search above finds what it looks for', () => {
    expect(found(development)).toEqual(marks)
  })
})
