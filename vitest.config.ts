import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import LongestFirst from './test/longest-first.js'
import { testProjects } from './test/test-projects.js'

const source = (path: string) => `${import.meta.dirname}/src/${path}.ts`

export default defineConfig({
  // The tests run the sources, also by the names of the package. The same is in tsconfig.json.
  resolve: {
    alias: [
      { find: 'dashboard-api/client', replacement: source('client/client') },
      { find: 'dashboard-api/contract', replacement: source('contract/index') },
      { find: 'dashboard-api/server', replacement: source('server/server') },
      {
        find: /^dashboard-api\/(browser|control|msw|node|panel|playwright|vite)$/,
        replacement: source('mock/$1'),
      },
    ],
  },
  test: {
    projects: testProjects(),
    reporters: ['default', './test/summary-reporter.ts'],
    // Much of the time is spent waiting for processes, browsers and limits: a worker more than there are processors.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
  },
})
