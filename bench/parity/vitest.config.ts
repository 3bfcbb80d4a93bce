import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['bench/parity/*.test.ts'],
    globalSetup: './test/postgres-on-demand.ts',
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
})
