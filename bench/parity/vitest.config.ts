import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['bench/parity/*.test.ts'], testTimeout: 900_000, hookTimeout: 120_000 },
})
