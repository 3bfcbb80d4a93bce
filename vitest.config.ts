import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: './test/postgres-on-demand.ts',
    reporters: ['default', './test/summary-reporter.ts'],
    // Most of the time is spent waiting for processes and browsers, so every processor gets a worker.
    maxWorkers: '100%',
    // Long enough for a busy machine: a test that waits has a shorter limit of its own.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
