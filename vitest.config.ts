import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import LongestFirst from './test/longest-first.js'
import { allTests } from './test/quick-tests.js'
import { testProjects } from './test/test-projects.js'

export default defineConfig({
  test: {
    projects: testProjects(allTests()),
    globalSetup: './test/postgres-on-demand.ts',
    reporters: ['default', './test/summary-reporter.ts'],
    // Much of the time is spent waiting for processes, browsers and limits: a worker more than there are processors.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
  },
})
