// Tests of a project that uses the package with Playwright.
import { defineConfig } from '@playwright/test'
import { type MockFixtures, type TestMock, test } from 'dashboard-api/playwright'
import { HttpResponse, http } from 'msw'

const handlers = [http.get('/api/invoices', () => HttpResponse.json([]))]

defineConfig<MockFixtures>({
  use: { baseURL: 'http://localhost:5173', mockOptions: { session: 'acme-owner', handlers, delay: 20 } },
  projects: [{ name: 'space', use: { mockOptions: { url: 'http://127.0.0.1:4010', handlers } } }],
})

// @ts-expect-error the delay is that of the server
test.use({ mockOptions: { url: 'http://127.0.0.1:4010', delay: 20 } })

test('is typed', async ({ page, mock, mockSpace }) => {
  const same: TestMock = mock
  await same.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 })
  // @ts-expect-error a list cannot have a name that is taken
  await mock.scenarios.set({ target: 'listProjects', outcome: 'PROJECT_NAME_TAKEN', times: null })
  await mock.session.use((await mock.session.list())[0]?.id ?? 'acme-viewer')
  mock.network.use(...handlers)
  await page.goto(`/?space=${mockSpace satisfies string | undefined}`)
})
