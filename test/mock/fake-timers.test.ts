import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
})

it('a mock creates projects even if timers stood still before it was loaded', async () => {
  vi.resetModules()
  // All timers stand still before the mock is loaded, as with `enableGlobally` of Jest, or `page.clock` in a page.
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
