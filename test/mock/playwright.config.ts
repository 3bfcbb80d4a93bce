import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import type { MockFixtures } from 'dashboard-api/playwright'
import example from '../../examples/playwright/playwright.config.js'

/** The configuration of the example, for its tests and those of the fixture. */
export default defineConfig<MockFixtures>({
  ...example,
  // Vite builds the page for the first test: on a busy machine this takes longer than the usual 30 s.
  timeout: 120_000,
  // The package as it is built: that of the repository leads to the sources.
  tsconfig: '../../examples/playwright/tsconfig.json',
  testDir: fileURLToPath(new URL('../..', import.meta.url)),
  testMatch: ['examples/playwright/*.spec.ts', 'test/mock/*.spec.ts'],
  outputDir: fileURLToPath(new URL('../../node_modules/.cache/playwright', import.meta.url)),
})
