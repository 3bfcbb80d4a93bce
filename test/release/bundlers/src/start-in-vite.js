// The front end of Vite. It imports each entry of a page.
import { createClient } from 'dashboard-api/client'
import { errors } from 'dashboard-api/contract'

export async function start() {
  if (import.meta.env.DEV) {
    const { startMockApi } = await import('dashboard-api/browser')
    const { mockPanel } = await import('dashboard-api/panel')
    const { createMock } = await import('dashboard-api/msw')
    const { connectToMock } = await import('dashboard-api/control')
    mockPanel(await startMockApi({ session: 'acme-owner' }))
    console.log(createMock().handlers.length, typeof connectToMock)
  }
  const { body } = await createClient().projects.list()
  document.title = body.projects?.map(({ name }) => name).join() ?? errors.SERVICE_UNAVAILABLE.message
}
