import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
})

/** A mock that is loaded when all timers stand still already, as with `enableGlobally` of Jest, or `page.clock` in a page. */
async function start() {
  vi.resetModules()
  vi.useFakeTimers()
  const { createMockServer } = await import('../../src/mock/node.js')
  const mock = createMockServer({ baseUrl: 'http://api.test', session: 'acme-owner' })
  mock.listen()
  return mock
}

it('a mock creates projects even if timers stood still before it was loaded', async () => {
  const mock = await start()
  const { status } = await fetch('http://api.test/v1/projects', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"New"}',
  })
  mock.close()
  expect(status).toBe(201)
})

it('a wait for a request ends although timers stand still', async () => {
  const mock = await start()
  await expect(mock.waitForRequest('createProject', { timeout: 20 })).rejects.toThrow('The log is empty.')
  await expect(mock.expectCalls('createProject', { timeout: 0 })).rejects.toThrow('The log is empty.')
  mock.close()
})
