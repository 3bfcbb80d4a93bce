// "In tests" of docs/mock.md, with Node's test runner.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { createMockServer } from 'dashboard-api/node'
import { HttpResponse, http } from 'msw'

const handlers = [http.get('http://api.test/api/invoices', () => HttpResponse.json([7]))]
const mock = createMockServer({ baseUrl: 'http://api.test', session: 'acme-owner', handlers })
before(() => mock.listen())
afterEach(() => mock.reset())
after(() => mock.close())

const create = (name) =>
  fetch('http://api.test/v1/projects', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

test('answers, forces an outcome once, and resets', async () => {
  await mock.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 })
  assert.equal((await create('One')).status, 409)
  assert.equal((await create('One')).status, 201)
  await mock.reset()
  assert.equal((await create('One')).status, 201)
  assert.deepEqual(await (await fetch('http://api.test/api/invoices')).json(), [7])
})

test('lets no request reach the network', () =>
  // Nothing listens there: a request to the network would fail with another error.
  assert.rejects(fetch('http://127.0.0.1:48219/out'), (error) => !/ECONNREFUSED/.test(String(error.cause))))

test('removes the session and the cookies that it has set', async () => {
  const signIn = { method: 'POST', body: new URLSearchParams({ session: 'acme-viewer' }), redirect: 'manual' }
  assert.equal((await fetch('http://api.test/auth/sign-in', signIn)).status, 303)
  const me = async () => (await (await fetch('http://api.test/v1/auth/me')).json()).user.email
  assert.equal(await me(), 'vera@acme.example')
  await mock.reset()
  assert.equal(await me(), 'ada@acme.example')
})

test(
  'isolates a test',
  mock.isolate(async (space) => {
    await space.session.use('acme-viewer')
    assert.equal((await create('Two')).status, 403)
  }),
)
