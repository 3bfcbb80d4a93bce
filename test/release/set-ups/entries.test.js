import { createClient } from 'dashboard-api/client'
import { connectToMock } from 'dashboard-api/control'
import { createMock } from 'dashboard-api/msw'
import { createMockServer } from 'dashboard-api/node'
import { mockPanel } from 'dashboard-api/panel'
import { dashboardApi } from 'dashboard-api/vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

// On MSW 3, happy-dom checks requests to other origins as a browser does.
const baseUrl = globalThis.location?.origin ?? 'http://api.test'
const mock = createMockServer({ baseUrl, session: 'acme-owner' })
beforeAll(() => mock.listen())
afterAll(() => mock.close())

test('every entry resolves to the one for Node', async () => {
  expect((await createClient({ baseUrl }).projects.list()).status).toBe(200)
  for (const entry of [createMock, connectToMock, mockPanel, dashboardApi]) {
    expect(entry).toBeTypeOf('function')
  }
})

test('the entry for pages names the one for Node', async () => {
  const start = async () => (await import('dashboard-api/browser')).startMockApi()
  await expect(start()).rejects.toThrow('runs in a page. In Node, in tests too, import dashboard-api/node.')
})
