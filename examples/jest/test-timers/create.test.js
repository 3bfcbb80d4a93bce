import { createClient } from 'dashboard-api/client'

test('projects are created while timers stand still', async () => {
  const api = createClient()
  expect(await api.projects.create({ name: 'Roadmap' })).toMatchObject({ status: 201 })
  expect(await api.projects.create({ name: 'Roadmap' })).toMatchObject({ code: 'PROJECT_NAME_TAKEN' })
})
