// @vitest-environment jsdom
import { createMock } from 'dashboard-api/msw'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const mock = createMock()
let seen
const own = http.get('*/api/cookies', ({ cookies }) => {
  seen = cookies
  return HttpResponse.json({})
})
const others = ['a', 'b'].map((name) => http.get(`*/api/${name}`, () => undefined))
const server = setupServer(own, ...others, ...mock.handlers)
beforeAll(() => server.listen())
afterEach(() => mock.reset())
afterAll(() => server.close())

const at = (path) => new URL(path, location.href)
const status = async () => (await fetch(at('/v1/auth/me'), { credentials: 'include' })).status

test('one test signs in', async () => {
  const init = { method: 'POST', credentials: 'include', redirect: 'manual' }
  await fetch(at('/auth/sign-in'), { ...init, body: new URLSearchParams({ session: 'acme-owner' }) })
  expect(await status()).toBe(200)
})

test('the next test is signed out, for the mock and for handlers beside it', async () => {
  expect(await status()).toBe(401)
  await fetch(at('/api/cookies'), { credentials: 'include' })
  expect(seen.session).toBeUndefined()
  expect(document.cookie).toBe('')
})
