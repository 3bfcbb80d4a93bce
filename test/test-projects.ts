import { readFileSync } from 'node:fs'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { reachableFrom, sourcesAt } from './package/import-graph.js'

export const allTests = (): string[] => sourcesAt('test').filter((file) => /\.test\.tsx?$/.test(file))

/** These measure time, or memory during writes: they run after all others, one at a time. */
const measuring = /large-teams|data-size|stream-log/

/** These send thousands of requests or megabytes, seconds each, or measure the memory of their process. */
const long =
  /conformance\/(broken-servers|verify|cases)\.|parity\/parity|cache\/large-teams|sqlite\/(remove-records|sqlite-copy)/

/** These start processes, bundle, or serve pages. */
const slowPackages = /^(node:child_process|playwright-core|rolldown|vite)$/

/** These replace modules, or set values that modules read when they are loaded. */
const changesModules = (file: string) => /\bvi\.(mock|hoisted)\(/.test(readFileSync(file, 'utf8'))

const readsBuild = (file: string) => /['"`/]dist\//.test(readFileSync(file, 'utf8'))

/**
 * The project of a test file:
 * - `release`: checks of the package and the deployment, in test/release
 * - `browser`, `postgres`: tests that need Chromium or PostgreSQL
 * - `alone`: tests that measure
 * - `quick`: tests without processes and without the build. A worker loads the modules once for all its files, since loading
 *   takes longer than most of these tests
 * - `isolated`: all others
 */
export function projectOf(file: string): string {
  if (file.startsWith('test/release/')) return 'release'
  const reached = [...reachableFrom([file], (imported) => imported.startsWith('test/'))]
  if (reached.includes('test/programs/find-browser.ts')) return 'browser'
  if (reached.includes('test/store/postgres/postgres-database.ts')) return 'postgres'
  if (reached.includes('test/programs/embedded-postgres.js')) return 'postgres'
  if (measuring.test(file)) return 'alone'
  const tests = reached.filter((name) => /^test\/.*\.tsx?$/.test(name))
  const isSlow = reached.some((name) => slowPackages.test(name)) || tests.some(readsBuild)
  return isSlow || long.test(file) || changesModules(file) ? 'isolated' : 'quick'
}

/** The options of the projects. All except the quick tests use the build. */
const options: Record<string, TestProjectInlineConfiguration['test']> = {
  quick: { isolate: false, globalSetup: [], setupFiles: ['./test/load-memory-store.ts'] },
  isolated: {},
  browser: {},
  postgres: {},
  release: {},
  alone: { maxWorkers: 1, sequence: { groupOrder: 1 } },
}

/** The projects of Vitest. */
export function testProjects(): TestProjectInlineConfiguration[] {
  const files = allTests().map((file) => ({ file, project: projectOf(file) }))
  return Object.entries(options).map(([name, own]) => ({
    extends: true,
    test: {
      name,
      include: files.filter(({ project }) => project === name).map(({ file }) => file),
      globalSetup: ['./test/build.ts', './test/postgres-on-demand.ts'],
      // Long time limits, which only end hanging tests: on a busy machine each process may take seconds to start.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      ...own,
    },
  }))
}
