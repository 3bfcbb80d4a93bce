import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import type { MockFixtures } from 'dashboard-api/playwright'
import example from '../../examples/playwright/playwright.config.js'

/** The configuration of the example, for its tests and those of the fixture. */
export default defineConfig<MockFixtures>({
  ...example,
  // The package as it is built: that of the repository leads to the sources.
  tsconfig: '../../examples/playwright/tsconfig.json',
  testDir: fileURLToPath(new URL('../..', import.meta.url)),
  testMatch: ['examples/playwright/*.spec.ts', 'test/mock/*.spec.ts'],
  outputDir: fileURLToPath(new URL('../../node_modules/.cache/playwright', import.meta.url)),
})
