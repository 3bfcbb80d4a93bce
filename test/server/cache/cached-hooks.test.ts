import { expect, test, vi } from 'vitest'
import type { AppOptions } from '../../../src/server/app.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { demo, openTestApp } from '../server-harness.js'
import { unchangedStore } from './unchanged-store.js'

const friend = 'https://app.example.com'

/** A server that has answered a path, and can send the same response from its cache. */
async function serve(path: string, options: Partial<AppOptions> = {}) {
  const opened = openTestApp({ allowedOrigins: [friend], ...options })
  const loads = [vi.spyOn(opened.store, 'listProjects'), vi.spyOn(opened.store, 'listProjectNames')]
  const { cookie } = await opened.signIn()
  const get = () =>
    opened.app.inject({ url: path, headers: { cookie, origin: friend, 'x-request-id': 'one' } })
  const first = await get()
  opened.lines.length = 0
  return { ...opened, first, get, countLoads: () => loads.flatMap(({ mock }) => mock.calls).length }
}

test.each(['/v1/projects', '/v1/auth/me'])('a cached response to %s equals an uncached one', async (path) => {
  const onRequestComplete = vi.fn()
  const store = unchangedStore(createMemoryStore(demo()))
  const { get, first, lines, countLoads } = await serve(path, { store, onRequestComplete })
  const cached = await get()
  expect(countLoads()).toBe(1)
  expect(cached.body).toBe(first.body)
  const { date: _, 'x-request-id': id, ...headers } = cached.headers
  expect(first.headers).toMatchObject({ ...headers, 'access-control-allow-origin': friend, vary: 'Origin' })
  expect(id).not.toBe(first.headers['x-request-id'])
  const operation = path === '/v1/projects' ? 'listProjects' : 'getSession'
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { operation, status: 200, requestId: id, clientRequestId: 'one', teamId: 'team-acme', msg: 'request' },
  ])
  expect(onRequestComplete.mock.lastCall).toEqual([{ operation, status: 200, ms: expect.any(Number) }])
})
