import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['bench/image/*.test.ts'], testTimeout: 120_000, hookTimeout: 1_200_000 },
})
