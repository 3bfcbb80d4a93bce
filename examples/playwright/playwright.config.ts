import { defineConfig } from '@playwright/test'
import type { MockFixtures } from 'dashboard-api/playwright'

const { PAGE_PORT = '5183', MOCK_PORT = '4020', CHROME_PATH } = process.env
const page = `http://127.0.0.1:${PAGE_PORT}`
const mock = `http://127.0.0.1:${MOCK_PORT}`

export default defineConfig<MockFixtures>({
  testDir: import.meta.dirname,
  fullyParallel: true,
  reporter: 'list',
  use: {
    baseURL: page,
    mockOptions: { session: 'acme-owner' },
    // Without it, Playwright uses its own browser: npx playwright install chromium
    ...(CHROME_PATH && { launchOptions: { executablePath: CHROME_PATH } }),
  },
  // The same tests in two ways. Most projects need one of them.
  projects: [{ name: 'mock' }, { name: 'space', use: { mockOptions: { session: 'acme-owner', url: mock } } }],
  webServer: [
    {
      // The application without a mock of its own. Its proxy leads to the dev server, which the first project does not use.
      command: `npx vite ../dashboard --host 127.0.0.1 --port ${PAGE_PORT} --strictPort`,
      url: page,
      env: { VITE_API_URL: mock },
      cwd: import.meta.dirname,
    },
    {
      command: `npx dashboard-api dev --port ${MOCK_PORT} --strict-port`,
      url: mock,
      cwd: import.meta.dirname,
    },
  ],
})
