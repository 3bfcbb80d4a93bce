import { createClient } from 'dashboard-api/client'
import { createMockServer } from 'dashboard-api/node'
import { handlers } from '../src/handlers.mjs'

const baseUrl = 'http://api.test'
const mock = createMockServer({ baseUrl, handlers, session: 'acme-owner' })
const api = createClient({ baseUrl })

beforeAll(() => mock.listen())
afterEach(() => mock.reset())
afterAll(() => mock.close())

test('every handler of the front end answers', async () => {
  for (const number of handlers.keys()) {
    const response = await fetch(`${baseUrl}/api/invoices/${number + 1}`)
    expect(await response.json()).toEqual({ number: number + 1 })
  }
})

test('the mock answers beside them, signed in', async () => {
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
