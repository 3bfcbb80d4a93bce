import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    reporters: ['default', './test/summary-reporter.ts'],
    // Most of the time is spent waiting for processes and browsers: no processor is kept free.
    maxWorkers: '100%',
    // Generous, for a busy machine: a test that waits fails by what it waits for, not by this.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
