import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import type { MockFixtures } from 'dashboard-api/playwright'
import example from '../../examples/playwright/playwright.config.js'

/** The configuration of the example, for its tests and those of the fixture. */
export default defineConfig<MockFixtures>({
  ...example,
  // Vite builds the page for the first test, which takes longer than the default of 30 s on a busy machine.
  timeout: 120_000,
  // The built package: in the repository its name resolves to the sources.
  tsconfig: '../../examples/playwright/tsconfig.json',
  testDir: fileURLToPath(new URL('../..', import.meta.url)),
  testMatch: ['examples/playwright/*.spec.ts', 'test/mock/*.spec.ts'],
  outputDir: fileURLToPath(new URL('../../node_modules/.cache/playwright', import.meta.url)),
})
