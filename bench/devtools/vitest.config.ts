import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['bench/devtools/*.test.ts'], testTimeout: 60_000, hookTimeout: 600_000 },
})
