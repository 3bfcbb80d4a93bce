import { defineConfig } from 'vitest/config'

/** The checks in other programs, each in a separate folder. The time limits only end tests that hang. */
export default defineConfig({
  test: {
    include: ['bench/**/*.test.ts'],
    globalSetup: './test/postgres-on-demand.ts',
    testTimeout: 3_600_000,
    hookTimeout: 1_200_000,
  },
})
