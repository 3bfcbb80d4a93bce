import { readFileSync } from 'node:fs'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { quickTests } from './quick-tests.js'

/** These measure time, or memory while others write: they run after all others, one at a time. */
const measuring = /large-teams|attacks\/pipelines|data-size|stream-log/

/** These measure the memory of their process, in which no other file may run. */
const measuringMemory = /log-memory/

/**
 * What is checked beside the code: the package as it is installed, the image, the commands of documents and help, the
 * examples, the release before, and other programs. `npm run test:release` runs them, and `npm test` leaves them out.
 */
const ofRelease =
  /^test\/(examples\/|package\/(package|image)\.|docs\/(runbook|page-commands)\.|cli\/examples\.|contract\/(prism|generated-clients)\.|server\/rolling-upgrade\.|store\/sqlite\/litestream\.|store\/postgres\/pgbouncer\.)/

/** These replace modules, or set what modules read when they are loaded. */
const changesModules = (file: string) => /\bvi\.(mock|hoisted)\(/.test(readFileSync(file, 'utf8'))

/** The projects of Vitest that run these test files. */
export function testProjects(files: readonly string[]): TestProjectInlineConfiguration[] {
  const alone = files.filter((file) => measuring.test(file))
  const others = files.filter((file) => !measuring.test(file) && !ofRelease.test(file))
  // Loading the modules takes longer than most quick tests, so that a worker loads them once for all that it runs.
  const quick = new Set(quickTests().filter((file) => !changesModules(file) && !measuringMemory.test(file)))
  return [
    project('isolated', { include: others.filter((file) => !quick.has(file)) }),
    project('shared', { include: others.filter((file) => quick.has(file)), isolate: false }),
    project('release', { include: files.filter((file) => ofRelease.test(file)) }),
    project('alone', { include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } }),
  ]
}

const project = (name: string, options: TestProjectInlineConfiguration['test']) => ({
  test: {
    name,
    // Long enough for a busy machine: a test that waits has a shorter limit of its own.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    ...options,
  },
})
