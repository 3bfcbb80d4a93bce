import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
})

it('a mock creates projects although timers stand still since before it was loaded', async () => {
  vi.resetModules()
  // As Jest does with `enableGlobally`, or a page with `page.clock`: every timer stands still, before the mock is loaded.
  vi.useFakeTimers()
  const { createMockServer } = await import('../../src/mock/node.js')
  const mock = createMockServer({ baseUrl: 'http://api.test', session: 'acme-owner' })
  mock.listen()
  const { status } = await fetch('http://api.test/v1/projects', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"New"}',
  })
  mock.close()
  expect(status).toBe(201)
})
