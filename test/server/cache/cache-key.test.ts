import { expect, onTestFinished, test, vi } from 'vitest'
import type { Store } from '../../../src/store/store.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { createTestApp, demo } from '../server-harness.js'
import { unchangedStore } from './unchanged-store.js'

// In this test the list has a path parameter, and returns it. The path is not that of an operation, so it can be added.
vi.mock('../../../src/contract/operations.js', async (load) => {
  const original = await load<typeof import('../../../src/contract/operations.js')>()
  const listProjects = { ...original.operations.listProjects, path: '/v1/lists/{projectId}' }
  return { ...original, operations: { ...original.operations, listProjects } }
})
vi.mock('../../../src/handlers/list-projects.js', () => ({
  listProjects: async ({ params, team, store }: never) => {
    const { version } = await (store as Store).listProjects((team as { id: string }).id)
    return { versioned: { projects: [params] }, version }
  },
}))

test('a cached response is for one operation, its path parameters and one team', async () => {
  const { app, signIn, store } = createTestApp({ store: unchangedStore(createMemoryStore(demo())) })
  onTestFinished(() => app.close())
  const listProjects = vi.spyOn(store, 'listProjects')
  const { cookie } = await signIn()
  const { cookie: colleague } = await signIn()
  const { cookie: viewer } = await signIn({ permissions: [] })
  const { cookie: other } = await signIn({ userId: 'user-max', orgCode: 'org_globex' })
  const read = async (path: string, headers = { cookie }, method: 'GET' | 'HEAD' = 'GET') => {
    const calls = listProjects.mock.calls.length
    const { payload, statusCode } = await app.inject({ method, url: `/v1/lists/${path}`, headers })
    expect(statusCode).toBe(200)
    return { payload, isCached: listProjects.mock.calls.length === calls }
  }

  const one = { payload: '{"projects":[{"projectId":"one"}]}' }
  const two = { payload: '{"projects":[{"projectId":"two"}]}' }
  expect(await read('one')).toEqual({ ...one, isCached: false })
  expect(await read('two')).toEqual({ ...two, isCached: false })
  expect(await read('one')).toEqual({ ...one, isCached: true })
  expect(await read('two')).toEqual({ ...two, isCached: true })
  // Inputs that no handler receives do not matter: the query string, and other cookies.
  expect(await read('one?page=2')).toEqual({ ...one, isCached: true })
  expect(await read('one', { cookie: `a=1; ${cookie}; b=2` })).toEqual({ ...one, isCached: true })
  expect(await read('one', { cookie: colleague })).toEqual({ ...one, isCached: true })
  expect(await read('one', { cookie: viewer })).toEqual({ ...one, isCached: true })
  expect(await read('one', { cookie }, 'HEAD')).toEqual({ payload: '', isCached: true })
  expect(await read('one', { cookie: other })).toEqual({ ...one, isCached: false })
  expect(await read('one', { cookie: other })).toEqual({ ...one, isCached: true })
})
