import { playwright } from '@vitest/browser-playwright'
import { dashboardApi } from 'dashboard-api/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    // Enough for a busy machine.
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/*.test.ts'],
          setupFiles: ['test/server.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'jsdom',
          environment: 'jsdom',
          include: ['test/*.test.{ts,tsx}'],
          setupFiles: ['test/server.ts'],
        },
      },
      {
        extends: true,
        // Serves the worker script.
        plugins: [dashboardApi({ server: false })],
        test: {
          name: 'browser',
          include: ['test/*.test.{ts,tsx}'],
          setupFiles: ['test/worker.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            // Without CHROME_PATH: the browser that `npx playwright install chromium` installs.
            provider: playwright({ launchOptions: { executablePath: process.env.CHROME_PATH } }),
          },
        },
      },
    ],
  },
})
