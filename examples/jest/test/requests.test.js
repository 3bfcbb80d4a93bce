import { createClient } from 'dashboard-api/client'
import { handlers } from '../src/handlers.mjs'
import { mock } from '../src/mock'

const api = createClient()

test('every handler of the front end answers', async () => {
  for (const number of handlers.keys()) {
    const response = await fetch(`/api/invoices/${number + 1}`)
    expect(await response.json()).toEqual({ number: number + 1 })
  }
})

test('the mock answers beside them, signed in', async () => {
  expect(document.cookie).toBe('session=acme-owner')
  const { status, body } = await api.session.get()
  expect([status, body]).toMatchObject([200, { user: { email: 'ada@acme.example' } }])
})

test('a scenario applies to the test that sets it', async () => {
  await mock.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN' })
  expect(await api.projects.create({ name: 'Roadmap' })).toMatchObject({ code: 'PROJECT_NAME_TAKEN' })
})

test('the next test starts from the initial state', async () => {
  expect(await api.projects.create({ name: 'Roadmap' })).toMatchObject({ status: 201 })
})
