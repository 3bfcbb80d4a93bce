import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['bench/pictures/*.test.ts'], testTimeout: 120_000 } })
