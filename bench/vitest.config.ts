import { defineConfig } from 'vitest/config'

/** The checks in other programs, each in a folder of its own. The time limits only end what hangs. */
export default defineConfig({
  test: {
    include: ['bench/**/*.test.ts'],
    globalSetup: './test/postgres-on-demand.ts',
    testTimeout: 3_600_000,
    hookTimeout: 1_200_000,
  },
})
